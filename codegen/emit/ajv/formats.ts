import type { Schema } from "../../model/model.js";

/**
 * What the integer formats of the captured schemas allow. Beyond 2^53 a JavaScript number is not exact: the bounds of
 * the 64-bit formats are the nearest ones above, so that no valid value is refused.
 */
export const integerFormats: Readonly<Record<string, readonly [minimum: number, maximum: number]>> = {
  int8: [-(2 ** 7), 2 ** 7 - 1],
  int16: [-(2 ** 15), 2 ** 15 - 1],
  int32: [-(2 ** 31), 2 ** 31 - 1],
  int64: [-(2 ** 63), 2 ** 63],
  uint: [0, 2 ** 64],
  uint8: [0, 2 ** 8 - 1],
  uint16: [0, 2 ** 16 - 1],
  uint32: [0, 2 ** 32 - 1],
  uint64: [0, 2 ** 64],
};

/** Formats of numbers that every JSON number satisfies. */
const anyNumber = new Set(["double", "float"]);

/** Formats of strings that ajv checks; a URI is taken broadly: a scheme, and no white space. */
export const stringFormats: Readonly<Record<string, RegExp>> = {
  uri: /^[a-z][a-z0-9+.-]*:\S*$/i,
  "date-time": /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/,
};

/** Formats that are left unchecked: both ends hand the text on as it is. */
export const uncheckedFormats = ["regex"];

/** The schema with `minimum` and `maximum` in place of an integer format; a format nobody knows is an error. */
export const integerBounds = (schema: Schema): Schema => {
  const format = schema["format"];
  if (typeof format !== "string" || format in stringFormats || uncheckedFormats.includes(format)) return schema;
  const { format: _, ...rest } = schema;
  if (anyNumber.has(format)) return rest;
  const bounds = integerFormats[format];
  if (bounds === undefined) throw new Error(`format "${format}" is not known to the generator`);
  const minimum = Math.max(bounds[0], numberOr(rest["minimum"], bounds[0]));
  const maximum = Math.min(bounds[1], numberOr(rest["maximum"], bounds[1]));
  return { ...rest, minimum, maximum };
};

const numberOr = (value: unknown, otherwise: number): number => (typeof value === "number" ? value : otherwise);

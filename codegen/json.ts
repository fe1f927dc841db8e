/** JSON as the code generator reads it: unknown until looked at. */

export type JsonObject = { [key: string]: unknown };

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The member as an object; an error that names `what` when it is none. */
export const objectAt = (value: unknown, key: string, what: string): JsonObject => {
  const member = isObject(value) ? value[key] : undefined;
  if (!isObject(member)) throw new Error(`${what} has no object "${key}"`);
  return member;
};

/** A new value in which `change` has been applied to every node, children first. The input stays as it is. */
export const mapJson = (value: unknown, change: (node: unknown, pointer: string) => unknown, pointer = ""): unknown => {
  if (Array.isArray(value)) {
    return change(
      value.map((item, index) => mapJson(item, change, `${pointer}/${index}`)),
      pointer,
    );
  }
  if (isObject(value)) {
    const entries = Object.entries(value).map(([key, item]) => [
      key,
      mapJson(item, change, `${pointer}/${escapePointer(key)}`),
    ]);
    return change(Object.fromEntries(entries), pointer);
  }
  return change(value, pointer);
};

export const escapePointer = (key: string): string => key.replaceAll("~", "~0").replaceAll("/", "~1");

export const unescapePointer = (key: string): string => key.replaceAll("~1", "/").replaceAll("~0", "~");

/** JSON with two spaces and a final line break, as every file of `schemas` that we print ourselves. */
export const printJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

const width = 120;

/**
 * JSON as the formatter of this repository leaves it: objects over several lines, a list of plain values on one line
 * where it fits.
 */
export const printTidyJson = (value: unknown): string => `${tidy(value, "", 0)}\n`;

const tidy = (value: unknown, indent: string, column: number): string => {
  const deeper = `${indent}  `;
  if (Array.isArray(value)) {
    const line = `[${value.map((item) => JSON.stringify(item)).join(", ")}]`;
    const plain = value.every((item) => typeof item !== "object" || item === null);
    // One column is kept for the comma that may follow.
    if (plain && column + line.length < width) return line;
    return `[\n${value.map((item) => `${deeper}${tidy(item, deeper, deeper.length)}`).join(",\n")}\n${indent}]`;
  }
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => {
    const start = `${deeper}${JSON.stringify(key)}: `;
    return start + tidy(member, deeper, start.length);
  });
  return members.length === 0 ? "{}" : `{\n${members.join(",\n")}\n${indent}}`;
};

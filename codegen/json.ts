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

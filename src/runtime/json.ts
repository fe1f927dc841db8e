/** What generated validation code needs beyond the language. Values are JSON: no cycles, no prototypes of their own. */

/** The length of a string in characters, where a surrogate pair is one and a lone surrogate is one. */
export const ucs2length = (text: string): number => {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

/** Whether two JSON values are the same; the order of members does not count. */
export const equalJson = (a: unknown, b: unknown): boolean => {
  if (a === b) return true;
  if (!isObject(a) || !isObject(b) || Array.isArray(a) !== Array.isArray(b)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && equalJson(a[name], b[name]))
  );
};

import fc from "fast-check";

/** Names of members that careless code takes for something else. */
export const hostileNames: readonly string[] = [
  "__proto__",
  "constructor",
  "hasOwnProperty",
  "toString",
  "length",
  "",
  "~/~1",
  "$ref",
  "\ud800",
];

/** Any JSON value as it comes out of `JSON.parse`; small. */
export const anyJson: fc.Arbitrary<unknown> = fc
  .jsonValue({ maxDepth: 2 })
  .map((value): unknown => JSON.parse(JSON.stringify(value)));

/** An object as `JSON.parse` makes it: `__proto__` is a member like any other. */
export const objectOf = (members: readonly (readonly [string, unknown])[]): Record<string, unknown> => {
  const made: Record<string, unknown> = {};
  for (const [name, value] of members) {
    Object.defineProperty(made, name, { value, enumerable: true, writable: true, configurable: true });
  }
  return made;
};

/** JSON with hostile member names at every level, huge numbers and lone surrogates. */
export const hostileJson: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown; object: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom<unknown>(
      null,
      true,
      0,
      1e308,
      -1e308,
      5e-324,
      2 ** 53,
      Infinity,
      "",
      "\ud800",
      "\udc00x",
      "__proto__",
    ),
    anyJson,
    fc.array(tie("value"), { maxLength: 4 }),
    tie("object"),
  ),
  object: fc
    .array(fc.tuple(fc.oneof(fc.constantFrom(...hostileNames), fc.string({ maxLength: 8 })), tie("value")), {
      maxLength: 4,
    })
    .map(objectOf),
})).value;

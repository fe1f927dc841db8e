import fc from "fast-check";
import { hostileNames } from "../../src/testing/schema/any-json.js";

/** Numbers that JavaScript does not give back as they were written, and some that it does. */
const numbers = fc.oneof(
  fc.constantFrom("1e400", "-1E+400", "1e-400", "-0", "0.0", "1.0", "1e0", "1E2", "0.1e1", "9007199254740993"),
  fc.constantFrom("-9223372036854775808", "18446744073709551615", "12345678901234567890.5", "0.10000000000000000001"),
  fc.integer().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
);

const escaped = (text: string): string =>
  `"${[...text].map((part) => [...Array(part.length).keys()].map((i) => `\\u${part.charCodeAt(i).toString(16).padStart(4, "0")}`).join("")).join("")}"`;

/** A string with its quotes: as JavaScript writes it, or all of it escaped, surrogates without their other half too. */
const strings = fc.oneof(
  fc.string({ unit: "binary", maxLength: 8 }).map((text) => JSON.stringify(text)),
  fc.string({ maxLength: 5 }).map(escaped),
  fc.constantFrom(
    '"\\ud800"',
    '"x\\udc00"',
    '"\\/"',
    '"\\\\"',
    '"\\""',
    '"{[,:"',
    '"\u2028"',
    '"1e400"',
    '"\\b\\f\\r"',
  ),
);

const names = fc.oneof(
  strings,
  fc.constantFrom(...hostileNames.map((name) => JSON.stringify(name)), '"2"', '"1"', '"params"', '"result"', '"id"'),
);

const space = fc.constantFrom("", "", "", " ", "\t", "  \r ");

/** Any JSON as text, as others may write it: nothing here but the grammar. Objects may have a name twice. */
export const spelledJson: fc.Arbitrary<string> = fc.letrec<{ value: string; list: string; object: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom("null", "true", "false"),
    numbers,
    strings,
    tie("list"),
    tie("object"),
  ),
  list: fc
    .tuple(space, fc.array(tie("value"), { maxLength: 3 }), space)
    .map(([before, items, after]) => `[${before}${items.join(`${after},${before}`)}${after}]`),
  object: fc
    .tuple(space, fc.array(fc.tuple(names, tie("value")), { maxLength: 3 }), space)
    .map(([before, members, after]) => {
      const list = members.map(([name, value]) => `${name}${after}:${before}${value}`);
      return `{${before}${list.join(`${after},`)}${after}}`;
    }),
})).value;

/** `value`, an object, with members that its schema does not name, spelled in any way. */
export const withOthers = (value: unknown, others: readonly string[]): string => {
  const text = JSON.stringify(value);
  const more = others.map((other, i) => `"x-other-${i}":${other}`);
  return `{${[...(text === "{}" ? [] : [text.slice(1, -1)]), ...more].join(",")}}`;
};

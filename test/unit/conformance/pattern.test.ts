import { describe, expect, test } from "vitest";

interface Row {
  readonly name: string;
  readonly value: unknown;
  readonly pattern: unknown;
  /** Where it does not fit. */
  readonly path?: string;
}

import { canonical, mismatches } from "../../../src/conformance/pattern.js";

describe("mismatches()", () => {
  test.each<Row>([
    { name: "members that are not named do not matter", value: { a: 1, b: 2 }, pattern: { a: 1 } },
    { name: "lists match item by item", value: [{ a: 1, b: 2 }], pattern: [{ a: 1 }] },
    { name: "null is null", value: { a: null }, pattern: { a: null } },
    { name: "$any as a word", value: { a: false }, pattern: { a: "$any" } },
    { name: "$absent", value: {}, pattern: { a: { $absent: true } } },
    { name: "$like", value: "Thread is open", pattern: { $like: "^Thread" } },
    { name: "$not of a pattern", value: { a: 2 }, pattern: { $not: { a: 1 } } },
    { name: "$in", value: 2, pattern: { $in: [1, 2] } },
    { name: "$all", value: 5, pattern: { $all: [{ $min: 5 }, { $max: 5 }] } },
    { name: "$exactly, whatever the order", value: { b: 1, a: [2] }, pattern: { $exactly: { a: [2], b: 1 } } },
    { name: "$has", value: [1, { a: 1 }], pattern: { $has: [{ a: 1 }] } },
    { name: "$each", value: [1, 1], pattern: { $each: 1 } },
    { name: "$first", value: [1, 2], pattern: { $first: 1 } },
    { name: "$length of a list", value: [1, 2], pattern: { $length: 2 } },
    { name: "$length of a text", value: "abc", pattern: { $length: { $max: 3 } } },
    { name: "$type integer is a number too", value: 1, pattern: { $all: [{ $type: "integer" }, { $type: "number" }] } },
    { name: "$base64", value: "aGk=", pattern: { $base64: "hi" } },
    { name: "two members that begin with $ are no rule", value: { $a: 1, $b: 2 }, pattern: { $a: 1, $b: 2 } },
  ])("fits: $name", ({ value, pattern }) => {
    expect(mismatches(value, pattern)).toEqual([]);
  });

  test.each<Row>([
    { name: "another value", value: { a: { b: 2 } }, pattern: { a: { b: 1 } }, path: "/a/b" },
    { name: "no such member", value: {}, pattern: { a: "$any" }, path: "/a" },
    { name: "undefined is not null", value: {}, pattern: { a: null }, path: "/a" },
    { name: "a member of the prototype is none", value: {}, pattern: { toString: "$any" }, path: "/toString" },
    { name: "a longer list", value: [1, 2], pattern: [1], path: "" },
    { name: "an object for a list", value: { 0: 1 }, pattern: [1], path: "" },
    { name: "a text for an object", value: "a", pattern: {}, path: "" },
    { name: "$absent that is there", value: { a: undefined, b: null }, pattern: { b: { $absent: true } }, path: "/b" },
    { name: "$like of a number", value: 12, pattern: { $like: "1" }, path: "" },
    { name: "$not", value: 1, pattern: { $not: 1 }, path: "" },
    { name: "$in", value: 3, pattern: { $in: [1, 2] }, path: "" },
    { name: "$exactly with one more", value: { a: 1, b: 1 }, pattern: { $exactly: { a: 1 } }, path: "" },
    { name: "$has", value: [1], pattern: { $has: [2] }, path: "" },
    { name: "$each", value: [1, 2], pattern: { $each: 1 }, path: "/1" },
    { name: "$first", value: [2, 1], pattern: { $first: 1 }, path: "/0" },
    { name: "$length", value: [1], pattern: { $length: 2 }, path: "/length" },
    { name: "$type", value: 1.5, pattern: { $type: "integer" }, path: "" },
    { name: "$min", value: 1, pattern: { $min: 2 }, path: "" },
    { name: "$base64", value: "aGk=", pattern: { $base64: "ho" }, path: "" },
    { name: "a name with a slash", value: { "a/b": 1 }, pattern: { "a/b": 2 }, path: "/a~1b" },
  ])("does not: $name", ({ value, pattern, path }) => {
    expect(mismatches(value, pattern).map((one) => one.path)).toEqual([path]);
  });

  test("an unknown rule is an error of the case, not a mismatch", () => {
    expect(() => mismatches(1, { $maybe: 1 })).toThrow("there is no rule $maybe");
  });
});

test("canonical() does not depend on the order of members", () => {
  expect(canonical({ b: [{ d: 1, c: 2 }], a: 1 })).toBe(canonical({ a: 1, b: [{ c: 2, d: 1 }] }));
});

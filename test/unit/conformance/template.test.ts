import { expect, test } from "vitest";
import { fill, fillSome, referencesIn } from "../../../src/conformance/template.js";

const bindings = { turn: { turnId: "t1", list: [{ a: 1 }, { kind: "b c", a: 2 }] }, cwd: "/home/user" };

test.each([
  { template: "$" + "{turn.list}", want: bindings.turn.list },
  { template: "$" + "{turn.list.0.a}", want: 1 },
  { template: "$" + "{turn.list.kind=b c.a}", want: 2 },
  { template: "in $" + "{cwd}/a", want: "in /home/user/a" },
  { template: { ["$" + "{cwd}/x"]: ["$" + "{turn.turnId}"] }, want: { "/home/user/x": ["t1"] } },
  { template: { a: null, b: 2, c: true }, want: { a: null, b: 2, c: true } },
])("fill() puts in $template", ({ template, want }) => {
  expect(fill(template, bindings)).toEqual(want);
});

test.each(["$" + "{other}", "$" + "{turn.nothing}", "a $" + "{turn.list.3} b", "$" + "{turn.list.kind=d}"])(
  "fill() refuses %s",
  (template) => {
    expect(() => fill(template, bindings)).toThrow("stands for nothing");
  },
);

test("fillSome() leaves other names alone", () => {
  const template = { a: "$" + "{cwd} $" + "{later.x}", b: "$" + "{later}", c: "$" + "{turn.turnId}" };
  expect(fillSome(template, bindings)).toEqual({ a: "/home/user $" + "{later.x}", b: "$" + "{later}", c: "t1" });
});

test("referencesIn() finds them in names and values", () => {
  expect(referencesIn({ ["$" + "{a.b}"]: ["x $" + "{c} $" + "{d}"] })).toEqual(["a.b", "c", "d"]);
});

test("a long text is written out, also within others, and one that is none is refused", () => {
  const text = {
    $text: [
      ["ab", 2],
      ["😀", 1],
    ],
  };
  expect(fill({ a: [text] }, {})).toEqual({ a: ["abab😀"] });
  expect(fill({ ...text, more: 1 }, {})).toEqual({ ...text, more: 1 });
  for (const wrong of ["ab", [["ab"]], [[2, "ab"]], [["ab", -1]], [["ab", 0.5]]]) {
    expect(() => fill({ $text: wrong }, {}), JSON.stringify(wrong)).toThrow("$text takes a list of [text, times]");
  }
});

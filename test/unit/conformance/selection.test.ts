import { describe, expect, test } from "vitest";
import { exitCodeOf, expectationOf, staleEntries } from "../../../src/conformance/expectations.js";
import type { CaseResult, Status } from "../../../src/conformance/report/result.js";
import { fits, select, whySkipped } from "../../../src/conformance/select.js";
import { result } from "./result.js";

test.each([
  { pattern: "prompt/echo", name: "prompt/echo", want: true },
  { pattern: "a/b-c.d(e)[f]", name: "a/b-c.d(e)[f]", want: true },
  { pattern: "prompt/*", name: "prompt/echo/row", want: true },
  { pattern: "*/echo", name: "prompt/echo", want: true },
  { pattern: "prompt/e.ho", name: "prompt/echo", want: false },
  { pattern: "prompt", name: "prompt/echo", want: false },
])("fits() $pattern $name: $want", ({ pattern, name, want }) => {
  expect(fits(pattern, name)).toBe(want);
});

describe("select()", () => {
  const one = {
    name: "a/x",
    area: "A",
    title: "",
    clauses: [],
    needs: [],
    folders: {},
    env: {},
    client: {},
    steps: [],
  };
  const cases = [
    { ...one, level: "MUST" as const, ground: "none" as const },
    { ...one, name: "b/x", area: "B", level: "SHOULD" as const, ground: "scripted" as const },
  ];
  const all = { areas: [], names: [], levels: [], grounds: [] };
  test.each([
    { selection: {}, want: ["a/x", "b/x"] },
    { selection: { areas: ["B"] }, want: ["b/x"] },
    { selection: { names: ["a/*", "none"] }, want: ["a/x"] },
    { selection: { levels: ["SHOULD" as const] }, want: ["b/x"] },
    { selection: { grounds: ["none" as const], names: ["b/*"] }, want: [] },
  ])("$selection: $want", ({ selection, want }) => {
    expect(select(cases, { ...all, ...selection }).map(({ name }) => name)).toEqual(want);
  });
});

describe("whySkipped()", () => {
  const features = { fork: { doc: "", capability: "session.fork" }, quiet: { doc: "" } };
  test.each([
    { needs: ["fork"], capabilities: { session: { fork: {} } }, declared: {}, want: null },
    { needs: ["fork"], capabilities: { session: {} }, declared: {}, want: "it does not claim session.fork" },
    {
      needs: ["fork"],
      capabilities: { session: { fork: false } },
      declared: {},
      want: "it does not claim session.fork",
    },
    { needs: ["fork"], capabilities: {}, declared: { fork: true }, want: null },
    {
      needs: ["fork"],
      capabilities: { session: { fork: {} } },
      declared: { fork: false },
      want: "the features file says it has no fork",
    },
    { needs: ["quiet"], capabilities: {}, declared: {}, want: null },
    { needs: ["quiet"], capabilities: {}, declared: { quiet: false }, want: "the features file says it has no quiet" },
  ])("$needs of $capabilities with $declared: $want", ({ needs, capabilities, declared, want }) => {
    expect(whySkipped({ needs }, features, capabilities, declared)).toBe(want);
  });
});

describe("what is expected", () => {
  const expectations = { knownFailing: { "a/*": "it cannot" }, knownFlaky: { "b/x": "now and then" } };
  const of = (name: string, status: Status): CaseResult =>
    result({ name, status, expected: expectationOf(name, expectations) });
  const names = ["a/1", "a/2", "b/x", "c/1"];

  test("is found by name", () => {
    expect(expectationOf("a/1", expectations)).toEqual({ list: "known-failing", reason: "it cannot" });
    expect(expectationOf("c/1", expectations)).toBeNull();
  });

  test.each([
    { results: [of("a/1", "failed"), of("a/2", "passed"), of("b/x", "failed")], stale: 0, code: 0 },
    { results: [of("a/1", "passed"), of("a/2", "passed")], stale: 1, code: 4 },
    { results: [of("a/1", "skipped"), of("b/x", "passed")], stale: 0, code: 0 },
    { results: [of("a/1", "failed"), of("c/1", "failed")], stale: 0, code: 1 },
    { results: [of("a/1", "passed"), of("a/2", "passed"), of("c/1", "failed")], stale: 1, code: 1 },
    { results: [of("a/1", "failed"), of("c/1", "warned")], stale: 0, code: 0 },
    { results: [of("c/1", "failed"), of("a/1", "broken")], stale: 0, code: 5 },
  ])("$results.0.status, $results.1.status, …: $stale stale, exit code $code", ({ results, stale, code }) => {
    const found = staleEntries(results, names, expectations);
    expect(found).toHaveLength(stale);
    expect(exitCodeOf(results, found)).toBe(code);
  });

  test("an entry for no case is stale", () => {
    const found = staleEntries([], names, { knownFailing: { "d/*": "gone" }, knownFlaky: { "e/1": "gone" } });
    expect(found).toEqual(["known-failing d/*: there is no such case", "known-flaky e/1: there is no such case"]);
  });
});

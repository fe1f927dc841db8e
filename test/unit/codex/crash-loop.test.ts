import { expect, test } from "vitest";
import { type CrashHistory, crashLoop, withCrash } from "../../../src/codex/crash-loop.js";

/** The history of ends at these seconds. */
const after = (...seconds: number[]): CrashHistory =>
  seconds.reduce<CrashHistory>((history, at) => withCrash(history, at * 1000), []);

test.each([
  ["no end", after(), 0, null],
  ["two ends", after(0, 1), 1, null],
  ["a third within a minute", after(0, 1, 2), 2, { count: 3, waitMs: 1000 }],
  ["part of the wait over", after(0, 1, 2), 2.4, { count: 3, waitMs: 600 }],
  ["the wait over", after(0, 1, 2), 3, null],
  ["a fourth", after(0, 1, 2, 3), 3, { count: 4, waitMs: 2000 }],
  ["a fifth", after(0, 1, 2, 3, 5), 5, { count: 5, waitMs: 4000 }],
  ["many, and the wait has an end", after(...Array(30).keys()), 29, { count: 16, waitMs: 60_000 }],
  ["ends far apart", after(0, 61, 122, 183), 183, null],
  ["a loop that is over", after(0, 1, 2), 62, null],
] as const)("%s", (_name, history, seconds, expected) => {
  expect(crashLoop(history, seconds * 1000)).toEqual(expected);
});

test("a history does not grow without end", () => {
  expect(after(...Array(1000).keys()).length).toBe(16);
});

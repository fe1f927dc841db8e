import { describe, expect, test } from "vitest";
import type { Limit } from "../../compat/limits.js";
import { compatibilityPage, type VersionResults } from "../../compat/page.js";
import { readResults } from "../../compat/results.js";

const results = (version: string, failing: readonly string[], answer: string): VersionResults => ({
  version,
  behaviour: {
    version,
    answers: [
      { probe: "resume", question: "Is it resumed?", answer },
      { probe: "fork", question: "Is it forked?", answer: "yes" },
    ],
  },
  tests: ["works", "has times"].map((title) => ({ file: "a", title, passed: !failing.includes(title), why: "why" })),
});

const limit: Limit = {
  from: "1.0.0",
  to: "1.1.0",
  what: "Items have no times",
  why: "Their pages do not tell.",
  tests: ["a: has times"],
};

const three = [
  results("1.0.0", ["has times"], "no"),
  results("1.1.0", ["has times"], "no"),
  results("1.2.0", [], "a|b <id>"),
];

describe("docs/compatibility.md", () => {
  test("says what differs, where and why", () => {
    const { text, faults } = compatibilityPage(three, [limit]);
    expect(faults).toEqual([]);
    expect(text).toContain("| 1.2.0 | 2 of 2 | nothing |\n| 1.1.0 | 1 of 2 | Items have no times |\n| 1.0.0 |");
    expect(text).toContain("| 1.0.0 to 1.1.0 | Items have no times | Their pages do not tell. |");
    expect(text).toContain("| Is it resumed? | 1.0.0 to 1.1.0: no<br>1.2.0: a\\|b &lt;id> |");
    expect(text).not.toContain("Is it forked?");
  });

  test("a failure that is not written down is a fault, and so is one that is no more", () => {
    expect(compatibilityPage(three, []).faults).toEqual([
      "1.0.0 fails: a: has times (why)",
      "1.1.0 fails: a: has times (why)",
    ]);
    expect(compatibilityPage(three, [{ ...limit, to: "1.2.0" }]).faults).toEqual([
      "1.2.0 is said to fail and does not: a: has times",
    ]);
    expect(compatibilityPage(three, [limit, { ...limit, from: "0.9.0" }]).faults).toContain(
      "a limit names a version that was not tested: Items have no times",
    );
  });
});

describe("the report of the tests", () => {
  const file = (more: object) => ({ testResults: [{ name: "/x/test/real/turn.test.ts", ...more }] });

  test("is read without the version in the titles", () => {
    const assertionResults = [
      { fullName: "Codex '0.161.0' a fork", status: "failed", failureMessages: ["Error: no\n  at x"] },
      { fullName: "a turn", status: "passed", failureMessages: [] },
    ];
    expect(readResults(file({ assertionResults }))).toEqual([
      { file: "turn", title: "a fork", passed: false, why: "Error: no" },
      { file: "turn", title: "a turn", passed: true, why: "" },
    ]);
  });

  test("a file that could not be run is no success", () => {
    expect(() => readResults(file({ assertionResults: [], message: "no such module" }))).toThrow(
      "turn could not be run: no such module",
    );
    expect(() => readResults({})).toThrow("no report");
  });
});

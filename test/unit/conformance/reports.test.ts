import { describe, expect, test } from "vitest";
import { compareReports, compareText } from "../../../src/conformance/report/compare.js";
import { htmlText } from "../../../src/conformance/report/html.js";
import { jsonText } from "../../../src/conformance/report/json.js";
import { junitText } from "../../../src/conformance/report/junit.js";
import { caseLines, summaryLines } from "../../../src/conformance/report/terminal.js";
import { failed, report, result } from "./result.js";

const passed = result({ name: "prompt/fine", status: "passed", entries: failed.entries });
const skipped = result({ name: "prompt/none", status: "skipped", reason: "it does not claim session.fork" });
const known = result({
  ...failed,
  name: "prompt/known",
  expected: { list: "known-failing", reason: "it cannot" },
});
const all = report([passed, failed, skipped, known]);
const plain = (_: string, text: string): string => text;

describe("on a terminal", () => {
  test("a failure names the clause, what was expected, and the frames around it", () => {
    const text = caseLines(failed, plain, false).join("\n");
    expect(text).toContain("FAILED prompt/echo");
    expect(text).toContain("MUST PROMPT-01: It is so.");
    expect(text).toContain('at /state: expected "idle", got "running"');
    expect(text).toContain("agent → host");
    expect(text).toContain('in step 2: {"update":{}}');
  });

  test("what is as expected is quiet unless asked for", () => {
    for (const one of [passed, skipped, known]) expect(caseLines(one, plain, false)).toEqual([]);
    expect(caseLines(skipped, plain, true)).toEqual(["skipped prompt/none (it does not claim session.fork)"]);
    expect(caseLines(known, plain, true)).toEqual(["FAILED prompt/known (known-failing: it cannot)"]);
  });

  test("the end has the totals and what is stale", () => {
    expect(summaryLines({ ...all, stale: ["known-failing a/*: it passes"] }, plain)).toEqual([
      "stale entry: known-failing a/*: it passes",
      "some-agent 2.0.0: 1 passed, 2 failed, 1 skipped in 3.0 s (exit code 1)",
    ]);
  });
});

describe("as JSON", () => {
  test("it has everything but the frames of what passed", () => {
    const [fine, bad] = JSON.parse(jsonText(all)).results;
    expect(fine.entries).toEqual([]);
    expect(bad.entries).toEqual(failed.entries);
    expect(JSON.parse(jsonText(all, true)).results[0].entries).toEqual(passed.entries);
  });
});

describe("as JUnit", () => {
  test("it counts what failed unexpectedly, and is well-formed whatever an agent sends", () => {
    const text = junitText(all);
    expect(text).toContain('<testsuites name="some-agent 2.0.0" tests="4" failures="1" errors="0"');
    expect(text).toContain('<testsuite name="PROMPT" tests="4" failures="1" errors="0" skipped="2"');
    expect(text).toContain('<failure message="waited in vain for &lt;an update&gt; &amp; more"');
    expect(text).toContain('<skipped message="it cannot: waited in vain');
    expect(text).not.toContain("\u0007");
    expect(text).not.toContain("</script>");
    expect([...text.matchAll(/<testcase/g)]).toHaveLength(4);
  });
});

describe("as a page", () => {
  test("it is whole, and nothing that an agent sends can end its data", () => {
    const text = htmlText(all, [
      { id: "PROMPT-01", level: "MUST", text: "It holds." },
      { id: "INIT-01", level: "MUST", text: "Of no case here." },
    ]);
    const [, data = ""] = /<script type="application\/json" id="data">(.*)<\/script>\n<script>/.exec(text) ?? [];
    expect(data).not.toContain("<");
    const { report: found, clauses } = JSON.parse(data);
    expect(found.results).toEqual(JSON.parse(JSON.stringify(all.results)));
    expect(clauses).toEqual([{ id: "PROMPT-01", level: "MUST", text: "It holds." }]);
    expect(text).not.toMatch(/\b(?:src|href)="http/);
  });

  test("a huge frame is cut", () => {
    const entries = [
      { seq: 0, at: 0, wire: "host" as const, from: "bridge" as const, frame: { a: "x".repeat(50_000) } },
    ];
    const text = htmlText(report([{ ...passed, entries }]), []);
    expect(text).toContain("… (50008 characters)");
    expect(text.length).toBeLessThan(40_000);
  });
});

describe("side by side", () => {
  const before = report([passed, failed, skipped]);
  const after = report([passed, { ...failed, status: "passed" }, result({ name: "prompt/new", status: "warned" })]);
  test("it shows what differs", () => {
    expect(compareReports(before, after).map(({ name, before: a, after: b }) => [name, a, b])).toEqual([
      ["prompt/echo", "failed", "passed"],
      ["prompt/none", "skipped", "missing"],
      ["prompt/new", "missing", "warned"],
    ]);
    expect(compareText(before, after)).toMatch(/^prompt\/echo \(PROMPT-01\) {2}failed +passed$/m);
  });
});

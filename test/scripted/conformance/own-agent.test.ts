import { describe, expect, test } from "vitest";
import { emptySpans } from "../../../src/conformance/mutants.js";
import { resultOf } from "../../../src/conformance/report/result.js";
import { caseLines } from "../../../src/conformance/report/terminal.js";
import { loadSuite } from "../../../src/conformance/suite.js";
import { kill, runMutant } from "../../conformance/run-mutants.js";

describe("our own agent", () => {
  test.each(loadSuite().cases.filter(({ ground }) => ground !== "real"))("$name: $title", async (one) => {
    const run = await runMutant(one, null);
    const lines = run.fault === null ? [] : caseLines(resultOf(one, run, null), (_, text) => text, true);
    expect(lines.join("\n")).toBe("");
    expect(emptySpans(run), "what must not come, where nothing could").toEqual([]);
    const { killed } = await kill({ one, run }, [], true);
    expect(killed, "a mutant under which the case fails").not.toEqual([]);
  });
});

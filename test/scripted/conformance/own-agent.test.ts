import { describe, expect, test } from "vitest";
import { resultOf } from "../../../src/conformance/report/result.js";
import { caseLines } from "../../../src/conformance/report/terminal.js";
import { runCase } from "../../../src/conformance/run-case.js";
import { loadSuite } from "../../../src/conformance/suite.js";
import { loadCaseSchemas } from "../../../src/conformance/wire.js";
import { bridgeAgent } from "../../support/bridge-agent.js";
import { virtualGround } from "../../support/conformance-ground.js";

const schemas = await loadCaseSchemas();

describe("our own agent", () => {
  test.each(loadSuite().cases)("$name: $title", async (one) => {
    const ground = virtualGround(bridgeAgent());
    const run = await ground.drive(runCase(one, { ground, schemas, deadlineMs: 10_000, cwd: "/home/user/project" }));
    const lines = run.fault === null ? [] : caseLines(resultOf(one, run, null), (_, text) => text, true);
    expect(lines.join("\n")).toBe("");
  });
});

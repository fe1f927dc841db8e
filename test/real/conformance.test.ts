/** The cases of the conformance suite that have the real Codex behind the agent, on our own agent. */
import { mkdir } from "node:fs/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { resultOf } from "../../src/conformance/report/result.js";
import { caseLines } from "../../src/conformance/report/terminal.js";
import { runCase } from "../../src/conformance/run-case.js";
import { loadSuite } from "../../src/conformance/suite.js";
import { loadCaseSchemas } from "../../src/conformance/wire.js";
import { scratch } from "../support/places.js";
import { realGround } from "../support/real-conformance.js";

const schemas = await loadCaseSchemas();
const ground = realGround();

beforeAll(() => mkdir(scratch, { recursive: true }));

describe("our own agent on the real Codex", () => {
  test.each(loadSuite().cases.filter((one) => one.ground === "real"))("$name: $title", async (one) => {
    const run = await runCase(one, { ground, schemas, deadlineMs: 20_000, cwd: scratch });
    const lines = run.fault === null ? [] : caseLines(resultOf(one, run, null), (_, text) => text, true);
    expect(lines.join("\n")).toBe("");
  });
});

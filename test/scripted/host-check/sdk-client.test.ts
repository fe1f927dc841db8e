import { describe, expect, test } from "vitest";
import { resultOf } from "../../../src/conformance/report/result.js";
import { caseLines } from "../../../src/conformance/report/terminal.js";
import type { ScriptedAgent } from "../../../src/host-check/agent.js";
import type { HostGround } from "../../../src/host-check/ground.js";
import { runHostCase } from "../../../src/host-check/run-case.js";
import { loadHostSuite } from "../../../src/host-check/suite.js";
import { loadHostCaseSchemas } from "../../../src/host-check/wire.js";
import { sdkHostGround } from "../../support/sdk-host/ground.js";
import { anotherWay, type Quirk, quirks } from "../../support/sdk-host/quirks.js";

const schemas = await loadHostCaseSchemas();
const { cases } = loadHostSuite();
const options = { schemas, cwd: "/home/user/project" };
const caught = Object.entries(quirks).flatMap(([quirk, names]) =>
  names.map((name): readonly [Quirk, string] => [quirk as Quirk, name]),
);

describe("the client of the official SDK", () => {
  test.each(cases)("$name: $title", async (one) => {
    const run = await runHostCase(one, { ...options, deadlineMs: 4_000, ground: sdkHostGround() });
    const lines = run.fault === null ? [] : caseLines(resultOf(one, run, null), (_, text) => text, true);
    expect(lines.join("\n")).toBe("");
  });
});

/** The host, whose frames a proxy changes on their way to the agent. */
function tampered(change: (frame: object) => object): HostGround {
  const ground = sdkHostGround();
  return {
    ...ground,
    start({ agent, log }) {
      const attach: ScriptedAgent["attach"] = (link, start) => {
        const events = agent.attach(link, start);
        return { ...events, frame: (frame) => events.frame(change(Object(frame))) };
      };
      return ground.start({ agent: Object.assign(Object.create(agent), { attach }), log });
    },
  };
}

test("a frame off contract is the host's fault, whatever the case is about", async () => {
  const one = cases.find(({ name }) => name === "message/patch");
  if (one === undefined) throw new Error("there is no such case");
  const ground = tampered((frame) => ({ ...frame, jsonrpc: "1.0" }));
  const { fault } = await runHostCase(one, { ...options, deadlineMs: 4_000, ground });
  expect(fault).toMatchObject({
    blame: "tested",
    message: expect.stringContaining("the host sent a frame off contract"),
  });
  expect(fault?.mismatches).toEqual([{ path: "/jsonrpc", expected: '"2.0"', got: "1.0" }]);
});

test("a host of another version is told so, and its driver says it", async () => {
  const [one] = cases;
  if (one === undefined) throw new Error("there is no case");
  const ground = tampered((frame) =>
    "params" in frame ? { ...frame, params: { ...Object(frame.params), protocolVersion: 1 } } : frame,
  );
  const { fault } = await runHostCase(one, { ...options, deadlineMs: 4_000, ground });
  expect(fault?.message).toMatch(/^the driver answered open with an error: Unsupported protocol version 1/);
});

describe("a host that does it in another way, and right,", () => {
  test.each(cases)("passes $name", async (one) => {
    const run = await runHostCase(one, { ...options, deadlineMs: 4_000, ground: sdkHostGround(anotherWay) });
    const lines = run.fault === null ? [] : caseLines(resultOf(one, run, null), (_, text) => text, true);
    expect(lines.join("\n")).toBe("");
  });
});

describe("a host that does one thing wrong", () => {
  test.each(caught)("%s fails %s", async (quirk, name) => {
    const one = cases.find((found) => found.name === name);
    if (one === undefined) throw new Error(`there is no case ${name}`);
    const { fault } = await runHostCase(one, { ...options, deadlineMs: 60, ground: sdkHostGround(quirk) });
    expect(fault?.blame).toBe("tested");
  });

  test("is there for every case", () => {
    const names = new Set(caught.map(([, name]) => name));
    expect(cases.map(({ name }) => name).filter((name) => !names.has(name))).toEqual([]);
  });
});

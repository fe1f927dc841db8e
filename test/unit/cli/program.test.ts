import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type Actions, runProgram } from "../../../src/cli/program.js";

let written: { stdout: string; stderr: string };

beforeEach(() => {
  written = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const) {
    vi.spyOn(process[stream], "write").mockImplementation((text) => {
      written[stream] += String(text);
      return true;
    });
  }
});
afterEach(() => vi.restoreAllMocks());

/** Records which action was called with which options; each returns a code of its own. */
function recorder() {
  const calls: unknown[] = [];
  const actions: Actions = {
    agent: async () => {
      calls.push(["agent"]);
      return 10;
    },
    doctor: async (options) => {
      calls.push(["doctor", options]);
      return 11;
    },
    demo: async (options) => {
      calls.push(["demo", options]);
      return 12;
    },
    history: async (options) => {
      calls.push(["history", options]);
      return 13;
    },
    drift: async (options) => {
      calls.push(["drift", options]);
      return 14;
    },
    conformance: async (agent, flags) => {
      calls.push(["conformance", agent, flags]);
      return 15;
    },
    hostCheck: async (driver, flags) => {
      calls.push(["hostCheck", driver, flags]);
      return 16;
    },
  };
  return { calls, actions };
}

describe("runProgram()", () => {
  test.each([
    { args: [], call: ["agent"], code: 10 },
    { args: ["doctor"], call: ["doctor", { host: "json" }], code: 11 },
    { args: ["doctor", "--host", "zed", "--json"], call: ["doctor", { host: "zed", json: true }], code: 11 },
    { args: ["demo"], call: ["demo", {}], code: 12 },
    {
      args: ["demo", "--prompt", "Say hi", "--frames", "--keep"],
      call: ["demo", { prompt: "Say hi", frames: true, keep: true }],
      code: 12,
    },
    { args: ["history", "thread-1"], call: ["history", { session: "thread-1" }], code: 13 },
    {
      args: ["history", "thread-1", "--export", "out.jsonl", "--items", "--native"],
      call: ["history", { session: "thread-1", export: "out.jsonl", items: true, native: true }],
      code: 13,
    },
    {
      args: ["drift", "0.161.0", "0.171.0"],
      call: ["drift", { old: "0.161.0", now: "0.171.0", format: "terminal" }],
      code: 14,
    },
    {
      args: ["drift", "a", "b", "--acp", "--format", "json", "--all"],
      call: ["drift", { old: "a", now: "b", acp: true, format: "json", all: true }],
      code: 14,
    },
    {
      args: ["conformance", "--area", "init", "--workers", "2", "--", "node", "agent.js", "--flag"],
      call: ["conformance", ["node", "agent.js", "--flag"], { area: ["init"], workers: 2 }],
      code: 15,
    },
    {
      args: ["host-check", "--case", "permission/*", "--html", "report.html", "--", "node", "driver.mjs"],
      call: ["hostCheck", ["node", "driver.mjs"], { case: ["permission/*"], html: "report.html" }],
      code: 16,
    },
  ])("$args calls $call and hands on its exit code", async ({ args, call, code }) => {
    const { calls, actions } = recorder();
    expect(await runProgram(args, actions)).toBe(code);
    expect(calls).toEqual([call]);
    expect(written).toEqual({ stdout: "", stderr: "" });
  });

  test.each([
    { args: ["--bogus"], says: "unknown option '--bogus'" },
    { args: ["bogus"], says: "unknown command 'bogus'" },
    { args: ["demo", "--prompt"], says: "argument missing" },
    { args: ["history"], says: "missing required argument 'session'" },
    { args: ["demo", "extra"], says: "too many arguments" },
    { args: ["conformance", "--workers", "none"], says: "expected a whole number above 0" },
    { args: ["conformance", "--level", "must"], says: "Allowed choices are MUST, SHOULD, MAY" },
    { args: ["doctor", "--host", "emacs"], says: "Allowed choices are zed, jetbrains, neovim, json" },
  ])("$args calls nothing, says what is wrong and how it goes, and returns 2", async ({ args, says }) => {
    const { calls, actions } = recorder();
    expect(await runProgram(args, actions)).toBe(2);
    expect(calls).toEqual([]);
    expect(written.stdout).toBe("");
    expect(written.stderr).toContain(says);
    expect(written.stderr).toContain("Usage: codex-acp-kit");
  });

  test.each(["--help", "--version"])("%s prints to stdout and returns 0", async (flag) => {
    const { calls, actions } = recorder();
    expect(await runProgram([flag], actions)).toBe(0);
    expect(calls).toEqual([]);
    expect(written.stdout).not.toBe("");
    expect(written.stderr).toBe("");
  });

  test("lets an error of an action through", async () => {
    const { actions } = recorder();
    const broken = { ...actions, agent: () => Promise.reject(new Error("broken")) };
    await expect(runProgram([], broken)).rejects.toThrow("broken");
  });
});

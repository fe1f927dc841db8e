import { type CaseResult, type Report, totalsOf } from "../../../src/conformance/report/result.js";

/** A result of which a test says what matters to it. */
export const result = (fields: Partial<CaseResult> & Pick<CaseResult, "name" | "status">): CaseResult => ({
  area: "PROMPT",
  title: "It is so.",
  level: "MUST",
  clauses: ["PROMPT-01"],
  reason: null,
  expected: null,
  fault: null,
  ms: 12,
  entries: [],
  ...fields,
});

export const report = (results: readonly CaseResult[], fields: Partial<Report> = {}): Report => ({
  suite: {
    name: "conformance",
    version: "1.0.0",
    around: "scripted Codex 0.171.0",
    actors: [
      { party: "host", name: "Host" },
      { party: "bridge", name: "Agent" },
      { party: "codex", name: "Codex" },
    ],
  },
  subject: { command: ["agent", "--flag"], name: "some-agent", version: "2.0.0", capabilities: {} },
  startedAt: "2026-01-01T00:00:00.000Z",
  ms: 3000,
  exitCode: 1,
  stale: [],
  totals: totalsOf(results),
  results,
  ...fields,
});

export const failed = result({
  name: "prompt/echo",
  status: "failed",
  fault: {
    blame: "tested",
    message: "waited in vain for <an update> & more",
    expected: "an update",
    differences: ['at /state: expected "idle", got "running"'],
    step: 2,
    stepText: '{"update":{}}',
    seq: 1,
  },
  entries: [
    { seq: 0, at: 1, note: 'step 1: {"use":"session"}' },
    {
      seq: 1,
      at: 5,
      wire: "host",
      from: "bridge",
      frame: { jsonrpc: "2.0", method: "session/update", params: { x: "</script><b>\u0007" } },
    },
  ],
});

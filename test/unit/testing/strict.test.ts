import { beforeEach, describe, expect, test } from "vitest";
import { createFrameLog, type FrameLog, type Party, type Wire } from "../../../src/testing/frames.js";
import { createStrictChecker, type FrameFault, type StrictChecker } from "../../../src/testing/strict.js";
import { loadWireSchemas } from "../../../src/testing/wire-schemas.js";
import { schemas } from "../../support/schemas.js";

let log: FrameLog;
let checker: StrictChecker;
let told: FrameFault[];

beforeEach(() => {
  log = createFrameLog();
  told = [];
  checker = createStrictChecker({ log, schemas, onFault: (fault) => void told.push(fault) });
});

const faults = () => checker.faults.map(({ blame, path }) => `${blame} ${path}`);

const thread = "0199aaaa-0000-7000-8000-000000000001";
const interrupt = { id: 1, method: "turn/interrupt", params: { threadId: thread, turnId: "t" } };
const delta = { method: "item/agentMessage/delta", params: { threadId: thread, turnId: "t", itemId: "i", delta: "x" } };
const cancel = { jsonrpc: "2.0", method: "session/cancel", params: { sessionId: thread } };
const prompt = {
  jsonrpc: "2.0",
  id: "p",
  method: "session/prompt",
  params: { sessionId: thread, prompt: [{ type: "text", text: "hi" }] },
};
const update = {
  jsonrpc: "2.0",
  method: "session/update",
  params: { sessionId: thread, update: { sessionUpdate: "state_update", state: "running" } },
};
const patchApproval = {
  id: 0,
  method: "item/fileChange/requestApproval",
  params: { threadId: thread, turnId: "t", itemId: "i", startedAtMs: 1 },
};

test("frames on contract pass", () => {
  log.add("codex", "bridge", { method: "initialized" });
  log.add("codex", "bridge", interrupt);
  log.add("codex", "codex", { id: 1, result: {} });
  log.add("codex", "codex", { ...delta, emittedAtMs: 5 });
  log.add("codex", "codex", patchApproval);
  log.add("codex", "bridge", { id: 0, result: { decision: "decline" } });
  log.add("host", "host", cancel);
  log.add("host", "host", prompt);
  log.add("host", "bridge", update);
  log.add("host", "bridge", { jsonrpc: "2.0", id: "p", error: { code: -32602, message: "no" } });
  log.add("host", "bridge", { jsonrpc: "2.0", id: null, error: { code: -32700, message: "no" } });
  expect(checker.faults).toEqual([]);
  expect(() => checker.assertClean()).not.toThrow();
});

/** One bad frame each: what went before it, the frame, who is to blame and where. */
const rows: readonly [string, readonly [Wire, Party, object][], Wire, Party, unknown, string][] = [
  [
    "wrong params of a request",
    [],
    "codex",
    "bridge",
    { ...interrupt, params: { threadId: 3, turnId: "t" } },
    "/params/threadId",
  ],
  ["a missing member", [], "codex", "bridge", { ...interrupt, params: { threadId: thread } }, "/params"],
  ["a method Codex does not have", [], "codex", "bridge", { ...interrupt, method: "turn/stop" }, "/method"],
  ["jsonrpc towards Codex", [], "codex", "bridge", { ...interrupt, jsonrpc: "2.0" }, "/jsonrpc"],
  ["a request without an id", [], "codex", "bridge", { method: interrupt.method, params: interrupt.params }, "/id"],
  ["an id that is in use", [["codex", "bridge", interrupt]], "codex", "bridge", interrupt, "/id"],
  [
    "a result off the request's schema",
    [["codex", "bridge", { id: 1, method: "thread/loaded/list", params: {} }]],
    "codex",
    "codex",
    { id: 1, result: { data: "none" } },
    "/result/data",
  ],
  ["an answer to nothing", [], "codex", "codex", { id: 9, result: {} }, "/id"],
  [
    "a wrong notification",
    [],
    "codex",
    "codex",
    { ...delta, params: { ...delta.params, delta: null } },
    "/params/delta",
  ],
  ["a notification with an id", [], "codex", "codex", { ...delta, id: 3 }, "/id"],
  [
    "a wrong answer to a server request",
    [["codex", "codex", patchApproval]],
    "codex",
    "bridge",
    { id: 0, result: { decision: "allow" } },
    "/result/decision",
  ],
  [
    "a second answer to a server request",
    [
      ["codex", "codex", patchApproval],
      ["codex", "bridge", { id: 0, result: { decision: "accept" } }],
    ],
    "codex",
    "bridge",
    { id: 0, result: { decision: "accept" } },
    "/id",
  ],
  ["host params off schema", [], "host", "host", { ...cancel, params: {} }, "/params"],
  ["no jsonrpc towards the host", [], "host", "bridge", { method: update.method, params: update.params }, "/jsonrpc"],
  ["an agent's method sent by the host", [], "host", "host", update, "/method"],
  [
    "an update off schema",
    [],
    "host",
    "bridge",
    {
      ...update,
      params: { ...update.params, update: { sessionUpdate: "agent_message_chunk", messageId: "m", content: 4 } },
    },
    "/params/update/content",
  ],
  [
    "a result off the contract",
    [["host", "host", prompt]],
    "host",
    "bridge",
    { jsonrpc: "2.0", id: "p", result: [] },
    "/result",
  ],
  [
    "an error without a code",
    [["host", "host", prompt]],
    "host",
    "bridge",
    { jsonrpc: "2.0", id: "p", error: { message: "no" } },
    "/error",
  ],
  ["no frame at all", [], "host", "bridge", "hello", ""],
  ["neither request nor response", [], "host", "host", { jsonrpc: "2.0" }, ""],
];

test.each([
  ["codex", { ...interrupt, params: { ...interrupt.params, turnID: "t" } }, "/params"],
  ["host", { ...update, params: { ...update.params, sessionID: "x" } }, "/params"],
  [
    "host",
    { ...update, params: { ...update.params, update: { ...update.params.update, states: "running" } } },
    "/params/update",
  ],
] as const)("a member that no schema names is a fault of the bridge: %s %j", (wire, frame, path) => {
  log.add(wire, "bridge", frame);
  expect(faults()).toEqual([`bridge ${path}`]);
});

test("where a schema takes any value, the bridge may say any member", () => {
  const error = { code: -32603, message: "no", data: { codex: { category: "other" } } };
  const failed = { sessionUpdate: "state_update", state: "idle", stopReason: "error", error };
  log.add("host", "bridge", { ...update, params: { ...update.params, update: failed } });
  expect(faults()).toEqual([]);
});

test("the other side may know more members", () => {
  log.add("codex", "codex", { ...delta, params: { ...delta.params, extra: 1 } });
  log.add("host", "host", { ...cancel, params: { ...cancel.params, extra: 1 } });
  expect(faults()).toEqual([]);
});

describe("a frame off contract is blamed on its sender, by the generated validators too", async () => {
  const generated = await loadWireSchemas();
  test.each(rows)("%s", (_, before, wire, from, frame, path) => {
    const own = createFrameLog();
    const { faults: found } = createStrictChecker({ log: own, schemas: generated });
    for (const entry of before) own.add(...entry);
    expect(found).toEqual([]);
    own.add(wire, from, frame);
    expect(found[0]?.blame).toBe(from);
    expect(found[0]?.path.startsWith(path)).toBe(true);
  });

  test("and frames on contract pass", () => {
    const own = createFrameLog();
    const { faults: found } = createStrictChecker({ log: own, schemas: generated });
    own.add("codex", "bridge", interrupt);
    own.add("codex", "codex", { id: 1, result: {} });
    own.add("codex", "codex", delta);
    own.add("codex", "codex", patchApproval);
    own.add("codex", "bridge", { id: 0, result: { decision: "decline" } });
    own.add("host", "host", cancel);
    own.add("host", "bridge", update);
    own.add("host", "host", { jsonrpc: "2.0", method: "$/cancel_request", params: { requestId: 1 } });
    expect(found).toEqual([]);
  });
});

describe("a frame off contract is blamed on its sender", () => {
  test.each(rows)("%s", (_, before, wire, from, frame, path) => {
    for (const entry of before) log.add(...entry);
    expect(faults()).toEqual([]);
    log.add(wire, from, frame);
    expect(faults()[0]).toBe(`${from} ${path}`);
    expect(told).toEqual(checker.faults);
    expect(() => checker.assertClean()).toThrow(`${from} sent a frame off contract`);
  });
});

test("a fault shows the frame, the path and what was expected", () => {
  log.add("codex", "bridge", { ...interrupt, params: { threadId: thread } });
  const [fault] = checker.faults;
  expect(fault?.message).toContain("bridge sent a frame off contract: expected");
  expect(fault?.message).toContain('"turnId"');
  expect(fault?.message).toContain(thread);
});

test("what the test sends wrong on purpose is no fault, but the answer to it is checked", () => {
  log.add("host", "host", { jsonrpc: "2.0", id: 1, method: "no/such/method" }, true);
  log.add("host", "bridge", { jsonrpc: "2.0", id: 1, error: { code: -32601, message: "no" } });
  expect(faults()).toEqual([]);
  log.add("host", "bridge", { jsonrpc: "2.0", id: 1, error: { code: -32601, message: "again" } });
  expect(faults()).toEqual(["bridge /id"]);
});

test("a Codex that starts again counts its ids from the start", () => {
  log.add("codex", "bridge", interrupt);
  log.add("codex", "codex", patchApproval);
  log.note("codex starts (2)");
  log.add("codex", "bridge", interrupt);
  log.add("codex", "bridge", { id: 0, result: { decision: "accept" } });
  expect(faults()).toEqual(["bridge /id"]);
});

test("a wire that no schemas are given for is not looked at", () => {
  log.add("user", "user", "whatever");
  log.add("user", "host", { id: 7 });
  expect(checker.faults).toEqual([]);
});

test("an unknown extension may be either where the schemas say so", () => {
  const either = { params: () => null, result: () => null, either: true as const };
  const lenient = createStrictChecker({ log, schemas: { user: (from) => (from === "user" ? either : undefined) } });
  log.add("user", "user", { jsonrpc: "2.0", method: "_x" });
  log.add("user", "user", { jsonrpc: "2.0", id: 1, method: "_x" });
  log.add("user", "host", { jsonrpc: "2.0", id: 1, result: 3 });
  expect(lenient.faults).toEqual([]);
  log.add("user", "host", { jsonrpc: "2.0", id: 2, method: "_x" });
  expect(lenient.faults.map(({ blame, path }) => `${blame} ${path}`)).toEqual(["host /method"]);
});

import { describe, expect, test } from "vitest";
import { guard } from "../../../src/conformance/guards.js";
import { harmlessDelay, harmlessTwice } from "../../../src/conformance/harmless.js";
import { createFrameLog, type FrameLog, isFrame, type LoggedFrame } from "../../../src/testing/frames.js";

const update = (fields: object, sessionId = "s") => ({
  method: "session/update",
  params: { sessionId, update: fields },
});
const chunk = (text: string, fields: object = {}) =>
  update({ sessionUpdate: "agent_message_chunk", messageId: "m", content: { type: "text", text }, ...fields });
const whole = update({ sessionUpdate: "agent_message", messageId: "m", content: [{ type: "text", text: "a" }] });
const delta = (text: string) => ({ method: "item/agentMessage/delta", params: { itemId: "m", delta: text } });
const done = { method: "item/completed", params: { item: { id: "m", type: "agentMessage" } } };
const resume = { id: 1, method: "session/resume", params: {} };

type Line = readonly ["host" | "bridge" | "codex" | "bridge to codex", object] | string;

function logOf(lines: readonly Line[]): FrameLog {
  const log = createFrameLog();
  for (const line of lines) {
    if (typeof line === "string") log.note(line);
    else if (line[0] === "bridge to codex") log.add("codex", "bridge", line[1]);
    else log.add(line[0] === "codex" ? "codex" : "host", line[0], line[1]);
  }
  return log;
}

const agent = (frame: object): Line => ["bridge", frame];
const codex = (frame: object): Line => ["codex", frame];
const ask: Line = ["bridge to codex", { id: 1, method: "thread/read", params: { threadId: "t" } }];

describe("what no agent may do", () => {
  test.each<{ name: string; lines: Line[]; says: string | null }>([
    { name: "a piece once", lines: [codex(delta("a")), agent(chunk("a"))], says: null },
    { name: "a piece twice", lines: [codex(delta("a")), agent(chunk("a")), agent(chunk("a"))], says: "again" },
    {
      name: "a piece that Codex said twice",
      lines: [codex(delta("a")), codex(delta("ba")), agent(chunk("a")), agent(chunk("a"))],
      says: null,
    },
    {
      name: "output that Codex said twice, in base64",
      lines: [
        codex(delta("a")),
        codex(delta("a")),
        ...["YQ==", "YQ=="].map((data) =>
          agent(update({ sessionUpdate: "terminal_output_chunk", terminalId: "t", data })),
        ),
      ],
      says: null,
    },
    { name: "pieces of a replay", lines: [agent(chunk("a")), ["host", resume], agent(chunk("a"))], says: null },
    { name: "a whole twice", lines: [codex(done), agent(whole), agent(whole)], says: null },
    { name: "a piece after the whole", lines: [codex(done), agent(whole), agent(chunk("a"))], says: "after the whole" },
    { name: "a piece after a part", lines: [agent(whole), agent(chunk("a"))], says: null },
    { name: "a request twice", lines: [ask, ask], says: "the same thread/read again" },
    { name: "a request to each of two Codexes", lines: ["codex starts (1)", ask, "codex starts (2)", ask], says: null },
  ])("$name: $says", ({ lines, says }) => {
    const fault = guard(logOf(lines).entries);
    if (says === null) expect(fault).toBeNull();
    else expect(fault?.message).toContain(says);
  });
});

const framesOf = (...frames: readonly object[]): readonly LoggedFrame[] =>
  logOf(frames.map(agent)).entries.filter(isFrame);

describe("a frame that comes twice", () => {
  test.each([
    { frame: whole, harmless: true },
    { frame: chunk("a"), harmless: false },
    { frame: { method: "_codex/skills_changed", params: {} }, harmless: true },
    { frame: { id: 1, method: "session/request_permission", params: {} }, harmless: false },
    { frame: { id: 1, result: {} }, harmless: false },
  ])("$frame does no harm: $harmless", ({ frame, harmless }) => {
    const [entry] = framesOf(frame);
    expect(entry && harmlessTwice(entry) !== null).toBe(harmless);
  });
});

describe("a frame that comes after the next one", () => {
  const call = (fields: object) => update({ sessionUpdate: "tool_call_update", toolCallId: "c", ...fields });
  const idle = update({ sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" });
  const running = update({ sessionUpdate: "state_update", state: "running" });
  const usage = update({ sessionUpdate: "usage_update", used: 1 });
  const dialog = {
    id: 9,
    method: "session/request_permission",
    params: { sessionId: "s", subject: { type: "tool_call", toolCall: { toolCallId: "c" } } },
  };
  test.each([
    {
      name: "of another session",
      late: whole,
      next: update({ sessionUpdate: "agent_message", messageId: "n" }, "o"),
      harmless: true,
    },
    {
      name: "with other members of the thing",
      late: call({ title: "a" }),
      next: call({ status: "x" }),
      harmless: true,
    },
    {
      name: "with another value of a member",
      late: call({ status: "a" }),
      next: call({ status: "b" }),
      harmless: false,
    },
    { name: "of a chunk's whole", late: chunk("a"), next: whole, harmless: false },
    { name: "of another new thing", late: whole, next: call({}), harmless: false },
    { name: "that ends the turn", late: call({ status: "completed" }), next: idle, harmless: false },
    { name: "which is another state", late: running, next: idle, harmless: false },
    { name: "that says how much was used", late: whole, next: usage, harmless: true },
    { name: "that asks about the call", late: call({ title: "a" }), next: dialog, harmless: false },
    { name: "that says what is waited for", late: dialog, next: running, harmless: true },
  ])("one $name does no harm: $harmless", ({ late, next, harmless }) => {
    const [first, second] = framesOf(next, late);
    expect(first && second && harmlessDelay(second, first, [first, second]) !== null).toBe(harmless);
  });

  test.each([
    { method: "session/prompt", late: update({ sessionUpdate: "user_message", messageId: "m" }), harmless: false },
    { method: "session/prompt", late: usage, harmless: true },
    {
      method: "session/resume",
      late: update({ sessionUpdate: "agent_message", messageId: "a", _meta: { codex: { historyReplay: true } } }),
      harmless: false,
    },
    { method: "session/set_config_option", late: usage, harmless: true },
  ])("an answer to $method does no harm: $harmless", ({ method, late, harmless }) => {
    const entries = logOf([
      ["host", { id: 4, method, params: { sessionId: "s" } }],
      agent({ id: 4, result: { messageId: "m" } }),
      agent(late),
    ]).entries.filter(isFrame);
    const [, answer, update] = entries;
    expect(answer && update && harmlessDelay(update, answer, entries) !== null).toBe(harmless);
  });

  test.each([
    { late: ["turn/start", "t"], next: ["turn/interrupt", "t"], harmless: false },
    { late: ["thread/read", "t"], next: ["thread/turns/list", "t"], harmless: true },
    { late: ["turn/start", "t"], next: ["turn/start", "u"], harmless: true },
    { late: ["turn/start", "t"], next: ["model/list", undefined], harmless: true },
    { late: ["turn/start", "t"], next: ["thread/read", "t"], harmless: false },
  ])("$next to Codex after $late does no harm: $harmless", ({ late, next, harmless }) => {
    const [second, first] = [late, next].map(([method, threadId], id) => ({ id, method, params: { threadId } }));
    const entries = logOf([
      ["bridge to codex", first ?? {}],
      ["bridge to codex", second ?? {}],
    ]).entries.filter(isFrame);
    const [a, b] = entries;
    expect(a && b && harmlessDelay(b, a, entries) !== null).toBe(harmless);
  });
});

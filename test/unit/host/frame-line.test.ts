import fc from "fast-check";
import { expect, test } from "vitest";
import { createFrameLine } from "../../../src/host/frame-line.js";

const lineIn = (frame: object): string => `${JSON.stringify(frame)}\n`;

const anyText = fc.string({ unit: "binary" });
/** Few ids, so that messages and sessions meet; one is what the writer looks for, one looks like its neighbours. */
const id = fc.constantFrom("a", "b", "\u0000piece\u0000", '"text":"');

const chunk = (sessionId: string, messageId: string, text: string, _meta: unknown, more: object = {}) => ({
  jsonrpc: "2.0",
  method: "session/update",
  params: {
    sessionId,
    update: { sessionUpdate: "agent_message_chunk", messageId, content: { type: "text", text, ...more }, _meta },
  },
});

const output = (sessionId: string, terminalId: string, data: string, _meta: unknown) => {
  const update = { sessionUpdate: "terminal_output_chunk", terminalId, data };
  return { jsonrpc: "2.0", params: { sessionId, update: _meta === undefined ? update : { ...update, _meta } } };
};

const printed = (sessionId: string, toolCallId: string, data: string, more: object = {}) => ({
  jsonrpc: "2.0",
  params: {
    sessionId,
    update: {
      sessionUpdate: "tool_call_update",
      toolCallId: `call of ${toolCallId}`,
      _meta: { terminal_output: { terminal_id: toolCallId, data } },
      ...more,
    },
  },
});

test("frames come out as JSON.stringify gives them, whatever the pieces, ids and metadata, and in any order", () => {
  const metas = [{ codex: { turnId: "t" } }, { codex: { turnId: "\u0000piece\u0000" } }, {}, null, undefined];
  const frame = fc
    .tuple(id, id, anyText, fc.constantFrom(...metas), fc.nat(4))
    .map(([session, about, text, meta, kind]) =>
      kind === 0
        ? output(session, about, text, meta)
        : kind === 1
          ? printed(session, about, text)
          : kind === 2
            ? printed(session, about, text, { status: "failed" })
            : chunk(session, about, text, meta, kind === 3 ? {} : { annotations: null }),
    );
  fc.assert(
    fc.property(fc.array(frame, { minLength: 10, maxLength: 60 }), (frames) => {
      const lineOf = createFrameLine();
      for (const it of frames) expect(lineOf(it)).toBe(lineIn(it));
    }),
  );
});

const update = { sessionUpdate: "plan_update", plan: "a" };
const params = { sessionId: 's\u2028"', update };
const frame = { jsonrpc: "2.0", method: "session/update", params };

test.each([
  ["whole", frame],
  ["of another session", { ...frame, params: { sessionId: "other", update } }],
  ["with a member more", { ...frame, id: 5 }],
  ["with a parameter more", { ...frame, params: { ...params, _meta: {} } }],
  ["with its parameters the other way round", { ...frame, params: { update, sessionId: "s" } }],
  ["with its members the other way round", { params, method: "session/update", jsonrpc: "2.0" }],
  ["of another version", { ...frame, jsonrpc: "3.0" }],
  ["of another method", { ...frame, method: "session/other" }],
  ["without an update", { ...frame, params: { sessionId: "s" } }],
  ["without a session", { ...frame, params: { update } }],
])("the frame of an update %s comes out as JSON.stringify gives it, again and again", (_name, it) => {
  const lineOf = createFrameLine();
  expect([lineOf(frame), lineOf(it), lineOf(frame), lineOf(it)]).toEqual([frame, it, frame, it].map(lineIn));
});

test.each([
  ["a response", { jsonrpc: "2.0", id: 1, result: {} }],
  ["a notification without params", { jsonrpc: "2.0", method: "m" }],
  ["params that are no object", { method: "m", params: 5 }],
  [
    "another update",
    { method: "session/update", params: { sessionId: "s", update: { sessionUpdate: "plan_update" } } },
  ],
  ["an image", { params: { update: { sessionUpdate: "agent_message_chunk", content: { type: "image" }, _meta: {} } } }],
])("%s comes out in the plain way", (_name, frame) => {
  const lineOf = createFrameLine();
  expect([lineOf(frame), lineOf(frame), lineOf(frame)]).toEqual(Array(3).fill(lineIn(frame)));
});

test("more terminals than are remembered are told apart", () => {
  const lineOf = createFrameLine();
  for (let index = 0; index < 300; index++) {
    const frame = output("s", `terminal ${index % 100}`, String(index), undefined);
    expect(lineOf(frame)).toBe(lineIn(frame));
  }
});

test("the third chunk of a message is no longer put together anew", () => {
  const meta = { codex: { turnId: "t" } };
  const lineOf = createFrameLine();
  for (const piece of ["1", "2"]) lineOf(chunk("s", "m", piece, meta));
  meta.codex.turnId = "changed, which nobody may do";
  expect(JSON.parse(lineOf(chunk("s", "m", "3", meta)))).toEqual(chunk("s", "m", "3", { codex: { turnId: "t" } }));
});

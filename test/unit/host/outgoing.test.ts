import { beforeEach, describe, expect, test } from "vitest";
import { agentRequests } from "../../../src/generated/contract/methods.js";
import type { RequestPermissionParams } from "../../../src/generated/contract/types.js";
import { createOutgoing, HostAnswerError, type Outgoing } from "../../../src/host/outgoing.js";

let sent: object[];
let strays: unknown[];
let outgoing: Outgoing;

beforeEach(() => {
  sent = [];
  strays = [];
  outgoing = createOutgoing({
    send: (frame) => void sent.push(frame),
    cancelMethod: "cancel",
    stray: (id) => void strays.push(id),
  });
});

const params: RequestPermissionParams = {
  sessionId: "s",
  title: "?",
  options: [{ optionId: "a", name: "A", kind: "allow_once" }],
};
const ask = (signal?: AbortSignal) =>
  outgoing.request(agentRequests.requestPermission, params, signal === undefined ? {} : { signal });
const result = { outcome: { outcome: "selected", optionId: "a" } };
const respond = (id: unknown, answer: object): boolean => outgoing.take({ jsonrpc: "2.0", id, ...answer });

describe("requests to the host", () => {
  test("leave at once, under an id each, and resolve with their own answers", async () => {
    const one = ask();
    const two = ask();
    expect(sent).toEqual([
      { jsonrpc: "2.0", id: 1, method: agentRequests.requestPermission.method, params },
      { jsonrpc: "2.0", id: 2, method: agentRequests.requestPermission.method, params },
    ]);
    const other = { outcome: { outcome: "cancelled" } };
    expect([respond(2, { result: other }), respond(1, { result })]).toEqual([true, true]);
    expect(await Promise.all([one, two])).toEqual([result, other]);
  });

  test("reject with the host's error", async () => {
    const asked = ask();
    respond(1, { error: { code: -32603, message: "no dialogs here" } });
    await expect(asked).rejects.toThrow(new HostAnswerError("the host answered with an error: no dialogs here"));
  });

  test.each([null, 5, {}, { message: { toString: 1 } }, { message: null }])(
    "reject with %j in place of an error",
    async (error) => {
      const asked = ask();
      respond(1, { error });
      await expect(asked).rejects.toThrow(new HostAnswerError("the host answered with an error: no text"));
    },
  );

  test("reject an answer off its schema, and say where", async () => {
    const asked = ask();
    respond(1, { result: { outcome: { outcome: "selected", optionId: 5 } } });
    await expect(asked).rejects.toThrow(/off its schema: expected a string at \/outcome\/optionId/);
  });

  test("are taken back by an abort, and a late answer is nobody's", async () => {
    const abort = new AbortController();
    const asked = ask(abort.signal);
    abort.abort(new Error("not any more"));
    await expect(asked).rejects.toThrow("not any more");
    expect(sent[1]).toEqual({ jsonrpc: "2.0", method: "cancel", params: { requestId: 1 } });
    expect(respond(1, { result })).toBe(true);
    expect(strays).toEqual([]);
    respond(1, { result });
    expect(strays).toEqual([1]);
  });

  test("are not sent when they are aborted before", async () => {
    await expect(ask(AbortSignal.abort(new Error("too late")))).rejects.toThrow("too late");
    expect(sent).toEqual([]);
  });

  test("are not taken back once they are answered", async () => {
    const abort = new AbortController();
    const asked = ask(abort.signal);
    respond(1, { result });
    abort.abort(new Error("late"));
    expect(await asked).toEqual(result);
    expect(sent).toHaveLength(1);
  });

  test("reject when the host goes, and afterwards", async () => {
    const asked = ask();
    outgoing.close();
    await expect(asked).rejects.toThrow("the host is gone");
    await expect(ask()).rejects.toThrow("the host is gone");
    expect(sent).toHaveLength(1);
  });
});

describe("what the host sends", () => {
  test.each([
    [{ jsonrpc: "2.0", id: 1, method: "session/prompt" }],
    [{ jsonrpc: "2.0", method: "session/cancel" }],
    [{ jsonrpc: "2.0", id: 1 }],
    [null],
    ["text"],
    [[]],
  ])("%j is no response", (message) => {
    expect(outgoing.take(message)).toBe(false);
  });

  test("a response to nothing is taken and noted", () => {
    expect([respond(9, { result }), respond(null, { error: { code: -32700, message: "?" } })]).toEqual([true, true]);
    expect(strays).toEqual([9, null]);
  });
});

import { describe, expect, it } from "vitest";
import { createConnection } from "../../../src/codex/connection.js";
import { CodexLostError, CodexRequestError } from "../../../src/codex/errors.js";
import { notification, type RequestDescriptor, request } from "../../../src/runtime/index.js";
import { gone, memoryTransport } from "./memory-transport.js";

const echo: RequestDescriptor<object | undefined, unknown> = request<object | undefined, unknown>("test/echo");

function setUp(onNotification: (method: string) => void = () => undefined) {
  const transport = memoryTransport();
  const order: unknown[] = [];
  const connection = createConnection(transport, {
    onNotification({ method, params }) {
      order.push({ method, params });
      onNotification(method);
    },
    onServerRequest(asked) {
      order.push(asked);
      if (asked.method === "test/throws") throw new Error("in a handler");
    },
    onBatchEnd: () => void order.push("batch end"),
    onUnreadable: (line) => void order.push(line),
    onLost: (exit) => void order.push({ lost: exit }),
    onStray: (stray) => void order.push(stray),
  });
  return { connection, transport, order, sink: transport.sink() };
}

describe("call", () => {
  it("counts ids from 1, has no jsonrpc member and leaves undefined params out", () => {
    const { connection, transport } = setUp();
    connection.call(echo, {}, () => undefined);
    connection.call(echo, undefined, () => undefined);
    connection.notify(notification<undefined>("initialized"), undefined);
    expect(transport.sent).toEqual([
      { id: 1, method: "test/echo", params: {} },
      { id: 2, method: "test/echo" },
      { method: "initialized" },
    ]);
  });

  it("settles in the order of the frames, between the notifications around its response", () => {
    const { connection, order, sink } = setUp();
    connection.call(echo, {}, (outcome) => order.push(outcome));
    sink.frame({ method: "a", params: 1 });
    sink.frame({ id: 1, result: { done: true } });
    sink.frame({ method: "b" });
    sink.batchEnd();
    expect(order).toEqual([
      { method: "a", params: 1 },
      { ok: true, result: { done: true } },
      { method: "b", params: undefined },
      "batch end",
    ]);
  });

  it.each([
    { name: "null", frame: { id: 1, result: null }, want: { ok: true, result: null } },
    {
      name: "an error",
      frame: { id: 1, error: { code: -32600, message: "no", data: { a: 1 } } },
      want: { ok: false, error: new CodexRequestError("test/echo", -32600, "no", { a: 1 }) },
    },
    {
      name: "an error without its members",
      frame: { id: 1, error: "no" },
      want: {
        ok: false,
        error: new CodexRequestError(
          "test/echo",
          -32603,
          "Codex answered test/echo with an error that has no code and message",
          "no",
        ),
      },
    },
  ])("takes $name as an answer", ({ frame, want }) => {
    const { connection, order, sink } = setUp();
    connection.call(echo, {}, (outcome) => order.push(outcome));
    sink.frame(frame);
    expect(order).toEqual([want]);
  });

  it("settles every pending call when Codex is lost, before the loss is told, and those made later too", async () => {
    const { connection, order, sink } = setUp();
    connection.call(echo, {}, (outcome) => order.push(outcome));
    connection.call(echo, {}, (outcome) => order.push(outcome));
    sink.frame({ id: 2, result: 2 });
    sink.closed(gone);
    const lost = { ok: false, error: new CodexLostError(gone) };
    expect(order).toEqual([{ ok: true, result: 2 }, lost, { lost: gone }]);
    expect(connection.lost).toBe(gone);
    const later = await new Promise((resolve) => void connection.call(echo, {}, resolve));
    expect(later).toEqual(lost);
  });

  it("does not settle what was given up, and names its late answer", async () => {
    const { connection, order, sink } = setUp();
    connection.call(echo, {}, (outcome) => order.push(outcome)).forget();
    sink.frame({ id: 1, result: 1 });
    expect(order).toEqual([{ kind: "late-response", id: 1, frame: { id: 1, result: 1 } }]);
    sink.closed(gone);
    connection.call(echo, {}, (outcome) => order.push(outcome)).forget();
    await Promise.resolve();
    expect(order).toHaveLength(2);
  });
});

describe("request", () => {
  it("resolves and rejects as the outcome says", async () => {
    const { connection, sink } = setUp();
    const [good, bad, lost] = [
      connection.request(echo, {}),
      connection.request(echo, {}),
      connection.request(echo, {}),
    ];
    sink.frame({ id: 1, result: "yes" });
    sink.frame({ id: 2, error: { code: -32600, message: "no" } });
    sink.closed(gone);
    await expect(good).resolves.toBe("yes");
    await expect(bad).rejects.toEqual(new CodexRequestError("test/echo", -32600, "no"));
    await expect(lost).rejects.toEqual(new CodexLostError(gone));
  });

  it("rejects with the reason of its signal, and sends nothing for one already aborted", async () => {
    const { connection, transport } = setUp();
    const controller = new AbortController();
    const answer = connection.request(echo, {}, { signal: controller.signal });
    controller.abort(new Error("enough"));
    await expect(answer).rejects.toThrow("enough");
    await expect(connection.request(echo, {}, { signal: controller.signal })).rejects.toThrow("enough");
    expect(transport.sent).toHaveLength(1);
  });
});

describe("server requests", () => {
  it("are answered once, also with id 0", () => {
    const { connection, transport, order, sink } = setUp();
    sink.frame({ id: 0, method: "test/ask", params: { a: 1 } });
    expect(order).toEqual([{ id: 0, method: "test/ask", params: { a: 1 }, repeated: false }]);
    expect(connection.respond(0, { decision: "accept" })).toBe(true);
    expect(connection.respond(0, { decision: "decline" })).toBe(false);
    expect(connection.respondError(0, -32603, "no")).toBe(false);
    expect(transport.sent).toEqual([{ id: 0, result: { decision: "accept" } }]);
    expect(order.slice(1)).toEqual([
      { kind: "answer-refused", id: 0 },
      { kind: "answer-refused", id: 0 },
    ]);
  });

  it("keep apart ids that are a number from those that are its text", () => {
    const { connection, transport, sink } = setUp();
    sink.frame({ id: 1, method: "test/ask" });
    sink.frame({ id: "1", method: "test/ask" });
    expect(connection.respondError("1", -32601, "no", { a: 1 })).toBe(true);
    expect(connection.respond(1, null)).toBe(true);
    expect(transport.sent).toEqual([
      { id: "1", error: { code: -32601, message: "no", data: { a: 1 } } },
      { id: 1, result: null },
    ]);
  });

  it("say so when an open one is sent again", () => {
    const { order, sink } = setUp();
    sink.frame({ id: 4, method: "test/ask" });
    sink.frame({ id: 4, method: "test/ask" });
    expect(order).toMatchObject([{ repeated: false }, { repeated: true }]);
  });

  it("get no answer once withdrawn or once Codex is gone", () => {
    const { connection, transport, sink } = setUp();
    sink.frame({ id: 1, method: "test/ask" });
    sink.frame({ id: 2, method: "test/ask" });
    expect(connection.withdraw(1)).toBe(true);
    expect(connection.respond(1, {})).toBe(false);
    sink.closed(gone);
    expect(connection.respond(2, {})).toBe(false);
    expect(transport.sent).toEqual([]);
  });

  it("are answered with an error when their handler throws", () => {
    const { transport, order, sink } = setUp();
    sink.frame({ id: 0, method: "test/throws" });
    expect(transport.sent).toEqual([{ id: 0, error: { code: -32603, message: "Internal error" } }]);
    expect(order[1]).toMatchObject({ kind: "handler-threw", method: "test/throws" });
  });
});

describe("what nobody waits for", () => {
  it.each([
    { frame: null, kind: "not-a-frame" },
    { frame: [], kind: "not-a-frame" },
    { frame: 7, kind: "not-a-frame" },
    { frame: {}, kind: "not-a-frame" },
    { frame: { id: 1 }, kind: "not-a-frame" },
    { frame: { id: null, method: "test/ask" }, kind: "not-a-frame" },
    { frame: { id: 1, result: 1 }, kind: "unknown-response" },
    { frame: { id: "1", result: 1 }, kind: "unknown-response" },
    { frame: { id: null, error: { code: 1, message: "x" } }, kind: "unknown-response" },
  ])("$frame is $kind", ({ frame, kind }) => {
    const { order, sink } = setUp();
    sink.frame(frame);
    expect(order).toMatchObject([{ kind }]);
  });

  it("a handler that throws keeps nothing from the frames after it", () => {
    const { order, sink, connection } = setUp((method) => {
      if (method === "bad") throw new Error("in a handler");
    });
    connection.call(echo, {}, () => {
      throw new Error("in a callback");
    });
    sink.frame({ method: "bad" });
    sink.frame({ id: 1, result: 1 });
    sink.frame({ method: "good" });
    expect(order).toMatchObject([
      { method: "bad" },
      { kind: "handler-threw", method: "bad" },
      { kind: "handler-threw", method: "test/echo" },
      { method: "good" },
    ]);
  });
});

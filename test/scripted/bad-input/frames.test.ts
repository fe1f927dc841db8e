import { afterEach, describe, expect, test } from "vitest";
import { requests } from "../../../src/generated/codex/methods.js";
import { hostNotifications, hostRequests } from "../../../src/generated/contract/methods.js";
import type { BridgeInProcess } from "../../support/bridge.js";
import { startBridge } from "../../support/bridge-agent.js";
import { initialize } from "../handshake/rig.js";

let bridge: BridgeInProcess;

afterEach(() => bridge.close());

const jsonrpc = "2.0";
const listing = hostRequests.sessionList.method;
const greeting = { protocolVersion: 2, info: { name: "test", version: "0" }, capabilities: {} };
const method = hostRequests.initialize.method;

const notJson = { id: null, error: { code: -32700, message: "Parse error: the line is not JSON" } };
const invalid = (problem: string, id: unknown = null) => ({
  id,
  error: { code: -32600, message: `Invalid request: ${problem}` },
});
const noObject = invalid("expected an object");
const noMethod = invalid("expected a method, a result or an error");
const badId = invalid("expected an id that is a string or an integer");
const noVersion = (id: unknown) => invalid('expected "jsonrpc": "2.0"', id);

/** A line, and the whole of what comes back. */
const rows: readonly (readonly [line: string | object | null, answer: object])[] = [
  ["{", notJson],
  ["nonsense", notJson],
  ['{"jsonrpc":"2.0",}', notJson],
  ["\ufeff{}", notJson],
  ["NaN", notJson],
  ["null", noObject],
  ["5", noObject],
  ['"text"', noObject],
  ["[]", invalid("batches are not supported")],
  [[{ jsonrpc, id: 1, method, params: greeting }], invalid("batches are not supported")],
  [{}, noVersion(null)],
  [{ id: 7, method, params: greeting }, noVersion(7)],
  [{ jsonrpc: "1.0", id: 7, method, params: greeting }, noVersion(7)],
  [{ jsonrpc: 2, id: "seven", method: listing, params: {} }, noVersion("seven")],
  [{ jsonrpc }, noMethod],
  [{ jsonrpc, id: 7 }, noMethod],
  [{ jsonrpc, id: 7, method: 7 }, noMethod],
  [{ jsonrpc, id: 7, method: null }, noMethod],
  ...[null, 1.5, true, {}, [7]].flatMap((id): [object, object][] => [
    [{ jsonrpc, id, method: listing, params: {} }, badId],
    [{ jsonrpc, id, method, params: greeting }, badId],
  ]),
];

async function answersTo(line: string | object | null): Promise<unknown[]> {
  await bridge.clock.settle();
  const before = bridge.host.frames().length;
  if (typeof line === "string" || line === null) bridge.host.raw(line ?? "null");
  else bridge.host.rawFrames(line);
  await bridge.clock.settle();
  return bridge.host.frames().slice(before);
}

describe("a line that is no message", () => {
  test("gets one answer that says why, before and after the handshake, and the connection goes on", async () => {
    bridge = startBridge();
    for (const ready of [false, true]) {
      if (ready) await initialize(bridge);
      await bridge.clock.settle();
      const before = bridge.codex.log.frames("codex", "bridge").length;
      for (const [line, answer] of rows)
        expect([line, await answersTo(line)]).toEqual([line, [{ jsonrpc, ...answer }]]);
      expect(bridge.codex.log.frames("codex", "bridge")).toHaveLength(before);
    }
    expect(await bridge.host.request(hostRequests.sessionList, {})).toEqual({ sessions: [] });
  });

  // The next `initialize` waits for the answer to this one, which has no id to know it by.
  test("does not hold up what follows when it looks like an initialize", async () => {
    for (const id of [null, 1.5, {}, [1], "seven", 7]) {
      bridge = startBridge();
      bridge.host.rawFrames({ ...(id === 7 ? {} : { jsonrpc: "1.0" }), id, method, params: greeting });
      expect(await initialize(bridge)).toMatchObject({ protocolVersion: 2 });
      if (id !== 7) await bridge.close();
    }
  });

  test("blank lines are none", async () => {
    bridge = startBridge();
    for (const line of ["", " ", "\t", "\r"]) expect(await answersTo(line)).toEqual([]);
    expect(await initialize(bridge)).toMatchObject({ protocolVersion: 2 });
  });
});

describe("a request before initialize", () => {
  test("is told what to send first", async () => {
    bridge = startBridge();
    await expect(bridge.host.call(listing, {})).rejects.toMatchObject({
      code: -32600,
      message: `Not initialized: send initialize before ${listing}`,
      data: { reason: "not_initialized", method: listing },
    });
    expect(await initialize(bridge)).toMatchObject({ protocolVersion: 2 });
  });

  test("in one piece with it waits, and is served", async () => {
    bridge = startBridge();
    const greeted = initialize(bridge);
    const listed = bridge.host.request(hostRequests.sessionList, {});
    expect(await greeted).toMatchObject({ protocolVersion: 2 });
    expect(await listed).toEqual({ sessions: [] });
  });
});

describe("a message of the wrong kind", () => {
  test("a request without an id does nothing", async () => {
    bridge = startBridge();
    await initialize(bridge);
    const { codex } = bridge;
    for (const [name, params] of [
      [hostRequests.sessionNew.method, { cwd: "/home/user/project", mcpServers: [] }],
      [hostRequests.authLogout.method, {}],
      [hostRequests.codexAccountRead.method, {}],
      [method, { ...greeting, capabilities: { elicitation: { url: {} } } }],
      ["nope", {}],
    ] as const)
      expect(await answersTo({ jsonrpc, method: name, params })).toEqual([]);
    expect(codex.calls(requests.threadStart)).toEqual([]);
    expect(codex.calls(requests.accountLogout)).toEqual([]);
    const login = bridge.host.call(hostRequests.authLogin.method, { methodId: "chat-gpt-device-code" });
    await expect(login).rejects.toMatchObject({ code: -32602 });
  });

  test("a notification with an id is no request", async () => {
    bridge = startBridge();
    await initialize(bridge);
    for (const { method: name } of Object.values(hostNotifications))
      await expect(bridge.host.call(name, { sessionId: "s", requestId: 1 })).rejects.toMatchObject({
        code: -32601,
        data: { method: name },
      });
  });

  test("an answer to nothing is ignored", async () => {
    bridge = startBridge();
    await initialize(bridge);
    for (const answer of [{ result: {} }, { error: { code: 1, message: "no" } }, { error: "no" }, { result: null }])
      for (const id of [1, 99, "x", null]) expect(await answersTo({ jsonrpc, id, ...answer })).toEqual([]);
    expect(await bridge.host.request(hostRequests.sessionList, {})).toEqual({ sessions: [] });
  });
});

import { afterEach, expect, test } from "vitest";
import {
  agentNotifications,
  agentRequests,
  hostNotifications,
  hostRequests,
} from "../../../src/generated/contract/methods.js";
import type { HostTransport } from "../../../src/host/transport.js";
import { type AgentPorts, type Bridge, startServed } from "../../support/bridge.js";
import { AgentError, isUpdate } from "../../support/host.js";

let bridge: Bridge;
let closed = false;

afterEach(async () => {
  if (!closed) await bridge.close();
  closed = false;
});

type Frame = {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { sessionId?: string };
  readonly result?: unknown;
};

const session = "0199aaaa-0000-7000-8000-000000000001";

const updateFrame = (update: object): object => ({
  jsonrpc: "2.0",
  method: agentNotifications.sessionUpdate.method,
  params: { sessionId: session, update },
});

/** An agent that knows no Codex: it answers `session/close`, and says what the test tells it. */
function start(onFrame: (frame: Frame, transport: HostTransport) => void = () => undefined): HostTransport {
  let at: HostTransport | undefined;
  bridge = startServed({
    serve({ transport, note }: AgentPorts) {
      at = transport;
      let done: () => void = () => undefined;
      transport.start({
        line(text) {
          const frame = JSON.parse(text) as Frame;
          if (frame.method === hostRequests.sessionClose.method)
            transport.send({ jsonrpc: "2.0", id: frame.id, result: {} });
          onFrame(frame, transport);
        },
        tooLong: () => undefined,
        closed() {
          note("closed");
          done();
        },
        stalled: () => undefined,
        drained: () => undefined,
      });
      return new Promise((resolve) => {
        done = resolve;
      });
    },
  });
  if (at === undefined) throw new Error("not served");
  return at;
}

test("requests are answered, and errors keep code and data", async () => {
  start(({ id, method }, transport) => {
    if (method === "no/such") transport.send({ jsonrpc: "2.0", id, error: { code: -32601, message: "none", data: 7 } });
  });
  expect(await bridge.host.request(hostRequests.sessionClose, { sessionId: session })).toEqual({});
  const error = await bridge.host.call("no/such", { anything: true }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(AgentError);
  expect(error).toMatchObject({ code: -32601, message: "none", data: 7 });
  expect(bridge.host.lastId).toBe(2);
  expect(bridge.checker.faults).toEqual([]);
});

test("updates are waited for by session, from before or to come", async () => {
  const agent = start();
  const idle = bridge.host.idle(session);
  agent.send(updateFrame({ sessionUpdate: "state_update", state: "running" }));
  agent.send(
    updateFrame({ sessionUpdate: "agent_message_chunk", messageId: "m", content: { type: "text", text: "x" } }),
  );
  agent.send(updateFrame({ sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" }));
  expect(await idle).toMatchObject({ stopReason: "end_turn" });
  expect((await bridge.host.update(session, isUpdate("agent_message_chunk"))).content).toEqual({
    type: "text",
    text: "x",
  });
  expect(bridge.host.updates(session).length).toBe(3);
  expect(bridge.host.updates("other")).toEqual([]);
});

test("the agent's requests are answered by the test, and by nobody else", async () => {
  const heard: unknown[] = [];
  const agent = start((frame) => void (frame.method === undefined && heard.push(frame.result)));
  bridge.host.on(agentRequests.elicitationCreate, ({ message }, id) => ({
    action: "accept",
    content: { message, id: String(id) },
  }));
  const params = { mode: "url", message: "open", url: "https://example.com", elicitationId: "e", sessionId: session };
  agent.send({ jsonrpc: "2.0", id: 0, method: "elicitation/create", params });
  await bridge.clock.settle();
  expect(heard).toEqual([{ action: "accept", content: { message: "open", id: "0" } }]);
  agent.send({ jsonrpc: "2.0", id: 1, method: "session/request_permission", params: {} });
  await bridge.clock.settle();
  expect(bridge.waits.failure?.message).toContain("session/request_permission");
  closed = true;
  await expect(bridge.close()).rejects.toThrow("session/request_permission");
});

test("a frame off contract fails what waits for it, and the test's end", async () => {
  const agent = start();
  const never = bridge.host.idle(session);
  agent.send(updateFrame({ sessionUpdate: "state_update", state: 5 }));
  await expect(never).rejects.toThrow("bridge sent a frame off contract");
  closed = true;
  await expect(bridge.close()).rejects.toThrow("bridge sent a frame off contract");
});

test("raw lines and frames in one piece go out as they are, unchecked", async () => {
  const seen: unknown[] = [];
  start((frame) => void seen.push(frame));
  const cancel = { jsonrpc: "2.0", method: hostNotifications.sessionCancel.method, params: {} };
  bridge.host.rawFrames(cancel, { strange: 1 });
  bridge.host.raw('"text"');
  await bridge.clock.settle();
  expect(seen).toEqual([cancel, { strange: 1 }, "text"]);
  bridge.host.notify(hostNotifications.sessionCancel, { sessionId: session });
  await bridge.clock.settle();
  expect(seen.length).toBe(4);
  expect(bridge.checker.faults).toEqual([]);
});

test("a host that goes away closes the agent's transport, after what it said", async () => {
  start();
  bridge.host.notify(hostNotifications.sessionCancel, { sessionId: session });
  closed = true;
  await bridge.close();
  expect(bridge.log.tail(3)).toMatch(/session\/cancel[\s\S]*the host goes away[\s\S]*closed$/);
});

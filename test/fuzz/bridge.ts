import { createAgent } from "../../src/agent/create-agent.js";
import type { CodexExit, CodexTransport, TransportSink } from "../../src/codex/transport.js";
import { hostRequests } from "../../src/generated/contract/methods.js";
import type { HostSink, HostTransport } from "../../src/host/transport.js";
import { frameText } from "../../src/runtime/index.js";
import responses from "../../src/testing/scripted-codex/recordings/responses.json" with { type: "json" };
import { createVirtualClock } from "../../src/testing/virtual-clock.js";

/** A bridge whose two ends are lines, with a Codex that answers as it was recorded and refuses what was not. */
export interface FuzzedBridge {
  fromHost(line: string): void;
  fromCodex(line: string): void;
  /** Until nothing goes on any more; throws what went wrong inside. */
  settle(): Promise<void>;
  /** Ids that a session, a turn and an item of it have. */
  readonly ids: { readonly sessionId: string };
  /** The answer to a request that the bridge must still serve. */
  alive(): Promise<void>;
  close(): Promise<void>;
}

const recorded: Readonly<Record<string, unknown>> = responses;
const gone: CodexExit = { code: 0, signal: null, stderrTail: "" };

export async function startFuzzedBridge(): Promise<FuzzedBridge> {
  const faults: unknown[] = [];
  const clock = createVirtualClock({ auto: true, limit: 10_000_000, onError: (error) => void faults.push(error) });
  let host: HostSink | undefined;
  let codex: TransportSink | undefined;
  let lastId = 1_000_000;
  /** Answers of the bridge, as text, by the ids of `ask`. */
  const answers = new Map<number, unknown>();

  const hostTransport: HostTransport = {
    start: (sink) => {
      host = sink;
    },
    send(frame) {
      const { id, result } = JSON.parse(frameText(frame));
      if (typeof id === "number" && id > 1_000_000) answers.set(id, result);
    },
    flush: () => undefined,
    pause: () => undefined,
    resume: () => undefined,
    end: () => Promise.resolve(),
  };
  const codexTransport = (): CodexTransport => ({
    send(frame) {
      const { id, method } = JSON.parse(frameText(frame));
      if (id === undefined || method === undefined) return;
      const error = { code: -32600, message: "no such thing here" };
      const text = JSON.stringify(method in recorded ? { id, result: recorded[method] } : { id, error });
      clock.soon(() => codex?.frame(JSON.parse(text), text));
    },
    start: (sink) => {
      codex = sink;
    },
    pause: () => undefined,
    resume: () => undefined,
    async stop() {
      codex?.closed(gone);
      return gone;
    },
  });

  const agent = createAgent({
    codex: codexTransport,
    clock,
    newId: () => `id-${++lastId}`,
    fetch: () => Promise.reject(new Error("no net")),
    note: (text) => {
      // What is off Codex's schema may be of no use; it must not throw what nobody catches.
      if (text.startsWith("Unexpected error in")) faults.push(new Error(text));
    },
  }).connect(hostTransport);

  const settle = async (): Promise<void> => {
    await clock.settle();
    const [fault] = faults;
    if (fault !== undefined) throw fault;
  };
  const ask = async (method: string, params: object): Promise<unknown> => {
    const id = ++lastId;
    host?.line(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    await settle();
    if (!answers.has(id)) throw new Error(`${method} was not answered`);
    return answers.get(id);
  };

  await ask(hostRequests.initialize.method, {
    protocolVersion: 2,
    info: { name: "fuzz", version: "0" },
    capabilities: {},
  });
  const opened = await ask(hostRequests.sessionNew.method, { cwd: "/home/user", mcpServers: [] });
  const { sessionId } = opened as { sessionId: string };

  return {
    ids: { sessionId },
    fromHost: (line) => host?.line(line),
    fromCodex(line) {
      // As a transport over a pipe does it.
      let frame: unknown;
      try {
        frame = JSON.parse(line);
      } catch {
        codex?.unreadable({ kind: "not-json", text: line });
        return;
      }
      codex?.frame(frame, line);
      codex?.batchEnd();
    },
    settle,
    async alive() {
      await ask(hostRequests.authStatus.method, {});
    },
    async close() {
      host?.closed();
      await settle();
      await agent.closed;
    },
  };
}

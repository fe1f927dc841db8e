import { Readable, Writable } from "node:stream";
import { createFrameReader, MAX_FRAME_BYTES } from "../codex/frame-reader.js";
import { createLineSplitter } from "../codex/line-splitter.js";
import type { CodexExit, CodexTransport, TransportSink } from "../codex/transport.js";
import { rehearsalAnswers } from "../generated/agent/rehearsal.js";
import { hostRequests } from "../generated/contract/methods.js";
import { createStdioTransport } from "../host/stdio-transport.js";
import { maxHostLineBytes } from "../host/transport.js";
import { type Clock, systemClock } from "../runtime/clock.js";
import { frameText, isObject } from "../runtime/index.js";
import { createAgent } from "./create-agent.js";

/** A rehearsal waits for nothing, so that no wait of it is ever over. */
const clock: Clock = { ...systemClock, after: () => () => undefined };

export interface RehearsalOptions {
  /** Every frame between the agent and the host that is made up. */
  readonly onFrame?: (direction: "from-host" | "to-host", frame: unknown) => void;
  /** Something for the log; in a rehearsal that went well there is nothing. */
  note(text: string): void;
}

/**
 * Opens two sessions in an agent of its own, between a host that is made up and a Codex that was recorded. Code is slow
 * when it runs for the first time, which a host would feel at its first session; while Codex starts there is nothing
 * else to do. Touches no file, process, socket or timer, and nothing of the agent that serves the host. Resolves when
 * that other agent has ended.
 *
 * No turn is rehearsed: what the code of a turn learns from another Codex's frames makes the deltas of real ones dearer
 * (by a tenth for text, by two fifths for output).
 */
export async function rehearse({ onFrame, note }: RehearsalOptions): Promise<void> {
  const agent = createAgent({ codex: () => recordedCodex(note), clock, note, ...(onFrame ? { onFrame } : {}) });
  const host = createHost();
  const { close } = agent.connect(createStdioTransport(host.toAgent, host.fromAgent, clock));
  await host.ask(hostRequests.initialize, handshake);
  // Twice: functions that ran but once have not kept what types they met.
  await host.ask(hostRequests.sessionNew, place);
  await host.ask(hostRequests.sessionNew, place);
  await close();
}

const handshake = { protocolVersion: 2, info: { name: "rehearsal", version: "1" }, capabilities: {} };
const place = { cwd: "/", mcpServers: [] };

interface RehearsalHost {
  readonly toAgent: Readable;
  readonly fromAgent: Writable;
  /** Resolves when it is answered. One request at a time. */
  ask(request: { readonly method: string }, params: object): Promise<void>;
}

function createHost(): RehearsalHost {
  const toAgent = new Readable({ read: () => undefined });
  let answered = (): void => undefined;
  const line = (text: string): void => {
    const frame: unknown = JSON.parse(text);
    if (isObject(frame) && frame["id"] !== undefined) answered();
  };
  const lines = createLineSplitter({ maxBytes: maxHostLineBytes, line, tooLong: () => undefined });
  const fromAgent = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk);
      done();
    },
  });
  let id = 0;
  return {
    toAgent,
    fromAgent,
    ask: ({ method }, params) =>
      new Promise((resolve) => {
        answered = resolve;
        id += 1;
        toAgent.push(`${frameText({ jsonrpc: "2.0", id, method, params })}\n`);
      }),
  };
}

interface ToCodex {
  readonly id?: number;
  readonly method: string;
}

/** Answers as a real Codex once did. */
function recordedCodex(note: RehearsalOptions["note"]): CodexTransport {
  let sink: TransportSink | null = null;
  const reader = createFrameReader({ maxBytes: MAX_FRAME_BYTES, sink: () => sink });
  // Each in a macrotask of its own: what the real host and Codex say in the meantime waits for no more than one.
  const say = (frame: string): void =>
    clock.soon(() => {
      reader.push(Buffer.from(`${frame}\n`));
      sink?.batchEnd();
    });
  const exit: CodexExit = { code: 0, signal: null, stderrTail: "" };
  return {
    start(to) {
      sink = to;
    },
    send(frame) {
      const { id, method }: ToCodex = JSON.parse(frameText(frame));
      if (id === undefined) return;
      const answer = rehearsalAnswers[method];
      if (answer === undefined) note(`no answer to ${method} has been recorded`);
      say(
        answer === undefined
          ? `{"id":${id},"error":{"code":-32601,"message":"not recorded"}}`
          : `{"id":${id},"result":${answer}}`,
      );
    },
    pause: () => undefined,
    resume: () => undefined,
    stop: () => Promise.resolve(exit),
  };
}

import type { AnyMessage, Stream } from "@agentclientprotocol/sdk/experimental/v2/unstable";
import type { ScriptedAgent } from "../../../src/host-check/agent.js";
import type { HostGround } from "../../../src/host-check/ground.js";
import { systemClock } from "../../../src/runtime/clock.js";
import { isObject } from "../../../src/runtime/index.js";
import type { Handlers } from "./handlers.js";
import { createSdkHost } from "./host.js";
import type { Quirk } from "./quirks.js";

/** The wire to an agent that stands in this process. */
function streamTo(agent: ScriptedAgent): Stream {
  let read: ReadableStreamDefaultController<AnyMessage> | undefined;
  const readable = new ReadableStream<AnyMessage>({
    start(controller) {
      read = controller;
    },
  });
  const end = (): void => {
    read?.close();
    read = undefined;
  };
  const start = { args: [], cwd: "/", env: {} };
  const events = agent.attach(
    {
      frame: (frame) => read?.enqueue(frame as AnyMessage),
      text: () => undefined,
      stderr: () => undefined,
      closeOutput: end,
      die: end,
    },
    start,
  );
  const writable = new WritableStream<AnyMessage>({
    write: (frame) => events.frame(JSON.parse(JSON.stringify(frame))),
    close: () => events.asked("stdin-end"),
  });
  return { readable, writable };
}

/** Answers one instruction. */
async function answer(handlers: Handlers, frame: unknown): Promise<unknown> {
  if (!isObject(frame)) throw new Error("an instruction is an object");
  const { id, method, params } = frame;
  const handler = Object.entries(handlers).find(([name]) => name === method)?.[1];
  if (handler === undefined) return { jsonrpc: "2.0", id, error: { code: -32601, message: `no such: ${method}` } };
  try {
    return { jsonrpc: "2.0", id, result: await handler(params as never) };
  } catch (error) {
    return { jsonrpc: "2.0", id, error: { code: -32603, message: error instanceof Error ? error.message : "?" } };
  }
}

/** The SDK's client as the host under test, in this process. */
export const sdkHostGround = (quirk?: Quirk): HostGround => ({
  clock: systemClock,
  async start({ agent }) {
    const handlers = createSdkHost({ connect: () => streamTo(agent), quirk });
    let take: (line: string) => void = () => undefined;
    let over: (how: string) => void = () => undefined;
    const ended = new Promise<string>((resolve) => {
      over = resolve;
    });
    return {
      agentCommand: { command: "agent", args: [], env: {}, cwd: "/" },
      ended,
      write(line) {
        void answer(handlers, JSON.parse(line)).then((frame) => take(JSON.stringify(frame)));
      },
      onLine(given) {
        take = given;
      },
      reads: () => undefined,
      closeInput: () => over("its input ended"),
      async dispose() {
        over("its input ended");
      },
    };
  },
});

import { expect, test } from "vitest";
import type { MethodEntry } from "../../../src/generated/agent/registration.js";
import { hostRequests } from "../../../src/generated/contract/methods.js";
import { connectHost } from "../../../src/host/acp-connection.js";
import type { HostSink } from "../../../src/host/transport.js";
import { systemClock } from "../../../src/runtime/clock.js";

const entryOf = (name: string) => ({ name, kind: "request", initializes: false, verbatim: false }) as const;

test("an answer has left before what follows it begins", async () => {
  const events: string[] = [];
  let sink: HostSink | undefined;
  const write = (id: number, method: string, params: object): void =>
    sink?.line(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
  const followed = new Promise<void>((resolve) => {
    const initialize: MethodEntry = {
      ...entryOf(hostRequests.initialize.method),
      initializes: true,
      call: async () => ({ protocolVersion: 2, info: { name: "a", version: "1" }, capabilities: {} }),
    };
    const open: MethodEntry = {
      ...entryOf(hostRequests.sessionNew.method),
      async call(_params, context) {
        context.afterResponse(() => {
          events.push("what follows");
          resolve();
        });
        return {};
      },
    };
    connectHost({
      transport: {
        start(to) {
          sink = to;
        },
        send(frame) {
          events.push(`queued ${JSON.stringify(frame).slice(0, 24)}`);
          if ("id" in frame && frame.id === 1) write(2, hostRequests.sessionNew.method, {});
        },
        flush: () => void events.push("written"),
        pause: () => undefined,
        resume: () => undefined,
        end: () => Promise.resolve(),
      },
      clock: systemClock,
      name: "test",
      newId: () => "new",
      methods: () =>
        new Map([
          [hostRequests.initialize.method, initialize],
          [hostRequests.sessionNew.method, open],
        ]),
      stalled: () => undefined,
      drained: () => undefined,
      onUnexpected: (method, error) => void events.push(`${method}: ${String(error)}`),
      ignored: (what) => void events.push(what),
    });
    write(1, hostRequests.initialize.method, {
      protocolVersion: 2,
      info: { name: "h", version: "1" },
      capabilities: {},
    });
  });
  await followed;
  expect(events).toEqual([
    'queued {"jsonrpc":"2.0","id":1,',
    'queued {"jsonrpc":"2.0","id":2,',
    "written",
    "what follows",
  ]);
});

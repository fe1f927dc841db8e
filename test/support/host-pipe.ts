import type { HostSink, HostTransport } from "../../src/host/transport.js";
import type { Clock } from "../../src/runtime/clock.js";
import { frameText } from "../../src/runtime/index.js";
import { createDelivery } from "../../src/testing/scripted-codex/in-process.js";
import type { HostWire } from "./host.js";

/** A line between a host and an agent in one process: each piece that is written arrives in a macrotask of its own. */
export function createHostPipe(clock: Clock): {
  readonly transport: HostTransport;
  readonly wire: HostWire;
  /** Has the host stop reading, or go on. */
  read(on: boolean): void;
} {
  const toAgent = createDelivery(clock);
  const toHost = createDelivery(clock);
  let sink: HostSink | undefined;
  let take: (line: string) => void = () => undefined;
  let rest = "";
  let open = true;
  return {
    read(on) {
      if (on) {
        toHost.resume();
        sink?.drained();
      } else {
        toHost.pause();
        sink?.stalled();
      }
    },
    transport: {
      start(to) {
        sink = to;
      },
      send(frame) {
        const line = frameText(frame);
        toHost.push(() => take(line));
      },
      flush: () => undefined,
      pause: toAgent.pause,
      resume: toAgent.resume,
      end: () => new Promise((resolve) => toHost.push(resolve)),
    },
    wire: {
      write(text) {
        if (!open) return;
        toAgent.push(() => {
          const lines = (rest + text).split("\n");
          rest = lines.pop() ?? "";
          for (const line of lines) if (line !== "") sink?.line(line);
        });
      },
      onLine(fn) {
        take = fn;
      },
      close() {
        open = false;
        toAgent.push(() => sink?.closed());
      },
    },
  };
}

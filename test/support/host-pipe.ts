import { createLineSplitter } from "../../src/codex/line-splitter.js";
import { lastWords } from "../../src/host/line-writer.js";
import { type HostSink, type HostTransport, maxHostLineBytes } from "../../src/host/transport.js";
import type { Clock } from "../../src/runtime/clock.js";
import { frameText } from "../../src/runtime/index.js";
import { type Cut, createDelivery, piecesOf } from "../../src/testing/scripted-codex/in-process.js";
import type { HostWire } from "./host.js";

/**
 * A line between a host and an agent in one process: what is written in one go arrives in a macrotask of its own, or in
 * the pieces that `cut` makes.
 */
export function createHostPipe(
  clock: Clock,
  cut?: Cut,
): {
  readonly transport: HostTransport;
  readonly wire: HostWire;
  /** Has the host stop reading, or go on. */
  read(on: boolean): void;
  /** The host's end of the agent's output closes: nothing more arrives, and the agent's next write would fail. */
  break(): void;
} {
  const toAgent = createDelivery(clock);
  const toHost = createDelivery(clock);
  let sink: HostSink | undefined;
  let take: (line: string) => void = () => undefined;
  let open = true;
  let broken = false;
  /** The agent knows that the host is gone: no line follows. */
  let told = false;
  const lines = createLineSplitter({
    maxBytes: maxHostLineBytes,
    line(text) {
      if (!told) sink?.line(text);
    },
    tooLong(bytes) {
      if (!told) sink?.tooLong(bytes);
    },
  });
  const gone = (): void => {
    if (!told) sink?.closed();
    told = true;
  };
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
        if (broken) return;
        const line = frameText(frame);
        toHost.push(() => {
          if (!broken) take(line);
        });
      },
      flush: () => undefined,
      pause: toAgent.pause,
      resume: toAgent.resume,
      end: () => (broken ? Promise.resolve() : lastWords(clock, (over) => toHost.push(over))),
    },
    break() {
      broken = true;
      gone();
    },
    wire: {
      write(text) {
        if (open) for (const piece of piecesOf(text, cut)) toAgent.push(() => lines.push(piece));
      },
      onLine(fn) {
        take = fn;
      },
      close() {
        open = false;
        toAgent.push(() => {
          lines.end();
          gone();
        });
      },
    },
  };
}

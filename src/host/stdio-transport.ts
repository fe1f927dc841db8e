import type { Readable, Writable } from "node:stream";
import { createLineSplitter } from "../codex/line-splitter.js";
import type { Clock } from "../runtime/clock.js";
import { createLineWriter, type LineWriter } from "./line-writer.js";
import { type HostSink, type HostTransport, maxHostLineBytes } from "./transport.js";

/** A host at the other end of two streams. Reading starts with `start`; what arrived before waits in the pipe. */
export function createStdioTransport(input: Readable, output: Writable, clock: Clock): HostTransport {
  let sink: HostSink | undefined;
  let closed = false;
  const close = (): void => {
    if (closed) return;
    closed = true;
    sink?.closed();
  };
  const writer: LineWriter = createLineWriter(output, clock, {
    stalled: () => sink?.stalled(),
    drained: () => sink?.drained(),
    broken: close,
  });
  return {
    start(to) {
      sink = to;
      // Its output may break while its input still brings lines: to whoever is told that it is gone, it is.
      const splitter = createLineSplitter({
        maxBytes: maxHostLineBytes,
        line(text) {
          if (!closed) to.line(text);
        },
        tooLong(bytes) {
          if (!closed) to.tooLong(bytes);
        },
      });
      input.on("data", (chunk: Buffer) => splitter.push(chunk));
      input.on("end", () => {
        splitter.end();
        close();
      });
      input.on("error", close);
    },
    send: writer.send,
    flush: writer.flush,
    pause: () => void input.pause(),
    resume: () => void input.resume(),
    end: writer.end,
  };
}

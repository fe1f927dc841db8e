import { createWriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import type { AnyMessage, Stream } from "@agentclientprotocol/sdk/experimental/v2/unstable";

export type Direction = "to-agent" | "from-agent";

/** Hands every frame of a stream, both ways, to `see` before it goes on. */
export function tap(stream: Stream, see: (direction: Direction, frame: AnyMessage) => void): Stream {
  const pass = (direction: Direction) =>
    new TransformStream<AnyMessage, AnyMessage>({
      transform(frame, controller) {
        see(direction, frame);
        controller.enqueue(frame);
      },
    });
  const outgoing = pass("to-agent");
  // A write error reaches the writer through the transform; the pipe's own promise repeats it.
  outgoing.readable.pipeTo(stream.writable).catch(() => undefined);
  return { readable: stream.readable.pipeThrough(pass("from-agent")), writable: outgoing.writable };
}

/** Writes frames to a JSON Lines file: `{"ms": since start, "direction": …, "frame": …}`. */
export function recordTo(path: string): { add(direction: Direction, frame: AnyMessage): void; close(): Promise<void> } {
  const started = performance.now();
  const file = createWriteStream(path, { mode: 0o600 });
  const ended = finished(file);
  // Awaited in close(); until then a failure must not end the process as an unhandled rejection.
  ended.catch(() => undefined);
  return {
    add(direction, frame) {
      file.write(`${JSON.stringify({ ms: Math.round(performance.now() - started), direction, frame })}\n`);
    },
    async close() {
      file.end();
      await ended;
    },
  };
}

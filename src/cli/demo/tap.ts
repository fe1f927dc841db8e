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

import type { CodexExit, CodexTransport, TransportSink } from "../../../src/codex/transport.js";

/** A transport whose far end is the test. */
export interface MemoryTransport extends CodexTransport {
  readonly sent: Record<string, unknown>[];
  readonly calls: string[];
  sink(): TransportSink;
}

export const gone: CodexExit = { code: 1, signal: null, stderrTail: "" };

export function memoryTransport(): MemoryTransport {
  let to: TransportSink | null = null;
  let over = false;
  const calls: string[] = [];
  const sent: Record<string, unknown>[] = [];
  return {
    sent,
    calls,
    sink() {
      if (to === null) throw new Error("not started");
      return to;
    },
    // Through JSON, as a real one: members that are undefined do not travel.
    send: (frame) => void sent.push(JSON.parse(JSON.stringify(frame))),
    start(sink) {
      to = sink;
    },
    pause: () => void calls.push("pause"),
    resume: () => void calls.push("resume"),
    async stop() {
      calls.push("stop");
      if (!over) to?.closed(gone);
      over = true;
      return gone;
    },
  };
}

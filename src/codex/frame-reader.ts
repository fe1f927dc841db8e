import { createLineSplitter, type LineSplitter } from "./line-splitter.js";
import type { TransportSink } from "./transport.js";

/** A frame of Codex longer than this is dropped and reported. */
export const MAX_FRAME_BYTES = 256 * 1024 * 1024;

export interface FrameReaderOptions {
  /** Longest line, in bytes. */
  readonly maxBytes: number;
  /** Who is told; null while there is nobody. */
  sink(): Pick<TransportSink, "frame" | "unreadable"> | null;
}

/** Reads Codex's frames, one per line, out of the bytes that it writes. */
export const createFrameReader = ({ maxBytes, sink }: FrameReaderOptions): LineSplitter =>
  createLineSplitter({
    maxBytes,
    line(text) {
      let frame: unknown;
      try {
        frame = JSON.parse(text);
      } catch {
        sink()?.unreadable({ kind: "not-json", text });
        return;
      }
      sink()?.frame(frame, text);
    },
    tooLong: (bytes) => sink()?.unreadable({ kind: "too-long", bytes, limit: maxBytes }),
  });

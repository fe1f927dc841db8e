import type { Writable } from "node:stream";
import type { Clock } from "../runtime/clock.js";
import { createFrameLine } from "./frame-line.js";

/** Told when the reader at the other end stops reading, and when it goes on. */
export interface WriterGate {
  stalled(): void;
  drained(): void;
  /** The stream broke: nothing sent from now on arrives. */
  broken(error: Error): void;
}

export interface LineWriter {
  send(frame: object): void;
  flush(): void;
  /** Resolves once all of it is handed over, cannot be, or nobody took it for `lastWordsMs`. */
  end(): Promise<void>;
}

/** How long a reader that does not read is waited for in the end: whoever lets us go need not take our last words. */
export const lastWordsMs = 1000;

/** Resolves once `hand` has called back, or nobody took what it hands over for `lastWordsMs`. */
export const lastWords = (clock: Clock, hand: (over: () => void) => void): Promise<void> =>
  new Promise((resolve) => {
    const over = (): void => {
      giveUp();
      resolve();
    };
    const giveUp = clock.after(lastWordsMs, over);
    hand(over);
  });

/**
 * Text gathered before it is written even inside a batch, in UTF-16 code units: what a pipe of Linux holds. A longer one
 * does not leave in one call, and its encoding costs twice as much per byte.
 */
const flushAt = 64 * 1024;

/**
 * Writes frames as lines. One `write` per batch, not per frame: a small pipe write that wakes its reader costs more
 * than everything else that is done for a frame. Whoever has a batch (a chunk read from Codex) calls `flush` at its
 * end; a lone frame leaves in the next macrotask. While the stream is stalled nothing more is handed to it.
 */
export function createLineWriter(stream: Writable, clock: Clock, gate: WriterGate): LineWriter {
  const lineOf = createFrameLine();
  let queued = "";
  let scheduled = false;
  let stalled = false;
  let broken = false;

  const scheduledFlush = (): void => {
    scheduled = false;
    flush();
  };

  function flush(): void {
    if (queued === "" || stalled || broken) return;
    const text = queued;
    queued = "";
    if (!stream.write(text)) {
      stalled = true;
      gate.stalled();
    }
  }

  stream.on("drain", () => {
    stalled = false;
    flush();
    if (!stalled) gate.drained();
  });
  stream.on("error", (error: Error) => {
    if (broken) return;
    broken = true;
    queued = "";
    gate.broken(error);
  });

  return {
    send(frame) {
      if (broken) return;
      queued += lineOf(frame);
      if (queued.length >= flushAt) flush();
      else if (!scheduled) {
        scheduled = true;
        clock.soon(scheduledFlush);
      }
    },
    flush,
    end() {
      if (broken) return Promise.resolve();
      const text = queued;
      queued = "";
      return lastWords(clock, (over) => {
        stream.once("error", over);
        stream.write(text, over);
      });
    },
  };
}

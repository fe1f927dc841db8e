import type { Readable } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import type { Clock } from "../runtime/clock.js";
import { createLineSplitter } from "./line-splitter.js";

/** After the exit of a child its pipes close; unless something inherited them, which gets this long, in ms. */
const DRAIN_GRACE = 500;

/** Sees to it that the pipes of an exited child come to an end. */
export interface Drain {
  /** A chunk was read. */
  progress(): void;
  /** The child has exited: gives a pipe up that yields nothing for `DRAIN_GRACE`. */
  begin(): void;
}

/** `held()` says that we do not read at the moment: then time does not count. */
export function createDrain(pipes: readonly Readable[], clock: Clock, held: () => boolean): Drain {
  let reads = 0;
  let takeBack = (): void => undefined;
  // A timer that is still set would keep a process alive that has nothing left to do.
  const over = (): boolean => pipes.every(({ closed }) => closed);
  for (const pipe of pipes) pipe.once("close", () => over() && takeBack());
  const look = (before: number): void => {
    takeBack = clock.after(DRAIN_GRACE, () => {
      // What is already in the pipe is read before this runs, however late the timer came.
      clock.soon(() => {
        if (over()) return;
        if (held() || reads !== before) look(reads);
        else for (const pipe of pipes) pipe.destroy();
      });
    });
  };
  return {
    progress() {
      reads++;
    },
    begin() {
      if (!over()) look(reads);
    },
  };
}

export interface StderrTail {
  push(chunk: Buffer): void;
  text(): string;
}

/** Keeps the last `maxChars` of a stream and hands on its lines, without colour codes. */
export function stderrTail(maxChars: number, onLine: (line: string) => void): StderrTail {
  let tail = "";
  const splitter = createLineSplitter({
    maxBytes: 64 * 1024,
    line(raw) {
      const line = stripVTControlCharacters(raw);
      tail = `${tail}${line}\n`.slice(-maxChars);
      onLine(line);
    },
    tooLong: (bytes) => onLine(`(a line of ${bytes} bytes left out)`),
  });
  return {
    push: (chunk) => splitter.push(chunk),
    text() {
      splitter.end();
      return tail.trimEnd();
    },
  };
}

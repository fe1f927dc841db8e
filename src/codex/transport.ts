/** How Codex went away. */
export interface CodexExit {
  /** Exit code; null when a signal ended it or it never ran. */
  readonly code: number | null;
  /** Name of the signal that ended it, e.g. `SIGKILL`. */
  readonly signal: string | null;
  /** The last lines Codex wrote to stderr, at most 8 KiB, without colour codes. */
  readonly stderrTail: string;
  /** Why it could not be started or read, when that is what happened. */
  readonly error?: Error;
}

/** A line from Codex that is no frame. */
export type UnreadableLine =
  | { readonly kind: "not-json"; readonly text: string }
  | { readonly kind: "too-long"; readonly bytes: number; readonly limit: number };

/** Receives what Codex sends. All calls are synchronous and in the order of the bytes. */
export interface TransportSink {
  /** One parsed line: any JSON value; `text` is the line itself, where it may be passed on as it came. */
  frame(frame: unknown, text?: string): void;
  /** All complete lines of one chunk have been handed over. */
  batchEnd(): void;
  /** A line that could not be parsed; reading goes on. */
  unreadable(line: UnreadableLine): void;
  /** Codex is gone. Comes once, after the last `frame` (CLOSE-09). */
  closed(exit: CodexExit): void;
}

/** Newline-delimited JSON to and from one Codex. */
export interface CodexTransport {
  /** Queues a frame. After the end of Codex it does nothing: `closed` tells the loss. */
  send(frame: object): void;
  /** Hands frames to `sink` from the next macrotask on. Call it once. */
  start(sink: TransportSink): void;
  /** Stops reading, so that Codex blocks on its stdout. The rest of the current chunk is still delivered. */
  pause(): void;
  resume(): void;
  /** Ends Codex and everything it started. Resolves when it is gone. */
  stop(): Promise<CodexExit>;
}

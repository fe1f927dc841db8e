/** What a host connection delivers. Called in order, one call at a time. */
export interface HostSink {
  /** One line, without its newline. */
  line(text: string): void;
  /** A line over the limit was skipped. */
  tooLong(bytes: number): void;
  /** The host is gone: no line follows. */
  closed(): void;
  /** The host does not read: what is sent piles up until `drained`. */
  stalled(): void;
  drained(): void;
}

/** The two directions of a host connection: stdio in production, memory in tests. */
export interface HostTransport {
  start(sink: HostSink): void;
  /** Queues one frame. Frames leave in the order of these calls, whoever makes them. */
  send(frame: object): void;
  /** Writes what is queued now; otherwise it leaves in the next macrotask. */
  flush(): void;
  /** Stops and restarts reading from the host. */
  pause(): void;
  resume(): void;
  /** Resolves once everything sent has been handed to the operating system, or cannot be: a host may never read again. */
  end(): Promise<void>;
}

/** Longest line accepted from a host, in bytes. */
export const maxHostLineBytes = 64 * 1024 * 1024;

/** How the bridge started `codex`. */
export interface CodexStart {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** How the scripted Codex ends. */
export interface CodexDeath {
  /** Exit code. Default 0 unless `signal` is given. */
  readonly code?: number;
  /** Ended by this signal, e.g. `SIGKILL`. */
  readonly signal?: "SIGKILL" | "SIGTERM" | "SIGSEGV";
  /** What it writes to stderr first. */
  readonly stderr?: string;
}

/** The scripted Codex's way to one bridge: a process at the end of a pipe, or an object in the same process. */
export interface CodexLink {
  /** Sends a frame as a line of its own. */
  frame(frame: object): void;
  /** Writes text as it is to stdout: no newline is added. */
  text(text: string): void;
  stderr(text: string): void;
  /** Closes stdout alone; the process lives on. */
  closeOutput(): void;
  /** Ends Codex once everything sent has been delivered. */
  die(how: CodexDeath): void;
}

/** What a link tells the scripted Codex. */
export interface CodexLinkEvents {
  frame(frame: unknown): void;
  /** A line from the bridge that is no JSON. */
  unreadable(text: string): void;
  /** The bridge closed stdin, or asked the process to end by this signal. */
  asked(what: "stdin-end" | "SIGTERM" | "SIGINT"): void;
  /** The link is gone. */
  closed(how: string): void;
}

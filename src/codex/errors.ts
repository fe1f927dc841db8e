import type { CodexExit } from "./transport.js";

/** Codex answered a request with an error. `code` and `data` are Codex's own. */
export class CodexRequestError extends Error {
  override readonly name = "CodexRequestError";
  readonly method: string;
  readonly code: number;
  readonly data: unknown;

  constructor(method: string, code: number, message: string, data?: unknown) {
    super(message);
    this.method = method;
    this.code = code;
    this.data = data;
  }
}

/** Codex went away before it answered, or was already gone. */
export class CodexLostError extends Error {
  override readonly name = "CodexLostError";
  readonly exit: CodexExit;

  constructor(exit: CodexExit) {
    super(describeExit(exit), exit.error === undefined ? undefined : { cause: exit.error });
    this.exit = exit;
  }
}

/** One sentence about how Codex ended, without its stderr. */
export function describeExit(exit: CodexExit): string {
  if (exit.error !== undefined) return `Codex is not running: ${exit.error.message}`;
  if (exit.signal !== null) return `Codex was ended by ${exit.signal}`;
  return `Codex exited with code ${exit.code ?? "unknown"}`;
}

/** Codex runs but did not answer its first request. */
export class CodexSilentError extends Error {
  override readonly name = "CodexSilentError";

  constructor(ms: number) {
    super(`Codex did not answer within ${ms / 1000} s`);
  }
}

/** The running Codex lacks methods that the bridge cannot do without. */
export class CodexUnsuitableError extends Error {
  override readonly name = "CodexUnsuitableError";
  readonly version: string | null;
  readonly missing: readonly string[];

  constructor(version: string | null, missing: readonly string[], install: string) {
    super(`Codex ${version ?? "of unknown version"} lacks ${missing.join(", ")}. ${install}`);
    this.version = version;
    this.missing = missing;
  }
}

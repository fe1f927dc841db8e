import {
  type CallOutcome,
  type CodexConnection,
  createConnection,
  type NotificationFrame,
} from "../codex/connection.js";
import { type CrashHistory, crashLoop, withCrash } from "../codex/crash-loop.js";
import {
  CodexLostError,
  CodexRequestError,
  CodexSilentError,
  CodexUnsuitableError,
  describeExit,
} from "../codex/errors.js";
import { createHandshake, type ReadyCodex } from "../codex/handshake.js";
import { CodexNotFoundError } from "../codex/resolve.js";
import type { ServerRequestFrame } from "../codex/server-requests.js";
import type { CodexTransport } from "../codex/transport.js";
import { testedCodex } from "../codex/version.js";
import { optOutNotificationMethods, requiredRequests, usedRequests } from "../generated/codex/dispatch.js";
import { errors } from "../generated/contract/errors.js";
import { hostRequests } from "../generated/contract/methods.js";
import type { Clock } from "../runtime/clock.js";
import { ContractError, type RequestDescriptor } from "../runtime/index.js";

export interface CodexLinkOptions {
  /** Starts a Codex. May throw `CodexNotFoundError` or a contract error. */
  open(): CodexTransport;
  readonly version: string;
  readonly clock: Clock;
  onNotification(notification: NotificationFrame): void;
  onServerRequest(request: ServerRequestFrame, connection: CodexConnection): void;
  onBatchEnd(): void;
  /** A Codex has been greeted: the moment to ask ahead what the next requests of the host will need. */
  onReady(): void;
  /** Every frame has been dispatched, every call has been settled. */
  onLost(reason: string): void;
  note(text: string): void;
  /** What nobody expects, for the log. */
  unexpected(where: string, error: unknown): void;
  /** One line for the person at the terminal. */
  warn(line: string): void;
}

/** A version, and the requests of ours that it does not have. */
export interface LackingCodex {
  readonly version: string;
  readonly requests: ReadonlySet<string>;
}

/** The Codex of one host connection: started at once, and again when one is needed after a loss. */
export interface CodexLink {
  ready(): Promise<ReadyCodex>;
  /** Sends a request to the running Codex; `settled` runs in order with the notifications around the answer. */
  call<Params, Result>(
    descriptor: RequestDescriptor<Params, Result>,
    params: Params,
    settled: (outcome: CallOutcome<Result>) => void,
  ): void;
  pause(): void;
  resume(): void;
  /** Of the Codex that was greeted last; null before that, or when it did not tell. */
  readonly version: string | null;
  /** Aborted with the loss of the running Codex. */
  readonly lost: AbortSignal;
  /** What the Codex that was greeted last does not have; nothing before that. */
  readonly lacking: LackingCodex;
  stop(): Promise<void>;
}

export function createCodexLink(options: CodexLinkOptions): CodexLink {
  let connection: CodexConnection | null = null;
  let lost = new AbortController();
  let paused = false;
  let stopped = false;
  let crashes: CrashHistory = [];
  const { clock } = options;

  const handshake = createHandshake({
    open() {
      if (stopped) throw errors.codexLost({ details: "the agent is shutting down" });
      const loop = crashLoop(crashes, clock.elapsed());
      if (loop) {
        const { count, waitMs } = loop;
        throw errors.codexCrashLoop({ count, seconds: Math.ceil(waitMs / 1000), retryAfterMs: waitMs });
      }
      lost = new AbortController();
      const gone = lost;
      const opened = createConnection(options.open(), {
        onNotification: options.onNotification,
        onServerRequest: (request) => options.onServerRequest(request, opened),
        onBatchEnd: options.onBatchEnd,
        onUnreadable: (line) => options.note(`Codex wrote a line that is no frame (${line.kind})`),
        onStray: (stray) => {
          if (stray.kind !== "handler-threw") options.note(`Frame without a receiver: ${stray.kind}`);
          // Nothing that Codex says may end the agent, of which other sessions live.
          else options.unexpected(`at Codex's ${stray.method}`, stray.error);
        },
        onLost(exit) {
          const reason = describeExit(exit);
          options.note(reason);
          gone.abort(errors.codexLost({ details: reason }));
          if (connection === opened) connection = null;
          if (!stopped) crashes = withCrash(crashes, clock.elapsed());
          options.onLost(reason);
        },
      });
      connection = opened;
      if (paused) opened.pause();
      return opened;
    },
    version: options.version,
    clock,
    optOutNotificationMethods,
    requiredRequests,
    usedRequests,
  });

  let warned = false;
  let greeted: ReadyCodex | null = null;
  const greet = async (): Promise<ReadyCodex> => {
    try {
      const codex = await handshake.ready();
      if (codex.warning !== null && !warned) options.warn(codex.warning);
      warned = true;
      if (greeted !== codex) {
        greeted = codex;
        options.onReady();
      }
      return codex;
    } catch (error) {
      const told = startError(error);
      // A Codex that was stopped before it had started is nobody's trouble.
      if (!stopped) options.warn(told.message);
      throw told;
    }
  };
  // Codex needs longer to start than the host to ask. The first request takes this attempt, whatever came of it.
  let first: Promise<ReadyCodex> | null = greet();
  first.catch(() => undefined);

  return {
    ready() {
      const attempt = first ?? greet();
      first = null;
      return attempt;
    },
    call(descriptor, params, settled) {
      if (connection) connection.call(descriptor, params, settled);
      else settled({ ok: false, error: new CodexLostError({ code: null, signal: null, stderrTail: "" }) });
    },
    pause() {
      paused = true;
      connection?.pause();
    },
    resume() {
      paused = false;
      connection?.resume();
    },
    get version() {
      return greeted?.version ?? null;
    },
    get lost() {
      return lost.signal;
    },
    get lacking() {
      return { version: greeted?.version ?? "of unknown version", requests: greeted?.lacking ?? new Set() };
    },
    async stop() {
      stopped = true;
      await connection?.stop();
    },
  };
}

/** Why there is no Codex, as the host is told (INIT-12). */
function startError(error: unknown): ContractError {
  if (error instanceof ContractError) return error;
  if (error instanceof CodexNotFoundError) {
    return errors.codexNotFound({ path: error.tried.join(", ") }, { cause: error });
  }
  if (error instanceof CodexSilentError) {
    return errors.codexNoAnswer({ method: hostRequests.initialize.method, seconds: 30 }, { cause: error });
  }
  if (error instanceof CodexUnsuitableError) {
    const version = error.version ?? "of unknown version";
    const method = error.missing.join(", ");
    return errors.codexTooOld(
      { version, method, wanted: `>=${testedCodex.first} <${testedCodex.end}` },
      { cause: error },
    );
  }
  if (error instanceof CodexLostError || error instanceof CodexRequestError) {
    return errors.codexFailedToStart({ details: error.message }, { cause: error });
  }
  const details = error instanceof Error ? error.message : String(error);
  return errors.codexFailedToStart({ details }, { cause: error });
}

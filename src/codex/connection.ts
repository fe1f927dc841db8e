import { type CallOptions, keepText, type NotificationDescriptor, type RequestDescriptor } from "../runtime/index.js";
import { CodexLostError, CodexRequestError } from "./errors.js";
import { createServerRequests, type RequestId, type ServerRequestFrame } from "./server-requests.js";
import type { CodexExit, CodexTransport, UnreadableLine } from "./transport.js";

export interface NotificationFrame {
  readonly method: string;
  readonly params: unknown;
  /** The line it came as, where it came as one. */
  readonly text?: string | undefined;
}

export type CallOutcome<Result> =
  | { readonly ok: true; readonly result: Result }
  | { readonly ok: false; readonly error: CodexRequestError | CodexLostError };

export interface CallHandle {
  readonly id: number;
  /** Gives the answer up: `settled` will not run. Codex is not told, as it has no way to cancel a request. */
  forget(): void;
}

/** Something on the wire that has no receiver. It is for the log; nothing waits for it. */
export type Stray =
  | { readonly kind: "not-a-frame"; readonly frame: unknown }
  | { readonly kind: "unknown-response"; readonly id: unknown; readonly frame: object }
  | { readonly kind: "late-response"; readonly id: number; readonly frame: object }
  | { readonly kind: "answer-refused"; readonly id: RequestId }
  | { readonly kind: "handler-threw"; readonly method: string; readonly error: unknown };

/** What the user of a connection receives; all calls are synchronous and in the order of the frames. */
export interface ConnectionHandlers {
  onNotification(notification: NotificationFrame): void;
  onServerRequest(request: ServerRequestFrame): void;
  /** The frames of one chunk have been dispatched: the time to flush. */
  onBatchEnd(): void;
  onUnreadable(line: UnreadableLine): void;
  /** Codex is gone: every frame has been dispatched, every pending call has been settled. */
  onLost(exit: CodexExit): void;
  onStray(stray: Stray): void;
}

/** JSON-RPC with Codex, which knows no `jsonrpc` member. */
export interface CodexConnection {
  /**
   * Sends a request; `settled` runs while its response frame is dispatched, in order with the notifications around it.
   * On a lost connection it runs in a microtask.
   */
  call<Params, Result>(
    descriptor: RequestDescriptor<Params, Result>,
    params: Params,
    settled: (outcome: CallOutcome<Result>) => void,
    options?: Pick<CallOptions, "verbatim">,
  ): CallHandle;
  /** `call` as a promise. Rejects with `CodexRequestError`, `CodexLostError` or the reason of `signal`. */
  request<Params, Result>(
    descriptor: RequestDescriptor<Params, Result>,
    params: Params,
    options?: CallOptions,
  ): Promise<Result>;
  notify<Params>(descriptor: NotificationDescriptor<Params>, params: Params): void;
  /** Answers a server request. False when it is not open: already answered, withdrawn, or never asked. */
  respond(id: RequestId, result: unknown): boolean;
  respondError(id: RequestId, code: number, message: string, data?: unknown): boolean;
  /** Codex took the request back (`serverRequest/resolved`): a later answer is not sent. */
  withdraw(id: RequestId): boolean;
  pause(): void;
  resume(): void;
  stop(): Promise<CodexExit>;
  /** How Codex ended, once it has. */
  readonly lost: CodexExit | null;
}

interface Pending {
  readonly method: string;
  readonly verbatim: boolean;
  settle(outcome: CallOutcome<unknown>): void;
}

interface WireError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isWireError = (value: unknown): value is WireError =>
  isObject(value) && typeof value["code"] === "number" && typeof value["message"] === "string";

export function createConnection(transport: CodexTransport, handlers: ConnectionHandlers): CodexConnection {
  const pending = new Map<number, Pending>();
  const asked = createServerRequests(transport, handlers);
  let lastId = 0;
  let lost: CodexExit | null = null;

  const settleWith = (call: Pending, outcome: CallOutcome<unknown>): void => {
    try {
      call.settle(outcome);
    } catch (error) {
      handlers.onStray({ kind: "handler-threw", method: call.method, error });
    }
  };

  const dispatchResponse = (frame: Record<string, unknown>, text: string | undefined): void => {
    const id = frame["id"];
    const call = typeof id === "number" ? pending.get(id) : undefined;
    if (typeof id !== "number" || call === undefined) {
      const ours = typeof id === "number" && Number.isInteger(id) && id >= 1 && id <= lastId;
      handlers.onStray(ours ? { kind: "late-response", id, frame } : { kind: "unknown-response", id, frame });
      return;
    }
    pending.delete(id);
    const error = frame["error"];
    if (call.verbatim && text !== undefined) keepText(frame, error === undefined ? "result" : "error", text);
    if (error === undefined) settleWith(call, { ok: true, result: frame["result"] });
    else if (isWireError(error)) {
      settleWith(call, { ok: false, error: new CodexRequestError(call.method, error.code, error.message, error.data) });
    } else {
      const text = `Codex answered ${call.method} with an error that has no code and message`;
      settleWith(call, { ok: false, error: new CodexRequestError(call.method, -32603, text, error) });
    }
  };

  const dispatch = (frame: unknown, line?: string): void => {
    if (!isObject(frame)) {
      handlers.onStray({ kind: "not-a-frame", frame });
      return;
    }
    const method = frame["method"];
    if (typeof method === "string") {
      if (frame["id"] !== undefined) {
        asked.receive(frame["id"], method, frame["params"]);
        return;
      }
      try {
        handlers.onNotification({ method, params: frame["params"], text: line });
      } catch (error) {
        handlers.onStray({ kind: "handler-threw", method, error });
      }
    } else if (frame["result"] !== undefined || frame["error"] !== undefined) dispatchResponse(frame, line);
    else handlers.onStray({ kind: "not-a-frame", frame });
  };

  transport.start({
    frame: dispatch,
    batchEnd: () => handlers.onBatchEnd(),
    unreadable: (line) => handlers.onUnreadable(line),
    closed(exit) {
      lost = exit;
      asked.close();
      const error = new CodexLostError(exit);
      const calls = [...pending.values()];
      pending.clear();
      for (const call of calls) settleWith(call, { ok: false, error });
      handlers.onLost(exit);
    },
  });

  const connection: CodexConnection = {
    call<Params, Result>(
      descriptor: RequestDescriptor<Params, Result>,
      params: Params,
      settled: (outcome: CallOutcome<Result>) => void,
      { verbatim = false } = {},
    ) {
      const id = ++lastId;
      const { method } = descriptor;
      // The one place where a result gets its type: the descriptor's, taken from Codex's own schema.
      const entry: Pending = { method, verbatim, settle: (outcome) => settled(outcome as CallOutcome<Result>) };
      if (lost === null) {
        pending.set(id, entry);
        transport.send(params === undefined ? { id, method } : { id, method, params });
        return { id, forget: () => void pending.delete(id) };
      }
      let wanted = true;
      const error = new CodexLostError(lost);
      queueMicrotask(() => {
        if (wanted) settleWith(entry, { ok: false, error });
      });
      return {
        id,
        forget() {
          wanted = false;
        },
      };
    },
    request<Params, Result>(descriptor: RequestDescriptor<Params, Result>, params: Params, options?: CallOptions) {
      const signal = options?.signal;
      return new Promise<Result>((resolve, reject) => {
        if (signal?.aborted === true) {
          reject(signal.reason);
          return;
        }
        const onAbort = (): void => {
          call.forget();
          reject(signal?.reason);
        };
        const settled = (outcome: CallOutcome<Result>): void => {
          signal?.removeEventListener("abort", onAbort);
          if (outcome.ok) resolve(outcome.result);
          else reject(outcome.error);
        };
        const call = connection.call(descriptor, params, settled, options);
        signal?.addEventListener("abort", onAbort, { once: true });
      });
    },
    notify(descriptor, params) {
      const { method } = descriptor;
      transport.send(params === undefined ? { method } : { method, params });
    },
    respond: (id, result) => asked.answer(id, { result }),
    respondError: (id, code, message, data) =>
      asked.answer(id, { error: data === undefined ? { code, message } : { code, message, data } }),
    withdraw: (id) => asked.withdraw(id),
    pause: () => transport.pause(),
    resume: () => transport.resume(),
    stop: () => transport.stop(),
    get lost() {
      return lost;
    },
  };
  return connection;
}

import { agentRequests } from "../generated/contract/methods.js";
import { resultParsers } from "../generated/contract/parsers.js";
import type { Parser, RequestDescriptor } from "../runtime/index.js";

/** The host answered a request of ours with an error, or with something off its schema. */
export class HostAnswerError extends Error {
  override readonly name = "HostAnswerError";
  /** Where the answer is off its schema; null when it is an error, or there is none. */
  readonly fault: { readonly path: string; readonly expected: string } | null;

  constructor(message: string, fault: HostAnswerError["fault"] = null) {
    super(message);
    this.fault = fault;
  }
}

/** Our requests to the host. */
export interface Outgoing {
  /** Sends at once. Aborting `signal` sends `$/cancel_request` and rejects at once; a late answer is dropped. */
  request<Params, Result>(
    descriptor: RequestDescriptor<Params, Result>,
    params: Params,
    options?: { readonly signal?: AbortSignal },
  ): Promise<Result>;
  /** True when the message is a response, and so nobody else's. */
  take(message: unknown): boolean;
  /** The host is gone: every open request rejects. */
  close(): void;
}

export interface OutgoingOptions {
  send(frame: object): void;
  /** Wire name of the notification that takes a request back. */
  readonly cancelMethod: string;
  /** A response to nothing, for the log. */
  stray(id: unknown): void;
}

interface Pending {
  readonly parse: Parser<unknown> | undefined;
  resolve(result: unknown): void;
  reject(error: Error): void;
}

const keys = Object.keys(agentRequests) as (keyof typeof agentRequests)[];

const parsers: ReadonlyMap<string, Parser<unknown>> = new Map(
  keys.map((key) => [agentRequests[key].method, resultParsers[key]]),
);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const gone = (): Error => new HostAnswerError("the host is gone");

/**
 * Requests are written in order with every update: the SDK's own way out is a queue beside ours, on which a dialog
 * could appear after the idle of its turn.
 */
export function createOutgoing({ send, cancelMethod, stray }: OutgoingOptions): Outgoing {
  const pending = new Map<unknown, Pending>();
  /** Given up by us; the host owes an answer nobody waits for. */
  const abandoned = new Set<unknown>();
  let lastId = 0;
  let closed = false;

  return {
    request<Params, Result>(
      { method }: RequestDescriptor<Params, Result>,
      params: Params,
      { signal }: { readonly signal?: AbortSignal } = {},
    ): Promise<Result> {
      if (closed) return Promise.reject(gone());
      if (signal?.aborted) return Promise.reject(signal.reason);
      lastId += 1;
      const id = lastId;
      const answer = new Promise<Result>((resolve, reject) => {
        const abort = (): void => {
          if (!pending.delete(id)) return;
          abandoned.add(id);
          send({ jsonrpc: "2.0", method: cancelMethod, params: { requestId: id } });
          reject(signal?.reason);
        };
        signal?.addEventListener("abort", abort, { once: true });
        const forget = (): void => signal?.removeEventListener("abort", abort);
        pending.set(id, {
          parse: parsers.get(method),
          resolve(result) {
            forget();
            // Parsed by the method's own parser.
            resolve(result as Result);
          },
          reject(error) {
            forget();
            reject(error);
          },
        });
      });
      send({ jsonrpc: "2.0", id, method, params });
      return answer;
    },

    take(message) {
      if (!isObject(message) || "method" in message || !("id" in message)) return false;
      const { id, result, error } = message;
      if (!("result" in message) && !("error" in message)) return false;
      const call = pending.get(id);
      if (!call) {
        if (!abandoned.delete(id)) stray(id);
        return true;
      }
      pending.delete(id);
      if ("error" in message) {
        const said = isObject(error) ? error["message"] : undefined;
        const text = typeof said === "string" ? said : "no text";
        call.reject(new HostAnswerError(`the host answered with an error: ${text}`));
        return true;
      }
      const parsed = call.parse?.(result) ?? { ok: true, value: result };
      if (parsed.ok) call.resolve(parsed.value);
      else {
        const { path, expected } = parsed.fault;
        call.reject(
          new HostAnswerError(`the host's answer is off its schema: expected ${expected} at ${path}`, {
            path,
            expected,
          }),
        );
      }
      return true;
    },

    close() {
      closed = true;
      for (const call of pending.values()) call.reject(gone());
      pending.clear();
      abandoned.clear();
    },
  };
}

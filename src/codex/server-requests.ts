import type { ConnectionHandlers } from "./connection.js";
import type { CodexTransport } from "./transport.js";

/** Id of a request from Codex. Opaque: it may be 0. */
export type RequestId = number | string;

/** A request from Codex. */
export interface ServerRequestFrame {
  readonly id: RequestId;
  readonly method: string;
  readonly params: unknown;
  /** A request with this id is already open: Codex sends it again when its thread is resumed. */
  readonly repeated: boolean;
}

type Answer = { readonly result: unknown } | { readonly error: object };

/** The open requests of Codex: each gets exactly one answer. */
export interface ServerRequests {
  receive(id: unknown, method: string, params: unknown): void;
  answer(id: RequestId, answer: Answer): boolean;
  withdraw(id: RequestId): boolean;
  /** Codex is gone: nothing can be answered any more. */
  close(): void;
}

export function createServerRequests(
  transport: Pick<CodexTransport, "send">,
  handlers: Pick<ConnectionHandlers, "onServerRequest" | "onStray">,
): ServerRequests {
  const open = new Set<RequestId>();
  return {
    receive(id, method, params) {
      if (typeof id !== "number" && typeof id !== "string") {
        handlers.onStray({ kind: "not-a-frame", frame: { id, method, params } });
        return;
      }
      const repeated = open.has(id);
      open.add(id);
      try {
        handlers.onServerRequest({ id, method, params, repeated });
      } catch (error) {
        handlers.onStray({ kind: "handler-threw", method, error });
        // Codex would wait for ever.
        if (open.delete(id)) transport.send({ id, error: { code: -32603, message: "Internal error" } });
      }
    },
    answer(id, answer) {
      if (!open.delete(id)) {
        handlers.onStray({ kind: "answer-refused", id });
        return false;
      }
      transport.send({ id, ...answer });
      return true;
    },
    withdraw: (id) => open.delete(id),
    close: () => open.clear(),
  };
}

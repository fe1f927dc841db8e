import type { Update } from "../projection/update.js";

/**
 * The way of one session's updates to the host. It opens after the response that names the session, so what
 * comes before waits; after `close` nothing leaves any more.
 */
export interface Outbox {
  push(update: Update): void;
  open(): void;
  close(): void;
}

export function createOutbox(send: (update: Update) => void): Outbox {
  let held: Update[] | null = [];
  let closed = false;
  return {
    push(update) {
      if (closed) return;
      if (held) held.push(update);
      else send(update);
    },
    open() {
      const waiting = held ?? [];
      held = null;
      if (!closed) for (const update of waiting) send(update);
    },
    close() {
      closed = true;
      held = [];
    },
  };
}

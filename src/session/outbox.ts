import type { Update } from "../projection/update.js";

/**
 * The way of one session's updates to the host. It opens after the response that names the session, so what
 * comes before waits; after `close` nothing leaves any more.
 */
export interface Outbox {
  push(update: Update): void;
  /** Runs `task` when everything pushed before it has left: at once, unless the outbox is still shut. */
  inOrder(task: () => void): void;
  open(): void;
  close(): void;
}

export function createOutbox(send: (update: Update) => void): Outbox {
  let held: (() => void)[] | null = [];
  let closed = false;
  const outbox: Outbox = {
    // No closure for what leaves at once: this is the way of every delta.
    push(update) {
      if (held) outbox.inOrder(() => send(update));
      else if (!closed) send(update);
    },
    inOrder(task) {
      if (closed) return;
      if (held) held.push(task);
      else task();
    },
    open() {
      const waiting = held ?? [];
      held = null;
      for (const task of waiting) if (!closed) task();
    },
    close() {
      closed = true;
      held = [];
    },
  };
  return outbox;
}

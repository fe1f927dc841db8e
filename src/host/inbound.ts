import type { Clock } from "../runtime/clock.js";

/** What the stage needs to know of a message; everything else is left to the SDK. */
interface MessageHead {
  readonly id?: unknown;
  readonly method?: unknown;
}

export interface InboundStage {
  push(message: unknown): void;
  /** A response to the host was written: a held `initialize` may go on. */
  answered(id: unknown): void;
  /** No message follows; what is queued is still handed on. */
  end(): void;
}

export interface InboundOptions {
  readonly clock: Clock;
  /** The wire name of the method of which one request at a time is handed on. */
  readonly initializeMethod: string;
  /** False: it was answered at once, or needs no answer. */
  hand(message: unknown): boolean;
  ended(): void;
  /** The queue passed its bound, or is below it again: stop or restart reading from the host. */
  full(): void;
  free(): void;
}

/** Messages held back before reading stops. */
const bound = 1024;

/**
 * Hands the host's messages on, one per macrotask and in their order. The SDK starts all messages of one read at
 * once, each after as many micro-steps as handlers stand before its own, so that prompt-then-cancel could run as
 * cancel-then-prompt. A second `initialize` waits until the first is answered, and what follows waits behind it.
 */
export function createInboundStage(options: InboundOptions): InboundStage {
  const queue: unknown[] = [];
  let next = 0;
  let scheduled = false;
  let initializing: { readonly id: unknown } | undefined;
  let full = false;
  let ended = false;

  const isInitialize = (message: unknown): message is MessageHead =>
    typeof message === "object" &&
    message !== null &&
    (message as MessageHead).method === options.initializeMethod &&
    (message as MessageHead).id !== undefined;

  /** Once the host is gone nobody waits for the order of answers. */
  const held = (): boolean => initializing !== undefined && !ended && isInitialize(queue[next]);

  function schedule(): void {
    if (scheduled || (next === queue.length && !ended)) return;
    if (held()) return;
    scheduled = true;
    options.clock.soon(pump);
  }

  function pump(): void {
    scheduled = false;
    if (next === queue.length) {
      if (ended) options.ended();
      return;
    }
    if (held()) return;
    const message = queue[next];
    next += 1;
    if (next === queue.length || next === bound) {
      queue.splice(0, next);
      next = 0;
    }
    if (options.hand(message) && isInitialize(message)) initializing = { id: message.id };
    if (full && queue.length - next < bound / 2) {
      full = false;
      options.free();
    }
    schedule();
  }

  return {
    push(message) {
      queue.push(message);
      if (!full && queue.length - next >= bound) {
        full = true;
        options.full();
      }
      schedule();
    },
    answered(id) {
      if (!initializing || initializing.id !== id) return;
      initializing = undefined;
      schedule();
    },
    end() {
      ended = true;
      schedule();
    },
  };
}

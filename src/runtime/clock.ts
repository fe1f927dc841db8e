/** Time as the bridge sees it; tests put a virtual clock in its place (`src/testing/virtual-clock.ts`). */
export interface Clock {
  /** Unix milliseconds: the time of day, which a person or a time server sets forward and back. For what is shown alone. */
  now(): number;
  /** Milliseconds since some moment, which nobody sets: for how long something took or may still take. */
  elapsed(): number;
  /** Runs `fn` once after `ms`; the returned function takes it back. */
  after(ms: number, fn: () => void): () => void;
  /** Runs `fn` in a macrotask of its own, after what is already queued. */
  soon(fn: () => void): void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(ms, fn) {
    const timer = setTimeout(fn, ms);
    return () => clearTimeout(timer);
  },
  soon: (fn) => void setImmediate(fn),
};

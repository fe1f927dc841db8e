/** Time as the bridge sees it; tests put a virtual clock in its place (`src/testing/virtual-clock.ts`). */
export interface Clock {
  /** Unix milliseconds. */
  now(): number;
  /** Runs `fn` once after `ms`; the returned function takes it back. */
  after(ms: number, fn: () => void): () => void;
  /** Runs `fn` in a macrotask of its own, after what is already queued. */
  soon(fn: () => void): void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, fn) {
    const timer = setTimeout(fn, ms);
    return () => clearTimeout(timer);
  },
  soon: (fn) => void setImmediate(fn),
};

import type { Clock } from "../runtime/clock.js";

/** Chooses which of `count` tasks, all due now and in the order they were queued, runs next: an index below `count`. */
export type Pick = (count: number) => number;

export interface VirtualClockOptions {
  /** Unix milliseconds at the start. Default 2026-01-01T00:00:00Z. */
  readonly start?: number;
  /** Which of the tasks that are due runs next. Default: the oldest. */
  readonly pick?: Pick;
  /** True: soon-tasks run by themselves, one per macrotask, and only timers wait for `advance`. Default false. */
  readonly auto?: boolean;
  /** Takes what a task throws that runs by itself. Default: it is thrown, uncaught. */
  readonly onError?: (error: unknown) => void;
  /** Tasks that one `settle` or `advance` may run before it gives up. Default 100,000. */
  readonly limit?: number;
}

export interface VirtualClock extends Clock {
  /** Runs one soon-task. False when there is none. */
  runSoon(): boolean;
  /** Runs soon-tasks, and the microtasks around each, until nothing is left but timers. Rejects with what a task threw. */
  settle(): Promise<void>;
  /** Lets `ms` pass: each timer runs at its own time, with everything settled before and after it. */
  advance(ms: number): Promise<void>;
  /** Sets the time of day forward or back, as a person or a time server does: no timer is moved by it. */
  jump(ms: number): void;
  /** Timers that are set, as milliseconds from now, soonest first. */
  readonly timers: readonly number[];
}

interface Timer {
  readonly due: number;
  readonly fn: () => void;
}

/** Resolves in a macrotask of its own: every microtask that was ready, and what those queued, has run. */
const macrotask = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A generator of pseudo-random choices: the same seed gives the same run. */
export function seededPick(seed: number): Pick {
  let state = seed >>> 0;
  return (count) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % count;
  };
}

/** A clock whose time passes only through `advance`. Tasks run in the order they were queued, or as `pick` says. */
export function createVirtualClock(options: VirtualClockOptions = {}): VirtualClock {
  const { pick = () => 0, auto = false, limit = 100_000 } = options;
  const queue: (() => void)[] = [];
  const timers = new Set<Timer>();
  let now = options.start ?? Date.UTC(2026, 0, 1);
  /** What has been added to the time of day. */
  let skew = 0;
  let pumping = false;

  const choose = <T>(due: readonly T[]): T | undefined => (due.length > 1 ? due[pick(due.length)] : due[0]);

  function runSoon(): boolean {
    const task = choose(queue);
    if (task === undefined) return false;
    queue.splice(queue.indexOf(task), 1);
    task();
    return true;
  }

  function pump(): void {
    pumping = false;
    try {
      runSoon();
    } catch (error) {
      if (options.onError === undefined) throw error;
      options.onError(error);
    } finally {
      schedule();
    }
  }

  function schedule(): void {
    if (!auto || pumping || queue.length === 0) return;
    pumping = true;
    setImmediate(pump);
  }

  async function settle(): Promise<void> {
    for (let ran = 0; ; ran += 1) {
      if (ran > limit) throw new Error(`the virtual clock did not come to rest after ${limit} tasks`);
      await macrotask();
      if (!runSoon() && !pumping) return;
    }
  }

  async function advance(ms: number): Promise<void> {
    const target = now + ms;
    await settle();
    for (let ran = 0; ; ran += 1) {
      if (ran > limit) throw new Error(`the virtual clock ran ${limit} timers without reaching its time`);
      const next = Math.min(...[...timers].map((timer) => timer.due));
      if (next > target) break;
      const timer = choose([...timers].filter(({ due }) => due === next));
      if (timer === undefined) break;
      timers.delete(timer);
      now = Math.max(now, timer.due);
      timer.fn();
      await settle();
    }
    now = target;
  }

  return {
    now: () => now + skew,
    elapsed: () => now,
    after(ms, fn) {
      const timer: Timer = { due: now + Math.max(0, ms), fn };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    soon(fn) {
      queue.push(fn);
      schedule();
    },
    runSoon,
    settle,
    advance,
    jump(ms) {
      skew += ms;
    },
    get timers() {
      return [...timers].map(({ due }) => due - now).sort((a, b) => a - b);
    },
  };
}

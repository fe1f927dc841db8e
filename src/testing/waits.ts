import type { FrameLog } from "./frames.js";

/** Waiting for something to show in the log, without polling. */
export interface Waits {
  /**
   * Resolves with the first value of `probe` that is not undefined. `probe` runs at once, and after each log entry has reached its receiver.
   * Rejects, with the log's tail, when the deadline passes; with what `probe` throws; with the error given to `fail`.
   */
  until<T>(what: string, probe: () => T | undefined): Promise<T>;
  /** `promise` under the same deadline, for what does not show in the log. */
  within<T>(what: string, promise: Promise<T>): Promise<T>;
  /** Makes every wait, open or to come, fail with `error`. The first call counts. */
  fail(error: Error): void;
  readonly failure: Error | undefined;
}

/** Waits of at most `deadlineMs` (default 8000) of real time each. */
export function createWaits(log: FrameLog, deadlineMs = 8_000): Waits {
  const onFail = new Set<(error: Error) => void>();
  let failure: Error | undefined;

  const guarded = <T>(what: string, run: (done: (value: T) => void, failed: (error: unknown) => void) => () => void) =>
    new Promise<T>((resolve, reject) => {
      if (failure !== undefined) {
        reject(failure);
        return;
      }
      let stop: (() => void) | undefined;
      const end = (): void => {
        clearTimeout(timer);
        onFail.delete(failed);
        stop?.();
      };
      const failed = (error: unknown): void => {
        end();
        reject(error);
      };
      const done = (value: T): void => {
        end();
        resolve(value);
      };
      const timer = setTimeout(
        () => failed(new Error(`waited ${deadlineMs} ms in vain for ${what}; the log ends with:\n${log.tail()}`)),
        deadlineMs,
      );
      onFail.add(failed);
      stop = run(done, failed);
    });

  return {
    until: (what, probe) =>
      guarded(what, (done, failed) => {
        let over = false;
        const look = (): void => {
          if (over) return;
          try {
            const value = probe();
            if (value === undefined) return;
            over = true;
            done(value);
          } catch (error) {
            over = true;
            failed(error);
          }
        };
        look();
        if (over) return () => undefined;
        // A frame is logged before its receiver has seen it; the probe may ask for what the receiver makes of it.
        return log.subscribe(() => queueMicrotask(look));
      }),
    within: (what, promise) =>
      guarded(what, (done, failed) => {
        promise.then(done, failed);
        return () => undefined;
      }),
    fail(error) {
      if (failure !== undefined) return;
      failure = error;
      for (const failed of [...onFail]) failed(error);
    },
    get failure() {
      return failure;
    },
  };
}

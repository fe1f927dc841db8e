import { errors } from "../../generated/contract/errors.js";

/**
 * Runs `start` and waits for it, unless the request is cancelled: then nothing is started any more, and what already runs
 * ends unheard (HIST-80 to HIST-82).
 */
export function unlessCancelled<T>(signal: AbortSignal, start: () => Promise<T>): Promise<T> {
  if (signal.aborted) return Promise.reject(errors.historyCancelled());
  return new Promise((resolve, reject) => {
    const cancel = (): void => reject(errors.historyCancelled());
    signal.addEventListener("abort", cancel, { once: true });
    const over = (): void => signal.removeEventListener("abort", cancel);
    start().then(
      (value) => {
        over();
        resolve(value);
      },
      (error: unknown) => {
        over();
        reject(error);
      },
    );
  });
}

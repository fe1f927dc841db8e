/** Runs work at once or when its turn comes, no more than `limit` at a time. */
export function atMost(limit: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running < limit) running += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      // Its place goes to the next, so that nobody who comes later gets in between.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

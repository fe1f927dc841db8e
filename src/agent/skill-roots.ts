/** Skill roots are one setting for the whole Codex process; a turn reads them as it starts (CACHE-05 to CACHE-07). */
export interface SkillRoots {
  /**
   * Waits until `roots` may be the process's roots, makes them so, and keeps them until `release` is called. Those who
   * want the same roots hold them together; others wait their turn, so that nobody's start sees another's roots.
   */
  acquire(roots: readonly string[]): Promise<() => void>;
  /** The roots as last set. */
  readonly current: readonly string[];
  /** Codex is gone: the next one starts without roots. */
  forget(): void;
}

interface Waiter {
  readonly key: string;
  readonly roots: readonly string[];
  go(): void;
}

/** `set` tells Codex; while it fails, the old roots are taken to stand. */
export function createSkillRoots(set: (roots: readonly string[]) => Promise<void>): SkillRoots {
  let current: readonly string[] = [];
  let holders = 0;
  let switching = false;
  const waiting: Waiter[] = [];
  const keyOf = (roots: readonly string[]): string => JSON.stringify(roots);

  function next(): void {
    if (switching) return;
    const [first] = waiting;
    if (!first) return;
    if (first.key === keyOf(current)) {
      waiting.shift();
      holders += 1;
      first.go();
      next();
      return;
    }
    if (holders > 0) return;
    switching = true;
    set(first.roots)
      .then(
        () => {
          current = first.roots;
        },
        () => {
          // The turn goes on with the skills there are; a Codex that is gone will say so itself.
          waiting.shift();
          holders += 1;
          first.go();
        },
      )
      .finally(() => {
        switching = false;
        next();
      });
  }

  return {
    acquire(roots) {
      return new Promise((resolve) => {
        let released = false;
        waiting.push({
          key: keyOf(roots),
          roots,
          go: () =>
            resolve(() => {
              if (released) return;
              released = true;
              holders -= 1;
              next();
            }),
        });
        next();
      });
    },
    get current() {
      return current;
    },
    forget() {
      current = [];
    },
  };
}

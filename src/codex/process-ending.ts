import type { Clock } from "../runtime/clock.js";
import type { ProcessTree } from "./process-tree.js";

/** How long each step of ending Codex may take, in ms. Together well below 5 s. */
export const GRACE = {
  /** After the end of its stdin, before SIGTERM. */
  eof: 1500,
  /** After SIGTERM, before SIGKILL. */
  term: 1000,
  /** After SIGKILL. */
  kill: 500,
  /** For what it left behind: after each of SIGTERM and SIGKILL. */
  leftovers: 500,
  /** Between two looks at what it has started, or left behind: nothing reports the starts and exits of those. */
  look: 25,
} as const;

export interface Endable {
  readonly tree: ProcessTree;
  readonly clock: Clock;
  closeStdin(): void;
  hasExited(): boolean;
  /** Runs `fn` when it exits. */
  onExit(fn: () => void): void;
}

/** Asks, then forces: stdin EOF, SIGTERM, SIGKILL. Resolves when nothing of the tree is left to be signalled. */
export async function endProcess(target: Endable): Promise<void> {
  const { tree, clock } = target;
  const within = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      if (target.hasExited()) {
        resolve();
        return;
      }
      // What is started now, perhaps in a session of its own, must be known before its parents are gone.
      const lookAgain = (): void => {
        tree.remember();
        stopLooking = clock.after(GRACE.look, lookAgain);
      };
      let stopLooking = clock.after(GRACE.look, lookAgain);
      const over = (): void => {
        stopLooking();
        takeBack();
        resolve();
      };
      const takeBack = clock.after(ms, over);
      target.onExit(over);
    });
  tree.remember();
  target.closeStdin();
  await within(GRACE.eof);
  if (!target.hasExited()) {
    tree.kill("SIGTERM");
    await within(GRACE.term);
  }
  if (!target.hasExited()) {
    tree.kill("SIGKILL");
    await within(GRACE.kill);
  }
  await endLeftovers(tree, clock);
}

/** Ends what an exited Codex left running. */
export async function endLeftovers(tree: ProcessTree, clock: Clock): Promise<void> {
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    if (!tree.alive()) return;
    tree.kill(signal);
    for (let waited = 0; waited < GRACE.leftovers; waited += GRACE.look) {
      await new Promise<void>((resolve) => void clock.after(GRACE.look, resolve));
      if (!tree.alive()) return;
    }
  }
}

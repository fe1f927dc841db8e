import type { Waits } from "../testing/waits.js";
import { type Scene, until } from "./scene.js";

/** Waits for the scripted Codex under the clock of the case. A failure is the suite's own: its script went wrong. */
export function createCaseWaits(stage: Pick<Scene, "timeline" | "clock" | "deadlineMs">): Waits {
  let failure: Error | undefined;
  const gone = (what: string): Error => new Error(`waited ${stage.deadlineMs} ms in vain for ${what}`);
  return {
    async until(what, probe) {
      const value = await until(stage, () => {
        if (failure !== undefined) throw failure;
        const found = probe();
        return found === undefined ? undefined : { found };
      });
      if (value === null) throw gone(what);
      return value.found;
    },
    within: (what, promise) =>
      new Promise((resolve, reject) => {
        const cancel = stage.clock.after(stage.deadlineMs, () => reject(gone(what)));
        promise.then(resolve, reject).finally(cancel);
      }),
    fail(error) {
      failure ??= error;
    },
    get failure() {
      return failure;
    },
  };
}

import type { Outcome } from "./events.js";
import { finishAnswered } from "./finish.js";
import type { SessionState } from "./state.js";
import { type Step, stay, step, turnKey } from "./step.js";

/** How long the end of a turn may be late once its compaction has ended. */
const overdueMs = 3000;

/** Status reads of a compaction count from here, so that they are not taken for those of a stop. */
const statusAttempt = -1;

/** A compaction's item has ended; its turn should end at once. When it does not, Codex is asked (K-34). */
export function awaitCompaction(state: SessionState): Step {
  const { turn } = state;
  if (turn?.action !== "compact") return stay(state);
  return step(state, {
    type: "after",
    timer: "compaction",
    ms: overdueMs,
    about: turnKey(turn),
    attempt: statusAttempt,
  });
}

export function onCompactionTimer(state: SessionState, about: string): Step {
  const { turn } = state;
  if (turn?.action !== "compact" || turnKey(turn) !== about || turn.cancellation !== null) return stay(state);
  return step(state, { type: "readStatus", about, attempt: statusAttempt });
}

export const isCompactionStatus = (attempt: number): boolean => attempt === statusAttempt;

/** Idle is the end that was missed; anything else is waited for. */
export function onCompactionStatus(
  state: SessionState,
  about: string,
  outcome: Outcome<"idle" | "notLoaded" | "active" | "systemError">,
): Step {
  const { turn } = state;
  if (turn?.action !== "compact" || turnKey(turn) !== about || turn.cancellation !== null) return stay(state);
  if (outcome.ok && (outcome.value === "idle" || outcome.value === "notLoaded")) {
    return finishAnswered({ ...state, unloaded: state.unloaded || outcome.value === "notLoaded" }, turn);
  }
  return awaitCompaction(state);
}

import type { SessionState } from "./state.js";
import { currentState, type Step, stay, step, update, withTurn } from "./step.js";

/** A request that blocks the turn was put to the host. Only the first says so (STATE-06). */
export function onBlocked(state: SessionState, key: string): Step {
  const { turn } = state;
  if (!turn || turn.stage === "finishing" || turn.blocking.has(key)) return stay(state);
  const next = withTurn(state, turn, { blocking: new Set(turn.blocking).add(key) });
  return turn.blocking.size === 0 ? step(next, update(currentState(next))) : stay(next);
}

/** It was answered or taken back. A request of an earlier turn is not among this turn's (STATE-12, A-33). */
export function onUnblocked(state: SessionState, key: string): Step {
  const { turn } = state;
  if (!turn?.blocking.has(key)) return stay(state);
  const blocking = new Set(turn.blocking);
  blocking.delete(key);
  const next = withTurn(state, turn, { blocking });
  return blocking.size === 0 && turn.stage !== "finishing" && turn.stage !== "planning"
    ? step(next, update(currentState(next)))
    : stay(next);
}

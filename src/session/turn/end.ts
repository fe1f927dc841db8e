import { settleOpen } from "../../projection/items.js";
import { abandon } from "./cancel.js";
import { finishAsTold, finishCancelled, finishFailed } from "./finish.js";
import type { SessionState } from "./state.js";
import { andThen, currentState, type Step, stay, step, update, updates } from "./step.js";

const noneAlive: ReadonlySet<string> = new Set();

/** Codex is gone: an end it already told stands (CLOSE-10), everything else fails, and no process of its lives on. */
export function onCodexLost(state: SessionState, reason: string): Step {
  const { turn, steering } = state;
  const lost: SessionState = {
    ...state,
    unloaded: true,
    steering: null,
    ghosts: { receipts: new Set(), turns: new Set() },
  };
  const rejected = steering
    ? [{ type: "reject" as const, receipt: steering.prompt.receipt, message: reason, lost: true }]
    : [];
  const undelivered = turn ? [...turn.waiting] : [];
  const refused = undelivered.map(({ receipt }) => ({ type: "reject" as const, receipt, message: reason, lost: true }));
  const first = step(lost, ...rejected, ...refused);
  const ended = !turn
    ? first
    : andThen(first, (next) => {
        const alone = { ...turn, waiting: [], held: [] };
        if (turn.stage === "finishing") return finishAsTold(next, alone, noneAlive);
        return finishFailed(next, alone, reason);
      });
  return andThen(ended, backgroundGone);
}

/** The processes that outlived their turns are gone with Codex. */
function backgroundGone(state: SessionState): Step {
  if (state.background.length === 0) return stay(state);
  const settled = settleOpen(state.ledger, null, "failed", noneAlive);
  const next: SessionState = { ...state, ledger: settled.ledger, background: [] };
  return step(next, ...updates(settled.updates), update(currentState(next)));
}

/** The session ends here whatever Codex still does: last frames now, none later. */
export function onClose(state: SessionState): Step {
  const { turn } = state;
  const closed: SessionState = { ...state, closed: true };
  if (!turn) return step(closed, { type: "withdraw" });
  if (turn.stage === "finishing") return finishAsTold(closed, turn, noneAlive);
  return finishCancelled(abandon(closed, turn), turn);
}

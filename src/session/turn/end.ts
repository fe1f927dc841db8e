import { settleOutlived } from "../../projection/items.js";
import { abandon } from "./cancel.js";
import type { SessionEffect } from "./events.js";
import { finishAsTold, finishCancelled, finishFailed } from "./finish.js";
import { accept } from "./open.js";
import { dropUndelivered } from "./prompt.js";
import type { ActiveTurn, SessionState } from "./state.js";
import { andThen, currentState, type Step, stay, step, update, updates } from "./step.js";

const noneAlive: ReadonlySet<string> = new Set();

/**
 * Codex is gone: an end it already told stands (CLOSE-10), everything else fails, and no process of its lives on. What
 * the host was told is accepted opens the next turn, at a new Codex.
 */
export function onCodexLost(state: SessionState, reason: string): Step {
  const { turn, steering } = state;
  const lost: SessionState = {
    ...state,
    unloaded: true,
    steering: null,
    ghosts: { receipts: new Set(), turns: new Set() },
    parked: [],
  };
  if (state.closed) return stay(lost);
  const undelivered = [...(steering ? [steering.prompt] : []), ...(turn?.waiting ?? [])];
  const refused = undelivered.map(({ receipt }) => ({ type: "reject" as const, receipt, message: reason, lost: true }));
  return andThen(step(lost, ...refused), (first) =>
    andThen(outlivedGone(first), (next) => {
      if (!turn) return next.background === state.background ? stay(next) : step(next, update(currentState(next)));
      const alone = { ...turn, waiting: [] };
      return endTold(next, alone) ?? finishFailed(next, alone, reason);
    }),
  );
}

/** The end that Codex told already, although the turn is not over here; null when it told none. */
function endTold(state: SessionState, turn: ActiveTurn): Step | null {
  // Its plan is not asked about: there is nobody to carry it out.
  const last: ActiveTurn = { ...turn, plan: null };
  if (turn.stage === "finishing") return finishAsTold(state, last, noneAlive);
  const { early } = turn;
  return early && finishAsTold(state, { ...last, completion: early, failure: early.error ?? turn.failure }, noneAlive);
}

/** The processes that outlived their turns are gone with Codex. */
function outlivedGone(state: SessionState): Step {
  if (state.background.length === 0) return stay(state);
  const settled = settleOutlived(state.ledger);
  return step({ ...state, ledger: settled.ledger, background: [] }, ...updates(settled.updates));
}

/** The session ends here whatever Codex still does: last frames now, none later. */
export function onClose(state: SessionState): Step {
  const { turn, steering } = state;
  const closed: SessionState = { ...state, closed: true, steering: null, parked: [] };
  const inserted = steering ? [accept(steering.prompt)] : [];
  if (!turn) return step(closed, ...inserted, { type: "withdraw" });
  return andThen(step(closed, ...inserted), (first) =>
    andThen(dropUndelivered(first, turn), (next) => {
      const alone: ActiveTurn = { ...turn, waiting: [], held: [] };
      const told = endTold(next, alone);
      if (told) return told;
      return andThen(step(abandon(next, turn), ...lastInterrupt(turn)), (left) => finishCancelled(left, alone));
    }),
  );
}

/** Nobody hears of the turn any more, so that an interrupt that still waits for its start must not wait longer. */
function lastInterrupt({ id, interruptId, stage, cancellation }: ActiveTurn): SessionEffect[] {
  if (stage !== "running" || id === null || cancellation?.sent) return [];
  return [{ type: "interrupt", turnId: interruptId ?? id, attempt: 1 }];
}

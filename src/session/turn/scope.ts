import type { Projection } from "../../projection/items.js";
import type { ItemFacts, Update } from "../../projection/update.js";
import type { ActiveTurn, SessionState } from "./state.js";
import { andThen, type Step, stay, step, update, updates } from "./step.js";

/** Codex has it, or will: its frames concern it. */
export const atCodex = (turn: ActiveTurn): boolean =>
  turn.stage !== "preparing" && turn.stage !== "finishing" && turn.stage !== "planning" && turn.action !== "answer";

/** Whether a frame belongs to the running turn (CACHE-17, CACHE-18). */
function isOfTurn(state: SessionState, turn: ActiveTurn | null, turnId: string): turn is ActiveTurn {
  if (turn === null || turn.stage === "preparing" || turn.stage === "planning" || state.closed) return false;
  return turn.id === null ? !isOver(state, turnId) : turn.id === turnId;
}

/** Runs `body` when the frame belongs to the running turn, else drops it. */
export function ofTurn(
  state: SessionState,
  turnId: string,
  body: (state: SessionState, turn: ActiveTurn) => Step,
): Step {
  const { turn } = state;
  return isOfTurn(state, turn, turnId) ? body(state, turn) : stay(state);
}

export const isOver = (state: SessionState, turnId: string): boolean =>
  state.ended.includes(turnId) || state.ghosts.turns.has(turnId);

const outlived = (state: SessionState, itemId: string): boolean => !state.closed && state.background.includes(itemId);

/** Whether a frame belongs to the running turn, or to a command that outlived its turn. */
export const isLive = (state: SessionState, turnId: string, itemId: string): boolean =>
  (isOfTurn(state, state.turn, turnId) && !state.turn.shown.has(itemId)) || outlived(state, itemId);

/** What a delta says that changes nothing in the state. On the hot path: no closure, nothing copied. */
export const said = (state: SessionState, values: readonly Update[]): Step =>
  state.retrying ? andThen(progressed(state), (next) => told(next, values)) : told(state, values);

/** As `ofTurn`, and also for a command that outlived its turn. */
export function within(
  state: SessionState,
  turnId: string,
  itemId: string,
  body: (state: SessionState, facts: ItemFacts) => Step,
): Step {
  if (outlived(state, itemId)) return body(state, factsOf(state, turnId, null));
  if (state.turn?.shown.has(itemId)) return stay(state);
  return ofTurn(state, turnId, (live) =>
    live.retrying
      ? andThen(progressed(live), (next) => body(next, factsOf(next, turnId, null)))
      : body(live, factsOf(live, turnId, null)),
  );
}

/** The turn goes on: whatever Codex was retrying is behind it (UPD-15). */
function progressed(state: SessionState): Step {
  const cleared = update({ sessionUpdate: "session_info_update", _meta: { codex: {} } });
  return step({ ...state, retrying: false }, cleared);
}

export function factsOf(state: SessionState, turnId: string, completedAt: number | null): ItemFacts {
  const { turn } = state;
  return {
    turnId,
    turnStartedAt: turn?.startedAt ?? null,
    cwd: state.cwd,
    cancelled: turn?.cancellation != null || turn?.completion?.status === "interrupted",
    work: turn?.work ?? null,
    completedAt,
  };
}

const told = (state: SessionState, values: readonly Update[]): Step => ({ state, effects: updates(values) });

/** A state whose ledger did not change is not copied. */
export const projected = (state: SessionState, { ledger, updates: values }: Projection): Step =>
  told(ledger === state.ledger ? state : { ...state, ledger }, values);

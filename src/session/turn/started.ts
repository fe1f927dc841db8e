import type { Turn } from "../../generated/codex/types.js";
import { interruptIfPossible } from "./cancel.js";
import { finishAsTold, finishPlanned, openCommands } from "./finish.js";
import { atCodex } from "./scope.js";
import { named, renamed } from "./start.js";
import { type ActiveTurn, newTurn, type SessionState } from "./state.js";
import { steerNext } from "./steer.js";
import { andThen, currentState, type Step, stay, step, update, withTurn } from "./step.js";

/** Codex started a turn: the one the bridge asked for, one nobody waits for any more, or one from elsewhere (REC-17). */
export function onTurnStarted(state: SessionState, native: Turn): Step {
  const { turn } = state;
  if (state.ghosts.turns.has(native.id)) {
    return step(state, { type: "interrupt", turnId: native.id, attempt: 1 });
  }
  if (state.ended.includes(native.id)) return stay(state);
  if (turn?.action === "review" && turn.id !== null && !turn.started && turn.id !== native.id) {
    // Codex starts a review under an id of its own, which only an interrupt must name.
    const begun = withTurn(state, turn, { started: true, interruptId: native.id });
    if (turn.owner === null) return interruptIfPossible(begun);
    return andThen(step(begun, { type: "inputTurn", receipt: turn.owner, turnId: native.id }), interruptIfPossible);
  }
  if (turn && atCodex(turn) && (turn.id ?? native.id) === native.id) {
    const started: SessionState = withTurn(state, turn, { started: true });
    const known = started.turn as ActiveTurn;
    return andThen(andThen(named(started, known, native), interruptIfPossible), steerNext);
  }
  if (turn?.early && atCodex(turn)) {
    // The one that ended was another's, then.
    return andThen(renamed(state, turn, native), (next) => onTurnStarted(next, native));
  }
  if (state.ghosts.receipts.size > 0) return stay(state);
  if (state.closed || turn?.action === "answer") return stay(state);
  // Its own turn has not been sent: its prompt goes into the one that runs.
  if (turn?.stage === "preparing") return openForeign(state, native, turn);
  if (turn) {
    // Codex runs one turn of a thread at a time: the old one is over although its end was not reported.
    const over =
      turn.stage === "finishing"
        ? turn
        : { ...turn, completion: { status: turn.cancellation ? ("interrupted" as const) : endOf(turn) } };
    const alone: ActiveTurn = { ...over, held: [], waiting: [], plan: turn.stage === "planning" ? turn.plan : null };
    const alive = new Set(openCommands(state, turn));
    const ended = turn.stage === "planning" ? finishPlanned(state, alone) : finishAsTold(state, alone, alive);
    return andThen(ended, (next) => openForeign(next, native, turn));
  }
  return openForeign(state, native, null);
}

const endOf = (turn: ActiveTurn): "failed" | "completed" => (turn.failure ? "failed" : "completed");

/** Observes a turn that Codex started by itself; what waited for its own turn is steered into it (REC-17). */
function openForeign(state: SessionState, native: Turn, before: ActiveTurn | null): Step {
  const waiting = before ? [...(before.prompt ? [before.prompt] : []), ...before.held, ...before.waiting] : [];
  const foreign: ActiveTurn = { ...newTurn(null, state.usage), started: true, waiting };
  return andThen(named({ ...state, turn: foreign }, foreign, native), (next) =>
    andThen(step(next, update(currentState(next))), steerNext),
  );
}

import type { Turn } from "../../generated/codex/types.js";
import { interruptIfPossible, withoutGhost } from "./cancel.js";
import type { Outcome } from "./events.js";
import { finishCancelled, finishFailed, onTurnCompleted } from "./finish.js";
import { onNotification } from "./notifications.js";
import type { ActiveTurn, SessionState } from "./state.js";
import { andThen, messageMeta, type Step, stay, step, turnKey, update, withEnded, withTurn } from "./step.js";

/** How long the end of a turn waits for the answer that tells whose it is. */
const answerMs = 3000;

/**
 * A turn ended before Codex answered the request to start ours: it may be ours, or one that Codex started by itself
 * and that was over before ours began.
 */
export function onEarlyEnd(state: SessionState, turn: ActiveTurn, early: NonNullable<ActiveTurn["early"]>): Step {
  return step(withTurn(state, turn, { early }), {
    type: "after",
    timer: "start",
    ms: answerMs,
    about: turnKey(turn),
    attempt: 1,
  });
}

export function onStartTimer(state: SessionState, about: string): Step {
  const { turn } = state;
  if (!turn?.early || turnKey(turn) !== about) return stay(state);
  return onTurnCompleted(state, { ...turn, early: null }, turn.early);
}

export function onTurnStartSettled(state: SessionState, receipt: string, outcome: Outcome<Turn | null>): Step {
  if (state.ghosts.receipts.has(receipt)) return ghostNamed(state, receipt, outcome);
  const { turn } = state;
  if (turn?.owner !== receipt || (turn.stage !== "starting" && turn.stage !== "running")) return stay(state);
  // What follows from the loss comes with the loss.
  if (!outcome.ok && outcome.lost) return stay(state);
  const { early } = turn;
  const answered: ActiveTurn = { ...turn, answered: true, early: null };
  const value = outcome.ok ? outcome.value : null;
  if (early && (value === null || value.id === early.id)) return onTurnCompleted(state, answered, early);
  if (value === null) {
    // A compaction is named by its start, not by its answer. A turn that Codex already started lives on.
    if (outcome.ok || turn.started) return stay({ ...state, turn: answered });
    return turn.cancellation ? finishCancelled(state, answered) : finishFailed(state, answered, outcome.message);
  }
  if (turn.id === value.id) return stay({ ...state, turn: answered });
  if (turn.id === null) return andThen(named(state, answered, value), onNamed);
  if (turn.action === "review") return named(state, { ...answered, id: null, interruptId: turn.id }, value);
  return andThen(renamed(state, answered, value), onNamed);
}

/** What was taken for this turn was another, which is over: Codex runs one at a time. */
export const renamed = (state: SessionState, turn: ActiveTurn, native: Turn): Step =>
  named(withEnded(state, turn.id), { ...turn, id: null, early: null, started: false, startedAt: null }, native);

/** Codex gave the turn its id, and once it has started also its clock: its user messages learn what is new. */
export function named(state: SessionState, turn: ActiveTurn, native: Turn): Step {
  const startedAt = turn.startedAt ?? (native.startedAt == null ? null : native.startedAt * 1000);
  const next: ActiveTurn = { ...turn, id: native.id, stage: "running", startedAt };
  const told = turn.id !== null && turn.startedAt === startedAt;
  const messages = told ? [] : next.messages.map((record) => update(messageMeta(next, record, false)));
  // Codex gives a running turn's id to what it merges into it: it is this turn's now.
  const ended = state.ended.includes(native.id) ? state.ended.filter((id) => id !== native.id) : state.ended;
  return step({ ...withoutGhost(state, native.id), ended, turn: next }, ...messages);
}

/** The frames that came before it was known whose they are; those of other turns fall away. */
function unpark(state: SessionState): Step {
  const [first, ...parked] = state.parked;
  if (!first) return stay(state);
  return andThen(onNotification({ ...state, parked }, first), unpark);
}

const onNamed = (state: SessionState): Step => andThen(unpark(state), interruptIfPossible);

/** A turn given up before it had a name has one now: it must not go on behind the host's back (CLOSE-04). */
function ghostNamed(state: SessionState, receipt: string, outcome: Outcome<Turn | null>): Step {
  const receipts = new Set(state.ghosts.receipts);
  receipts.delete(receipt);
  const settled = { ...state, ghosts: { ...state.ghosts, receipts } };
  const resolved = receipts.size === 0 ? unpark : stay;
  if (!outcome.ok || outcome.value === null) return resolved(settled);
  const { id } = outcome.value;
  // Codex merged it into the turn that runs: that one goes on.
  if (state.turn?.id === id) return resolved(settled);
  const turns = new Set(state.ghosts.turns).add(id);
  const known = withEnded({ ...settled, ghosts: { receipts, turns } }, id);
  return andThen(step(known, { type: "interrupt", turnId: id, attempt: 1 }), resolved);
}

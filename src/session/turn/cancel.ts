import type { Outcome, SessionEffect } from "./events.js";
import { finishCancelled, onTurnCompleted } from "./finish.js";
import type { ActiveTurn, Cancellation, SessionState } from "./state.js";
import { andThen, type Step, stay, step, turnKey, update, withTurn } from "./step.js";

/** Each wait of the recovery: for the turn's end, then for `thread/read`; both once more (CANCEL-04, CANCEL-07, A-39). */
export const cancelWaitMs = 3000;

/** How soon an interrupt of a turn that was given up is tried again, and how often. */
const ghostRetryMs = 250;
const ghostTries = 20;

/** Stops the running turn. Stops of one turn coalesce while one is being tried (CANCEL-02, CANCEL-03). */
export function cancelTurn(state: SessionState): Step {
  const { turn } = state;
  if (!turn) return stay(state);
  // Codex ended it before the stop; what it planned is not asked about any more.
  if (turn.stage === "finishing") return stay(turn.plan ? withTurn(state, turn, { plan: null }) : state);
  // Nothing of it runs at Codex: it has not been sent, or Codex is done and the host is being asked.
  if (turn.stage === "preparing" || turn.stage === "planning" || turn.action === "answer") {
    const withdrawn: SessionEffect[] = turn.blocking.size > 0 ? [{ type: "withdraw" }] : [];
    return andThen(step(state, ...withdrawn), (next) => finishCancelled(next, turn));
  }
  if (turn.early) return onTurnCompleted(state, { ...turn, early: null, plan: null }, turn.early);
  const { cancellation } = turn;
  if (cancellation !== null && cancellation.step !== "given-up") return stay(state);
  const attempt = (cancellation?.attempt ?? 0) + 1;
  // The interrupt first: an answer in the user's stead could let the turn go on to a normal end before it.
  return andThen(tryInterrupt(state, turn, { attempt, second: false }), (next) => step(next, { type: "withdraw" }));
}

function tryInterrupt(state: SessionState, turn: ActiveTurn, round: Pick<Cancellation, "attempt" | "second">): Step {
  const cancellation: Cancellation = { ...round, step: "interrupt", sent: false };
  return andThen(
    step(withTurn(state, turn, { cancellation }), {
      type: "after",
      timer: "completion",
      ms: cancelWaitMs,
      about: turnKey(turn),
      attempt: round.attempt,
    }),
    interruptIfPossible,
  );
}

/** Codex refuses an interrupt until it has reported the turn's start, so one that is due waits for that. */
export function interruptIfPossible(state: SessionState): Step {
  const { turn } = state;
  if (!turn?.cancellation || turn.cancellation.sent || turn.cancellation.step !== "interrupt") return stay(state);
  const { cancellation } = turn;
  // The second try does not rely on having heard of the start: a refusal does no harm.
  if (turn.id === null || turn.stage !== "running" || !(turn.started || cancellation.second)) return stay(state);
  return step(withTurn(state, turn, { cancellation: { ...cancellation, sent: true } }), {
    type: "interrupt",
    turnId: turn.interruptId ?? turn.id,
    attempt: cancellation.attempt,
  });
}

/** The turn's end did not come in time: ask Codex for the thread's status. */
export function onCompletionTimer(state: SessionState, key: string, attempt: number): Step {
  const { turn } = state;
  const cancellation = turn?.cancellation;
  if (!turn || turnKey(turn) !== key || turn.stage === "finishing") return stay(state);
  if (cancellation?.attempt !== attempt || cancellation.step !== "interrupt") return stay(state);
  return step(
    withTurn(state, turn, { cancellation: { ...cancellation, step: "status" } }),
    { type: "readStatus", about: key, attempt },
    { type: "after", timer: "status", ms: cancelWaitMs, about: key, attempt },
  );
}

type Status = "idle" | "notLoaded" | "active" | "systemError";

/** Only `idle` and `notLoaded` confirm the stop (CANCEL-05). `outcome` null: no answer in time. */
export function onStatus(state: SessionState, key: string, attempt: number, outcome: Outcome<Status> | null): Step {
  const { turn } = state;
  const cancellation = turn?.cancellation;
  if (!turn || turnKey(turn) !== key || turn.stage === "finishing") return stay(state);
  if (cancellation?.attempt !== attempt || cancellation.step !== "status") return stay(state);
  // What follows from the loss comes with the loss.
  if (outcome?.ok === false && outcome.lost) return stay(state);
  if (outcome?.ok && (outcome.value === "idle" || outcome.value === "notLoaded")) {
    const unloaded = outcome.value === "notLoaded";
    const stopped: SessionState = { ...abandon(state, turn), unloaded: state.unloaded || unloaded };
    if (turn.early) return onTurnCompleted(stopped, { ...turn, early: null }, turn.early);
    if (unloaded || turn.id === null) return finishCancelled(stopped, turn);
    // What it started may still run.
    return onTurnCompleted(stopped, turn, { id: turn.id, status: "interrupted", error: null });
  }
  if (!cancellation.second) return tryInterrupt(state, turn, { attempt: attempt + 1, second: true });
  return step(
    withTurn(state, turn, { cancellation: { ...cancellation, step: "given-up" } }),
    update({
      sessionUpdate: "agent_message",
      messageId: `stop-${key}-${attempt}`,
      content: [
        {
          type: "text",
          text: "Codex did not confirm that the turn was stopped. It may still be running. Stop again to retry, or close the session.",
        },
      ],
      _meta: { codex: { notice: true } },
    }),
  );
}

/** Remembers a turn that ends here before Codex said so, so that it is interrupted if it shows up after all. */
export function abandon(state: SessionState, turn: ActiveTurn): SessionState {
  const { receipts, turns } = state.ghosts;
  if (turn.stage === "preparing" || turn.stage === "finishing" || turn.stage === "planning") return state;
  if (turn.action === "answer") return state;
  if (turn.id !== null) return { ...state, ghosts: { receipts, turns: new Set(turns).add(turn.id) } };
  if (turn.owner === null) return state;
  return { ...state, ghosts: { receipts: new Set(receipts).add(turn.owner), turns } };
}

/** An interrupt was answered. A refused one is left to the timers, but for turns that nobody waits for any more. */
export function onInterruptSettled(state: SessionState, turnId: string, attempt: number, outcome: Outcome<null>): Step {
  if (!state.ghosts.turns.has(turnId)) return stay(state);
  if (outcome.ok || outcome.lost || attempt >= ghostTries) return stay(withoutGhost(state, turnId));
  return step(state, { type: "after", timer: "ghost", ms: ghostRetryMs, about: turnId, attempt });
}

export function onGhostTimer(state: SessionState, turnId: string, attempt: number): Step {
  if (!state.ghosts.turns.has(turnId)) return stay(state);
  return step(state, { type: "interrupt", turnId, attempt: attempt + 1 });
}

export function withoutGhost(state: SessionState, turnId: string): SessionState {
  if (!state.ghosts.turns.has(turnId)) return state;
  const turns = new Set(state.ghosts.turns);
  turns.delete(turnId);
  return { ...state, ghosts: { ...state.ghosts, turns } };
}

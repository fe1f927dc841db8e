import type { Outcome, SessionEffect } from "./events.js";
import { accept, openTurn } from "./open.js";
import { type ActiveTurn, type Prompt, recordOf, type SessionState } from "./state.js";
import { andThen, messageMeta, type Step, stay, step, update, withTurn } from "./step.js";

/** How long the host waits to hear what became of a prompt that goes into a running turn. */
export const deliveryMs = 5000;

/** The host's request is answered in time whatever Codex does. */
export const awaitDelivery = (prompt: Prompt): SessionEffect => ({
  type: "after",
  timer: "delivery",
  ms: deliveryMs,
  about: prompt.receipt,
  attempt: 1,
});

/** Inserted it is; which turn takes it in is not known yet, and its next upsert says so. */
export function onDeliveryTimer(state: SessionState, receipt: string): Step {
  const open = [...(state.turn?.waiting ?? []), ...(state.steering ? [state.steering.prompt] : [])];
  const prompt = open.find((it) => it.receipt === receipt);
  return prompt ? step(state, accept(prompt)) : stay(state);
}

/** Steers the oldest waiting prompt, one at a time, as soon as Codex can take it. */
export function steerNext(state: SessionState): Step {
  const { turn } = state;
  if (!turn || turn.id === null || !turn.started || turn.stage !== "running" || state.steering) return stay(state);
  const [prompt, ...waiting] = turn.waiting;
  if (!prompt) return stay(state);
  if (prompt.action.kind !== "turn") {
    return andThen(step(withTurn(state, turn, { waiting, held: [...turn.held, prompt] }), accept(prompt)), steerNext);
  }
  return step(
    { ...withTurn(state, turn, { waiting }), steering: { prompt, turnId: turn.id, stopped: false } },
    { type: "steer", prompt, turnId: turn.id },
  );
}

/**
 * Accepted: the message is part of that turn. Refused: its text opens a new turn once the old one is proven over,
 * never before (REC-16), and never after a stop. The turn may have ended, and another may run, by the time the answer
 * comes.
 */
export function onSteerSettled(state: SessionState, receipt: string, outcome: Outcome<string>): Step {
  const { steering, turn } = state;
  if (steering?.prompt.receipt !== receipt) return stay(state);
  const { prompt, turnId, stopped } = steering;
  const free: SessionState = { ...state, steering: null };
  const same = turn !== null && turn.id === turnId;
  if (outcome.ok) {
    if (!same) return andThen(step(free, accept(prompt, turnId)), steerNext);
    const record = recordOf(prompt);
    const next: ActiveTurn = { ...turn, messages: [...turn.messages, record] };
    return andThen(
      step({ ...free, turn: next }, accept(prompt, turnId), update(messageMeta(next, record, false))),
      steerNext,
    );
  }
  if (outcome.lost) return step(free, { type: "reject", receipt, message: outcome.message, lost: true });
  if (stopped) {
    const told = same ? [update(messageMeta({ ...turn, id: null, startedAt: null }, prompt, true))] : [];
    return andThen(step(free, accept(prompt), ...told), steerNext);
  }
  if (same) {
    return andThen(step(withTurn(free, turn, { held: [...turn.held, prompt] }), accept(prompt)), steerNext);
  }
  if (turn) return andThen(stay(withTurn(free, turn, { waiting: [prompt, ...turn.waiting] })), steerNext);
  return openTurn(free, prompt);
}

import type { Turn } from "../../generated/codex/types.js";
import { titleOf } from "../../projection/title.js";
import { cancelTurn } from "./cancel.js";
import type { Outcome } from "./events.js";
import { finishAnswered, finishFailed } from "./finish.js";
import { accept, openTurn } from "./open.js";
import type { ActiveTurn, Prompt, SessionState } from "./state.js";
import { andThen, messageMeta, type Step, stay, step, update, withTurn } from "./step.js";

/** A prompt of the host: opens a turn, or goes into the running one (PROMPT-01, PROMPT-10). */
export function onPrompt(state: SessionState, prompt: Prompt): Step {
  const shown = show({ ...state, receipts: new Set(state.receipts).add(prompt.receipt) }, prompt);
  const { turn } = state;
  if (!turn) return andThen(shown, (next) => openTurn(next, prompt));
  if (turn.stage === "planning") {
    // A new prompt is the answer to the plan: it is not to be carried out as it is.
    const held = { held: [...turn.held, prompt] };
    return andThen(shown, (next) => step(withTurn(next, turn, held), accept(prompt), { type: "withdraw" }));
  }
  const over = turn.stage === "finishing" || (turn.cancellation !== null && turn.cancellation.step !== "given-up");
  // A command is no message for the model: it waits until the turn is over.
  if (over || prompt.action.kind !== "turn") {
    return andThen(shown, (next) => step(withTurn(next, turn, { held: [...turn.held, prompt] }), accept(prompt)));
  }
  return andThen(shown, (next) => steerNext(withTurn(next, turn, { waiting: [...turn.waiting, prompt] })));
}

/** The user message with its content, once, before the prompt is answered; the first one names the session. */
function show(state: SessionState, prompt: Prompt): Step {
  const turnId = state.turn?.id ?? null;
  const message = update({
    sessionUpdate: "user_message",
    messageId: prompt.receipt,
    content: [...prompt.content],
    _meta: {
      codex: {
        ...(turnId === null ? {} : { turnId }),
        ...(prompt.sentAt === null ? {} : { messageSentAt: prompt.sentAt }),
      },
    },
  });
  if (state.title !== null) return step(state, message);
  const title = titleOf(prompt.content);
  if (title === null) return step(state, message);
  return step({ ...state, title }, message, update({ sessionUpdate: "session_info_update", title }));
}

/** Skills and thread are up to date: send the turn, unless it was stopped meanwhile (CANCEL-20). */
export function onPrepared(state: SessionState, receipt: string, outcome: Outcome<null>): Step {
  const { turn } = state;
  if (turn?.owner !== receipt || turn.stage !== "preparing" || !turn.prompt) return stay(state);
  if (!outcome.ok) return finishFailed(state, turn, outcome.message);
  const { action } = turn.prompt;
  return step(
    { ...withTurn(state, turn, { stage: "starting", prompt: null }), unloaded: false },
    action.kind === "answer"
      ? { type: "answer", receipt, command: action.command }
      : { type: "startTurn", prompt: turn.prompt },
  );
}

export function onTurnStartSettled(state: SessionState, receipt: string, outcome: Outcome<Turn | null>): Step {
  const { turn } = state;
  if (state.ghosts.receipts.has(receipt)) return ghostNamed(state, receipt, outcome);
  if (turn?.owner !== receipt || turn.stage === "preparing" || turn.stage === "finishing") return stay(state);
  if (!outcome.ok) {
    // A turn that Codex already started lives on whatever the answer says.
    return turn.started || outcome.lost ? stay(state) : finishFailed(state, turn, outcome.message);
  }
  // A compaction is not named by its answer; its start names it.
  if (outcome.value === null) return stay(state);
  if (turn.id === null) return named(state, turn, outcome.value);
  if (turn.action !== "review" || turn.id === outcome.value.id) return stay(state);
  return named(state, { ...turn, id: null, interruptId: turn.id }, outcome.value);
}

/** Codex gave the turn its id, and once it has started also its clock: its user messages learn what is new. */
export function named(state: SessionState, turn: ActiveTurn, native: Turn): Step {
  const startedAt = turn.startedAt ?? (native.startedAt == null ? null : native.startedAt * 1000);
  const next: ActiveTurn = { ...turn, id: native.id, stage: "running", startedAt };
  const told = turn.id !== null && turn.startedAt === startedAt;
  const messages = told ? [] : next.messages.map((record) => update(messageMeta(next, record, false)));
  return step({ ...state, turn: next }, ...messages);
}

/** A turn given up before it had a name has one now: it must not go on behind the host's back (CLOSE-04). */
function ghostNamed(state: SessionState, receipt: string, outcome: Outcome<Turn | null>): Step {
  const receipts = new Set(state.ghosts.receipts);
  receipts.delete(receipt);
  if (!outcome.ok || outcome.value === null) return stay({ ...state, ghosts: { ...state.ghosts, receipts } });
  const { id } = outcome.value;
  const turns = new Set(state.ghosts.turns).add(id);
  return step({ ...state, ghosts: { receipts, turns } }, { type: "interrupt", turnId: id, attempt: 1 });
}

/** The bridge's own answer: a message, and the end of the turn. */
export function onAnswered(state: SessionState, receipt: string, outcome: Outcome<string>): Step {
  const { turn } = state;
  if (turn?.owner !== receipt || turn.action !== "answer" || turn.stage !== "starting") return stay(state);
  if (!outcome.ok) return finishFailed(state, turn, outcome.message);
  const message = update({
    sessionUpdate: "agent_message",
    messageId: `answer-${receipt}`,
    content: [{ type: "text", text: outcome.value }],
  });
  return andThen(step(state, message), (next) => finishAnswered(next, turn));
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
    { ...withTurn(state, turn, { waiting }), steering: { prompt, turnId: turn.id } },
    { type: "steer", prompt, turnId: turn.id },
  );
}

/**
 * Accepted: the message is part of that turn. Refused: its text opens a new turn once the old one is proven over,
 * never before (REC-16). The turn may have ended, and another may run, by the time the answer comes.
 */
export function onSteerSettled(state: SessionState, receipt: string, outcome: Outcome<string>): Step {
  const { steering, turn } = state;
  if (steering?.prompt.receipt !== receipt) return stay(state);
  const { prompt, turnId } = steering;
  const free: SessionState = { ...state, steering: null };
  const same = turn !== null && turn.id === turnId;
  if (outcome.ok) {
    if (!same) return step(free, accept(prompt, turnId));
    const record = { receipt, sentAt: prompt.sentAt };
    const next: ActiveTurn = { ...turn, messages: [...turn.messages, record] };
    return andThen(
      step({ ...free, turn: next }, accept(prompt, turnId), update(messageMeta(next, record, false))),
      steerNext,
    );
  }
  if (outcome.lost || state.closed) {
    return step(free, { type: "reject", receipt, message: outcome.message, lost: outcome.lost });
  }
  if (same) return step(withTurn(free, turn, { held: [...turn.held, prompt] }), accept(prompt));
  if (turn) return andThen(stay(withTurn(free, turn, { waiting: [...turn.waiting, prompt] })), steerNext);
  return openTurn(free, prompt);
}

/** A stop also takes back the prompts that have not reached Codex. */
export function dropUndelivered(state: SessionState, turn: ActiveTurn): Step {
  const dropped = [...turn.waiting, ...turn.held];
  if (dropped.length === 0) return stay(state);
  return step(
    withTurn(state, turn, { waiting: [], held: [] }),
    ...dropped.flatMap((prompt) => [
      accept(prompt),
      update(messageMeta({ ...turn, id: null, startedAt: null }, prompt, true)),
    ]),
  );
}

export const onCancel = (state: SessionState): Step => {
  const { turn } = state;
  // An MCP server may ask while no turn runs.
  if (!turn) return step(state, { type: "withdraw" });
  return andThen(dropUndelivered(state, turn), (next) => cancelTurn(next));
};

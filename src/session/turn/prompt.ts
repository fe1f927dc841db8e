import { fitContent } from "../../projection/fit.js";
import { titleOf } from "../../projection/title.js";
import { contentOf } from "../../projection/user-input.js";
import { cancelTurn } from "./cancel.js";
import type { Outcome } from "./events.js";
import { finishAnswered, finishFailed } from "./finish.js";
import { accept, openTurn } from "./open.js";
import type { ActiveTurn, Prompt, SessionState } from "./state.js";
import { awaitDelivery, steerNext } from "./steer.js";
import { andThen, messageMeta, ownMeta, type Step, stay, step, update, withTurn } from "./step.js";

/** A prompt of the host: opens a turn, or goes into the running one (PROMPT-01, PROMPT-10). */
export function onPrompt(state: SessionState, prompt: Prompt): Step {
  if (state.closed)
    return step(state, { type: "reject", receipt: prompt.receipt, message: closedMessage, lost: false });
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
  return andThen(shown, (next) =>
    andThen(step(withTurn(next, turn, { waiting: [...turn.waiting, prompt] }), awaitDelivery(prompt)), steerNext),
  );
}

const closedMessage = "The session was closed.";

/** The user message with its content, once, before the prompt is answered; the first one names the session. */
function show(state: SessionState, prompt: Prompt): Step {
  const message = update({
    sessionUpdate: "user_message",
    messageId: prompt.receipt,
    content: fitContent(prompt.content),
    _meta: {
      // Which turn it belongs to is said once Codex has taken it in.
      codex: ownMeta(prompt),
    },
  });
  if (state.title !== null) return step(state, message);
  // Of what goes to Codex, so that its list has the same title (LIST-22).
  const title = titleOf(contentOf(prompt.input));
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
  const { turn, steering } = state;
  const stopped: SessionState = steering ? { ...state, steering: { ...steering, stopped: true } } : state;
  // An MCP server may ask while no turn runs.
  if (!turn) return step(stopped, { type: "withdraw" });
  return andThen(dropUndelivered(stopped, turn), (next) => cancelTurn(next));
};

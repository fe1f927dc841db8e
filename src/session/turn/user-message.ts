import { openItem, withItem } from "../../projection/ledger.js";
import { isInternalInput, userMessage } from "../../projection/message.js";
import type { ItemOf } from "../../projection/update.js";
import { factsOf } from "./scope.js";
import type { ActiveTurn, SessionState } from "./state.js";
import { messageMeta, type Step, stay, step, update, withTurn } from "./step.js";

/**
 * Codex took a user message in. One of ours was shown when it was prompted and at most learns when it was sent
 * (R-17, REPLAY-27); one of another client is shown as Codex has it (PROMPT-09).
 */
export function onUserMessage(
  state: SessionState,
  item: ItemOf<"userMessage">,
  turnId: string,
  startedAt: number | null,
): Step {
  const { turn, ledger } = state;
  const receipt = item.clientId ?? null;
  // What the bridge or Codex itself put to the model is nobody's message.
  if (isInternalInput(item)) return stay(state);
  if (receipt === null && turn?.receiptsKnown === false) return stay(state);
  if (receipt === null && (turn?.action === "review" || turn?.action === "implement" || turn?.action === "compact")) {
    return stay(state);
  }
  const steered = receipt !== null && state.steering?.prompt.receipt === receipt;
  const record = turn?.messages.find((it) => it.receipt === (receipt ?? item.id));
  if (turn && record) {
    if (record.sentAt !== null || startedAt === null) return stay(state);
    const dated = { ...record, sentAt: startedAt };
    const messages = turn.messages.map((it) => (it === record ? dated : it));
    const next: ActiveTurn = { ...turn, messages };
    return step({ ...state, turn: next }, update(messageMeta(next, dated, false)));
  }
  // Its frames come when the steer is answered; a second frame of one message says nothing new.
  if (steered || (receipt !== null && state.receipts.has(receipt)) || ledger.has(item.id)) return stay(state);
  const shown = update(userMessage(item, factsOf(state, turnId, null), startedAt));
  const heard: SessionState = { ...state, ledger: withItem(ledger, item.id, openItem(turnId, item)) };
  if (!turn) return step(heard, shown);
  const messages = [...turn.messages, { receipt: receipt ?? item.id, sentAt: startedAt }];
  return step(withTurn(heard, turn, { messages }), shown);
}

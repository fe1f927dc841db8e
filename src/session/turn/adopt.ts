import type { ThreadItem, Turn } from "../../generated/codex/types.js";
import type { CommandMessage } from "../../projection/command-message.js";
import { itemStarted } from "../../projection/items.js";
import { emptyLedger, type Ledger } from "../../projection/ledger.js";
import { isInternalInput } from "../../projection/message.js";
import { entered, withText } from "./review.js";
import { type ActiveTurn, newTurn, type SessionState } from "./state.js";

/** A turn that runs while its session is being opened, and what restoring it gave. */
export interface RunningTurn {
  /** As Codex last gave it. */
  readonly turn: Turn;
  /** The slash command that it carries out. */
  readonly command: CommandMessage | null;
  /** The host was shown its items, so far as they have ended. */
  readonly shown: boolean;
  /** False when the receipts of commands could not be read. */
  readonly receiptsKnown: boolean;
  /** Why the history that the host asked for is not whole. */
  readonly historyError: ActiveTurn["historyError"];
}

/**
 * The state of a session whose thread was opened while a turn runs: that turn is the session's now, under the receipt
 * of the prompt that opened it, where it has one (CANCEL-16, REC-18). Tools that the host was not told of are not
 * announced: their next frame announces them (CANCEL-17, CANCEL-18). Those it was shown are open until they end.
 */
export function adoptTurn(state: SessionState, running: RunningTurn): SessionState {
  const { turn, command, shown, receiptsKnown, historyError } = running;
  const receipts = turn.items.flatMap((item) =>
    item.type === "userMessage" && item.clientId != null && !isInternalInput(item) ? [item.clientId] : [],
  );
  // Its command is known by its receipt alone where Codex has only an input of its own.
  const owner = receipts[0] ?? command?.receipt ?? null;
  const startedAt = turn.startedAt == null ? null : turn.startedAt * 1000;
  const adopted: ActiveTurn = {
    ...newTurn(null, null),
    owner,
    id: turn.id,
    action: command !== null && command.content === null ? "review" : "turn",
    started: true,
    startedAt,
    messages: receipts.map((receipt) => ({ receipt, sentAt: null })),
    receiptsKnown,
    historyError,
  };
  const known = new Set([...state.receipts, ...receipts, ...(owner === null ? [] : [owner])]);
  const taken: SessionState = { ...state, receipts: known, turn: adopted };
  return shown ? withShown(taken, adopted, turn.items) : taken;
}

/** What the host was shown: items that ended say nothing new, tools that have not are open. */
function withShown(state: SessionState, turn: ActiveTurn, items: readonly ThreadItem[]): SessionState {
  const ended = items.filter(({ completedAtMs }) => completedAtMs != null);
  const plan = ended.findLast((item) => item.type === "plan" && item.text.trim() !== "");
  const seen: ActiveTurn = {
    ...turn,
    shown: new Set(ended.map(({ id }) => id)),
    plan: plan?.type === "plan" ? { itemId: plan.id, text: plan.text } : null,
  };
  const open: SessionState = { ...state, turn: seen, ledger: ledgerOf(state, seen, items) };
  return items.reduce(noteReview, open);
}

const noteReview = (state: SessionState, item: ThreadItem): SessionState => {
  if (item.type === "enteredReviewMode" && state.turn) return entered(state, state.turn, item.id);
  return item.type === "agentMessage" ? withText(state, item) : state;
};

function ledgerOf({ cwd }: SessionState, turn: ActiveTurn, items: readonly ThreadItem[]): Ledger {
  const facts = {
    turnId: turn.id ?? "",
    turnStartedAt: turn.startedAt,
    cwd,
    cancelled: false,
    work: null,
    completedAt: null,
  };
  return items
    .filter((item) => "status" in item && item.status === "inProgress")
    .reduce((ledger, item) => itemStarted(ledger, item, facts).ledger, emptyLedger);
}

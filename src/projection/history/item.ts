import type { ContentBlock } from "../../generated/acp/types.js";
import type { ThreadItem } from "../../generated/codex/types.js";
import type { HistoryOmission } from "../../generated/contract/types.js";
import { itemCompleted, itemStarted } from "../items.js";
import { emptyLedger } from "../ledger.js";
import { isInternalInput, turnMeta, userMessage } from "../message.js";
import { withCodexMeta } from "../stored.js";
import type { ItemFacts, ItemOf, Update } from "../update.js";
import { contentOf } from "../user-input.js";
import { omissionsOf, wholeItem } from "./omissions.js";

/** A slash command as the host sent it; null content for a turn whose native input is no message of its own. */
export interface CommandMessage {
  readonly receipt: string;
  readonly content: readonly ContentBlock[] | null;
}

/** Response data of the history: never sent as notifications (HIST-37). */
export interface HistoryProjection {
  readonly updates: readonly Update[];
  readonly omissions: readonly HistoryOmission[];
}

/**
 * One stored item through the one mapping, with what only history adds: where each update comes from (HIST-41), what each
 * block of a user message was (HIST-56 to HIST-59), and what the updates do not show (HIST-60). `command` belongs to the
 * item's turn. Nothing is read, fetched or resolved.
 */
export function historyItem(item: ThreadItem, facts: ItemFacts, command: CommandMessage | null): HistoryProjection {
  if (item.type === "userMessage") return userInput(item, facts, command);
  const { updates } = isRunning(item) ? itemStarted(emptyLedger, item, facts) : itemCompleted(emptyLedger, item, facts);
  const opening = item.type === "enteredReviewMode" ? reviewCommand(item, facts, command) : [];
  const shown = [...opening, ...updates].map((update) => withCodexMeta(update, { turnId: facts.turnId }));
  return { updates: shown, omissions: omissionsOf(item, shown) };
}

const isRunning = (item: ThreadItem): boolean => "status" in item && item.status === "inProgress";

function userInput(item: ItemOf<"userMessage">, facts: ItemFacts, command: CommandMessage | null): HistoryProjection {
  if (isInternalInput(item))
    return hidden(item, "the bridge put this to the model to carry out a plan; no user wrote it");
  if (command && !command.content && item.clientId == null) {
    return hidden(item, "Codex's own input of a slash command, which is shown under its receipt");
  }
  // A message that was steered into the command's turn has a receipt of its own, and its own content.
  const original = command !== null && item.clientId === command.receipt ? command.content : null;
  const content = original ?? contentOf(item.content, { origin: true });
  const updates = [userMessage(item, facts, item.startedAtMs ?? null, [...content])];
  return { updates, omissions: original ? [] : omissionsOf(item, updates) };
}

const hidden = (item: ThreadItem, reason: string): HistoryProjection => ({
  updates: [],
  omissions: [wholeItem(item, reason)],
});

/** Codex's record of a review has no message that asked for it: the command stands before the review (HIST-39). */
function reviewCommand(item: ItemOf<"enteredReviewMode">, facts: ItemFacts, command: CommandMessage | null): Update[] {
  if (!command?.content) return [];
  const sentAt = item.startedAtMs ?? null;
  return [
    {
      sessionUpdate: "user_message",
      messageId: command.receipt,
      content: [...command.content],
      _meta: { codex: { ...turnMeta(facts), ...(sentAt === null ? {} : { messageSentAt: sentAt }) } },
    },
  ];
}

import type { ThreadItem } from "../../generated/codex/types.js";
import type { HistoryOmission } from "../../generated/contract/types.js";
import { type CommandMessage, reviewCommand, storedInput } from "../command-message.js";
import { userMessage } from "../message.js";
import { addCodexMeta, type StoredTurn, storedItem } from "../stored.js";
import type { ItemFacts, ItemOf, Update } from "../update.js";
import { contentOf } from "../user-input.js";
import { omissionsOf, wholeItem } from "./omissions.js";

/** Response data of the history: never sent as notifications (HIST-37). */
export interface HistoryProjection {
  readonly updates: readonly Update[];
  readonly omissions: readonly HistoryOmission[];
}

/**
 * One stored item through the one mapping, with what only history adds: where each update comes from (HIST-41), what each
 * block of a user message was (HIST-56 to HIST-59), and what the updates do not show (HIST-60). `command` belongs to the
 * item's turn, which is null where it is not known. Nothing is read, fetched or resolved.
 */
export function historyItem(
  item: ThreadItem,
  turn: StoredTurn | null,
  facts: ItemFacts,
  command: CommandMessage | null,
): HistoryProjection {
  if (item.type === "userMessage") return userInput(item, facts, command);
  const updates = storedItem(item, turn, facts);
  const opening = item.type === "enteredReviewMode" ? reviewCommand(facts, command, item.startedAtMs ?? null) : [];
  const shown = [...opening, ...updates];
  for (const update of shown) addCodexMeta(update, { turnId: facts.turnId });
  return { updates: shown, omissions: omissionsOf(item, shown) };
}

function userInput(item: ItemOf<"userMessage">, facts: ItemFacts, command: CommandMessage | null): HistoryProjection {
  const input = storedInput(item, command);
  if (input.type === "hidden") return { updates: [], omissions: [wholeItem(item, input.reason)] };
  const content = input.type === "command" ? [...input.content] : contentOf(item.content, { origin: true });
  const updates = [userMessage(item, facts, item.startedAtMs ?? null, content)];
  return { updates, omissions: input.type === "command" ? [] : omissionsOf(item, updates) };
}

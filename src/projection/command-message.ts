import type { ContentBlock } from "../generated/acp/types.js";
import { fitContent } from "./fit.js";
import { isInternalInput, turnMeta } from "./message.js";
import type { ItemFacts, ItemOf, Update } from "./update.js";

/** A slash command as the host sent it; null content for a turn whose native input is no message of its own. */
export interface CommandMessage {
  readonly receipt: string;
  readonly content: readonly ContentBlock[] | null;
}

/** Whose a stored input is: the user's own words, those of a command, or nobody's. */
export type StoredInput =
  | { readonly type: "native" }
  | { readonly type: "command"; readonly content: readonly ContentBlock[] }
  | { readonly type: "hidden"; readonly reason: string };

/** What stands for a stored user message; `command` belongs to its turn (HIST-39, HIST-40). */
export function storedInput(item: ItemOf<"userMessage">, command: CommandMessage | null): StoredInput {
  if (isInternalInput(item)) {
    return { type: "hidden", reason: "the bridge put this to the model to carry out a plan; no user wrote it" };
  }
  if (command && !command.content && item.clientId == null) {
    return { type: "hidden", reason: "Codex's own input of a slash command, which is shown under its receipt" };
  }
  // A message that was steered into the command's turn has a receipt of its own, and its own content.
  const content = command !== null && item.clientId === command.receipt ? command.content : null;
  return content ? { type: "command", content } : { type: "native" };
}

/** Codex's record of a review has no message that asked for it: the command stands before the review. */
export function reviewCommand(
  facts: ItemFacts,
  command: CommandMessage | null,
  sentAt: number | null,
): Extract<Update, { sessionUpdate: "user_message" }>[] {
  if (!command?.content) return [];
  return [
    {
      sessionUpdate: "user_message",
      messageId: command.receipt,
      content: fitContent(command.content),
      _meta: { codex: { ...turnMeta(facts), ...(sentAt === null ? {} : { messageSentAt: sentAt }) } },
    },
  ];
}

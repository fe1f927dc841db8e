import type { ContentBlock } from "../generated/acp/types.js";
import type { ThreadItem } from "../generated/codex/types.js";
import type { AgentMessageChunkMeta, AgentMessageMeta, UserMessageMeta } from "../generated/contract/meta.js";
import { fitContent } from "./fit.js";
import type { ItemFacts, ItemOf, Update } from "./update.js";
import { text } from "./update.js";
import { contentOf } from "./user-input.js";

/** The turn an update belongs to, and when it began (BRANCH-05 to BRANCH-07). */
export function turnMeta(facts: Pick<ItemFacts, "turnId" | "turnStartedAt">): TurnMeta {
  const meta: TurnMeta = { turnId: facts.turnId };
  if (facts.turnStartedAt !== null) meta.turnStartedAt = facts.turnStartedAt;
  return meta;
}

type TurnMeta = { turnId: string; turnStartedAt?: number };

/** The metadata of each chunk of one message: made once per item, not per delta. */
export function chunkMeta(item: ItemOf<"agentMessage">, facts: ItemFacts): AgentMessageChunkMeta {
  return { codex: { ...turnMeta(facts), ...(item.phase == null ? {} : { phase: item.phase }) } };
}

/** The whole of an agent message: what chunks added up to is replaced by it (REC-01, UPD-06). */
export function agentMessage(item: ItemOf<"agentMessage">, facts: ItemFacts): Update {
  const codex: NonNullable<AgentMessageMeta["codex"]> = turnMeta(facts);
  const { completedAt, work } = facts;
  if (item.phase != null) codex.phase = item.phase;
  if (completedAt !== null) codex.messageCompletedAt = completedAt;
  if (work !== null) codex.workStartedAt = work.startedAt;
  if (work !== null && work.durationMs !== null) codex.workDurationMs = work.durationMs;
  return { sessionUpdate: "agent_message", messageId: item.id, content: [text(item.text)], _meta: { codex } };
}

/** Reasoning as a whole: its summary, or the raw text where there is no summary. Null when there is neither. */
export function agentThought(item: ItemOf<"reasoning">, facts: ItemFacts): Update | null {
  const summary = item.summary ?? [];
  const parts = summary.length > 0 ? summary : (item.content ?? []);
  if (parts.every((part) => part === "")) return null;
  return {
    sessionUpdate: "agent_thought",
    messageId: item.id,
    content: parts.map(text),
    _meta: { codex: turnMeta(facts) },
  };
}

const internal = "codex-acp-kit:internal:";

/** The `clientUserMessageId` of input that the bridge itself puts to the model: no user wrote it (HIST-40). */
export const internalInput = (receipt: string): string => `${internal}${receipt}`;

export const isInternalInput = (item: Pick<ItemOf<"userMessage">, "clientId">): boolean =>
  item.clientId?.startsWith(internal) === true;

/** A user message as Codex holds it: under its receipt, or its item id when another client wrote it (PROMPT-08, -09). */
export function userMessage(
  item: ItemOf<"userMessage">,
  facts: ItemFacts,
  sentAt: number | null,
  content: ContentBlock[] = contentOf(item.content ?? []),
): Update {
  const codex: NonNullable<UserMessageMeta["codex"]> = turnMeta(facts);
  if (sentAt !== null) codex.messageSentAt = sentAt;
  return {
    sessionUpdate: "user_message",
    messageId: item.clientId ?? item.id,
    content: fitContent(content),
    _meta: { codex },
  };
}

/** A review's result is an agent message that Codex keeps as an item of its own kind. */
export const reviewMessage = (item: ItemOf<"exitedReviewMode">): ItemOf<"agentMessage"> => ({
  type: "agentMessage",
  id: item.id,
  text: item.review,
});

/** True when a message of the turn says what the review's result says (REVIEW-01, A-60). */
export const repeatsReview = (exit: ItemOf<"exitedReviewMode">, items: readonly ThreadItem[]): boolean =>
  items.some(
    (item) => item.type === "agentMessage" && item.phase !== "commentary" && item.text.trim() === exit.review.trim(),
  );

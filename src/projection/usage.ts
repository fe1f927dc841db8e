import type { Usage } from "../generated/acp/types.js";
import type { ThreadTokenUsage, TokenUsageBreakdown } from "../generated/codex/types.js";
import type { Update } from "./update.js";

/**
 * The context in use: the last request's tokens against the model's window (UPD-11, K-28). Null without a window. ACP
 * counts from 0; Codex's schema would let it go below.
 */
export function usageUpdate({ last, modelContextWindow: size }: ThreadTokenUsage): Update | null {
  if (size == null || size < 0) return null;
  return { sessionUpdate: "usage_update", used: Math.max(0, last.totalTokens), size };
}

/**
 * The tokens of one turn (STATE-08): the difference of Codex's session totals, since its `last` is only the newest
 * request's. Null when the total at the start is unknown, or nothing was counted.
 */
export function usageBetween(before: TokenUsageBreakdown | null, after: TokenUsageBreakdown | null): Usage | null {
  if (before === null || after === null) return null;
  const totalTokens = after.totalTokens - before.totalTokens;
  if (totalTokens <= 0) return null;
  const difference = (key: keyof TokenUsageBreakdown): number => Math.max(0, (after[key] ?? 0) - (before[key] ?? 0));
  return {
    totalTokens,
    inputTokens: difference("inputTokens"),
    outputTokens: difference("outputTokens"),
    thoughtTokens: difference("reasoningOutputTokens"),
    cachedReadTokens: difference("cachedInputTokens"),
    cachedWriteTokens: difference("cacheWriteInputTokens"),
  };
}

export const noTokens: TokenUsageBreakdown = {
  totalTokens: 0,
  inputTokens: 0,
  cachedInputTokens: 0,
  cacheWriteInputTokens: 0,
  outputTokens: 0,
  reasoningOutputTokens: 0,
};

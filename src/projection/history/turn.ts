import type { ThreadItem, Turn } from "../../generated/codex/types.js";
import type { CommandMessage } from "../command-message.js";
import { repeatsReview } from "../message.js";
import { endedByStop } from "../stored.js";
import type { ItemFacts } from "../update.js";
import { type HistoryProjection, historyItem } from "./item.js";

export interface HistoryTurnOptions {
  readonly cwd: string;
  /** The slash command that the turn carries out. */
  readonly command: CommandMessage | null;
}

/** A whole stored turn, in the order of its items (HIST-20). */
export function historyTurn(turn: Turn, { cwd, command }: HistoryTurnOptions): HistoryProjection {
  const facts = factsOf(turn.id, cwd, turn.startedAt == null ? null : turn.startedAt * 1000);
  const shown = turn.items
    .filter((item) => item.type !== "exitedReviewMode" || !repeatsReview(item, turn.items))
    .map((item) =>
      historyItem(
        item,
        turn,
        { ...facts, cancelled: endedByStop(turn, item), completedAt: item.completedAtMs ?? null },
        command,
      ),
    );
  return {
    updates: shown.flatMap(({ updates }) => updates),
    omissions: shown.flatMap(({ omissions }) => omissions),
  };
}

/** One item by itself: nothing of its turn is known, and item times are never given as turn times (HIST-35). */
export function historySingleItem(
  entry: { readonly turnId: string; readonly item: ThreadItem; readonly completedAtMs: number | null },
  { cwd, command }: HistoryTurnOptions,
): HistoryProjection {
  return historyItem(
    entry.item,
    null,
    { ...factsOf(entry.turnId, cwd, null), completedAt: entry.completedAtMs },
    command,
  );
}

const factsOf = (turnId: string, cwd: string, turnStartedAt: number | null): ItemFacts => ({
  turnId,
  turnStartedAt,
  cwd,
  cancelled: false,
  work: null,
  completedAt: null,
});

import type { Turn } from "../generated/codex/types.js";
import { type CommandMessage, reviewCommand, storedInput } from "./command-message.js";
import { storedFailure } from "./failure.js";
import { repeatsReview, userMessage } from "./message.js";
import { addCodexMeta, endedByStop, storedItem } from "./stored.js";
import type { ItemFacts, Mutable, Update } from "./update.js";
import { contentOf, type ReadImage } from "./user-input.js";

/** What replay needs to know beside the turn itself. */
export interface ReplayOptions {
  readonly cwd: string;
  /** What was read of the local images that the turn's messages name, by path (REPLAY-14). */
  readonly images?: ReadonlyMap<string, ReadImage>;
  /** The slash command that the turn carries out. */
  readonly command?: CommandMessage | null;
}

type ReplayMeta = {
  historyReplay: true;
  historyInterrupted?: true;
  turnDurationMs?: number;
};

/**
 * A stored turn as the updates that bring a host to where it would be after the live turn: through the same mapping of
 * items, each a whole snapshot, in the order of the turn.
 */
export function replayTurn(turn: Turn, { cwd, images = noImages, command = null }: ReplayOptions): Update[] {
  const startedAt = turn.startedAt == null ? null : turn.startedAt * 1000;
  const meta = replayMeta(turn);
  const facts: Mutable<ItemFacts> = {
    turnId: turn.id,
    turnStartedAt: startedAt,
    cwd,
    cancelled: false,
    work: null,
    completedAt: null,
  };
  const shown: Update[] = [];
  let opening = true;
  for (const item of turn.items) {
    if (item.type === "exitedReviewMode" && repeatsReview(item, turn.items)) continue;
    if (item.type === "userMessage") {
      const input = storedInput(item, command);
      if (input.type === "hidden") continue;
      const content = input.type === "command" ? [...input.content] : contentOf(item.content ?? [], { images });
      shown.push(userMessage(item, facts, opening ? startedAt : null, content));
      opening = false;
      continue;
    }
    if (item.type === "enteredReviewMode") {
      const asked = reviewCommand(facts, command, opening ? startedAt : null);
      if (asked.length > 0) opening = false;
      shown.push(...asked);
    }
    facts.cancelled = endedByStop(turn, item);
    facts.completedAt = item.completedAtMs ?? null;
    shown.push(...storedItem(item, turn, facts));
  }
  shown.push(...storedFailure(turn));
  const turnEnd = turn.completedAt == null ? null : { turnCompletedAt: turn.completedAt * 1000 };
  for (const update of shown) {
    // A reply that Codex gives no end of its own takes the turn's (REPLAY-29).
    const endless = update.sessionUpdate === "agent_message" && update._meta?.codex?.messageCompletedAt === undefined;
    addCodexMeta(update, turnEnd !== null && endless ? { ...turnEnd, ...meta } : meta);
  }
  return shown;
}

const noImages: ReadonlyMap<string, ReadImage> = new Map();

/** Clocks and flags of every replayed update (REPLAY-01, REPLAY-23 to REPLAY-25). */
function replayMeta(turn: Turn): ReplayMeta {
  const span = turn.startedAt != null && turn.completedAt != null ? (turn.completedAt - turn.startedAt) * 1000 : null;
  const turnDurationMs = turn.durationMs ?? span;
  const meta: ReplayMeta = { historyReplay: true };
  if (turn.status === "interrupted") meta.historyInterrupted = true;
  if (turnDurationMs !== null) meta.turnDurationMs = turnDurationMs;
  return meta;
}

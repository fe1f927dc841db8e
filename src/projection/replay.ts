import type { Turn } from "../generated/codex/types.js";
import { type CommandMessage, reviewCommand, storedInput } from "./command-message.js";
import { storedFailure } from "./failure.js";
import { repeatsReview, userMessage } from "./message.js";
import { endedByStop, storedItem, withCodexMeta } from "./stored.js";
import type { ItemFacts, Update } from "./update.js";
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
  const facts: ItemFacts = {
    turnId: turn.id,
    turnStartedAt: startedAt,
    cwd,
    cancelled: false,
    work: null,
    completedAt: null,
  };
  let opening = true;
  const shown = turn.items.flatMap((item) => {
    if (item.type === "exitedReviewMode" && repeatsReview(item, turn.items)) return [];
    if (item.type === "userMessage") {
      const input = storedInput(item, command);
      if (input.type === "hidden") return [];
      const content = input.type === "command" ? [...input.content] : contentOf(item.content ?? [], { images });
      const update = userMessage(item, facts, opening ? startedAt : null, content);
      opening = false;
      return [withCodexMeta(update, meta)];
    }
    const asked = item.type === "enteredReviewMode" ? reviewCommand(facts, command, opening ? startedAt : null) : [];
    if (asked.length > 0) opening = false;
    const updates = storedItem(item, turn, {
      ...facts,
      cancelled: endedByStop(turn, item),
      completedAt: item.completedAtMs ?? null,
    });
    return [...asked, ...updates].map((update) => withCodexMeta(withTurnEnd(update, turn), meta));
  });
  const failure = storedFailure(turn).map((update) => withCodexMeta(withTurnEnd(update, turn), meta));
  return failure.length === 0 ? shown : [...shown, ...failure];
}

const noImages: ReadonlyMap<string, ReadImage> = new Map();

/** Clocks and flags of every replayed update (REPLAY-01, REPLAY-23 to REPLAY-25). */
function replayMeta(turn: Turn): ReplayMeta {
  const span = turn.startedAt != null && turn.completedAt != null ? (turn.completedAt - turn.startedAt) * 1000 : null;
  const turnDurationMs = turn.durationMs ?? span;
  return {
    historyReplay: true,
    ...(turn.status === "interrupted" ? { historyInterrupted: true } : {}),
    ...(turnDurationMs === null ? {} : { turnDurationMs }),
  };
}

/** A reply that Codex gives no end of its own takes the turn's (REPLAY-29). */
function withTurnEnd(update: Update, turn: Turn): Update {
  if (update.sessionUpdate !== "agent_message" || turn.completedAt == null) return update;
  const codex = update._meta?.codex ?? {};
  if (codex.messageCompletedAt !== undefined) return update;
  return { ...update, _meta: { ...update._meta, codex: { ...codex, turnCompletedAt: turn.completedAt * 1000 } } };
}

import type { ThreadItem, Turn } from "../generated/codex/types.js";
import { itemCompleted, itemStarted, settleOpen, type TurnOutcome } from "./items.js";
import { emptyLedger } from "./ledger.js";
import { base64 } from "./output.js";
import type { ItemFacts, Update } from "./update.js";

/** How a stored turn came out, in the terms of tool calls. */
export const outcomeOf = (turn: Pick<Turn, "status">): TurnOutcome | "running" => {
  switch (turn.status) {
    case "completed":
      return "completed";
    case "interrupted":
      return "cancelled";
    case "inProgress":
      return "running";
    default:
      return "failed";
  }
};

/**
 * Whether an item ended because its turn was stopped, and did not fail by itself: it has no end, or ended in the last
 * second of the turn, which Codex dates by whole seconds, or later.
 */
export function endedByStop(turn: Pick<Turn, "status" | "completedAt">, item: ThreadItem): boolean {
  if (turn.status !== "interrupted") return false;
  // A kind without a status is recorded when it has ended.
  if (item.completedAtMs == null) return "status" in item;
  return turn.completedAt == null || item.completedAtMs >= turn.completedAt * 1000;
}

/** What the mapping of a stored item needs of its turn. */
export type StoredTurn = Pick<Turn, "status" | "items">;

/**
 * A stored item, whole. One that an ended turn left open is told as it was live: begun, and settled with its turn
 * (REC-04 to REC-06). `turn` null: it is not known.
 */
export function storedItem(item: ThreadItem, turn: StoredTurn | null, facts: ItemFacts): readonly Update[] {
  if (!isOpen(item, turn)) return itemCompleted(emptyLedger, item, facts).updates;
  const { ledger, updates } = itemStarted(emptyLedger, item, facts);
  const begun = updates.map((update) => withOutput(update, item));
  const outcome = turn === null ? "running" : outcomeOf(turn);
  return outcome === "running" ? begun : [...begun, ...settleOpen(ledger, outcome, noneAlive).updates];
}

/** Codex stores an item without an end as it last was; a review goes on until its result. */
function isOpen(item: ThreadItem, turn: StoredTurn | null): boolean {
  if (item.type !== "enteredReviewMode") return "status" in item && item.status === "inProgress";
  const after = turn === null ? [] : turn.items.slice(turn.items.indexOf(item) + 1);
  const next = after.find(({ type }) => type === "enteredReviewMode" || type === "exitedReviewMode");
  return turn !== null && next?.type !== "exitedReviewMode";
}

const noneAlive: ReadonlySet<string> = new Set();

/** The beginning of a terminal, with what was written to it before its turn ended. */
function withOutput(update: Update, item: ThreadItem): Update {
  if (update.sessionUpdate !== "terminal_update" || item.type !== "commandExecution") return update;
  return item.aggregatedOutput == null ? update : { ...update, output: { data: base64(item.aggregatedOutput) } };
}

/**
 * Adds members to the `_meta.codex` of an update that was just made and that nobody else holds, hence no copy of it. The
 * kinds that a host stores by id are the ones that have one. `meta` is not changed, and may be shared.
 */
export function addCodexMeta(update: Update, meta: { readonly [key: string]: unknown }): void {
  switch (update.sessionUpdate) {
    case "user_message":
    case "agent_message":
    case "agent_thought":
    case "tool_call_update":
    case "terminal_update":
    case "plan_update":
    case "compaction_update":
      update._meta = withCodex(update._meta, meta);
  }
}

type Meta = { readonly [key: string]: unknown };

function withCodex(before: Meta | null | undefined, meta: Meta) {
  if (before == null) return { codex: meta };
  const { codex } = before;
  // A second spread into one object costs a microsecond, which every replayed message would pay.
  return { ...before, codex: Object.assign({}, codex, meta) };
}

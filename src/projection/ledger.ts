import type { ThreadItem } from "../generated/codex/types.js";
import type { AgentMessageChunkMeta, ToolCallUpdateMeta } from "../generated/contract/meta.js";
import { oneShape } from "../runtime/index.js";
import type { Streamed } from "./output.js";

/** A review that Codex makes by itself: open like an item, but none (TOOL-16). */
export interface GuardianReview {
  readonly type: "guardianReview";
  readonly id: string;
}

/** An item the host was told of and that has not ended yet. */
export interface OpenItem {
  readonly turnId: string;
  /** As Codex last gave it. */
  readonly item: ThreadItem | GuardianReview;
  /** A tool call was announced under the item's id. */
  readonly tool: boolean;
  /** A command's output so far; null for all else. */
  readonly streamed: Streamed | null;
  /** Metadata of the message's chunks; null for all but agent messages. */
  readonly chunkMeta: AgentMessageChunkMeta | null;
  /** Which text of a reasoning item is being streamed: its summary or the raw one, whichever came first. */
  readonly thought: "summary" | "raw" | null;
  /** All that the host was told in `_meta.codex` of the tool call so far: the next upsert replaces the key whole. */
  readonly meta: NonNullable<ToolCallUpdateMeta["codex"]>;
  /** Code units of a plan's draft that the host was last shown. */
  readonly shown: number;
}

export const openItem = (turnId: string, item: OpenItem["item"]): OpenItem => ({
  turnId,
  item,
  tool: false,
  streamed: null,
  chunkMeta: null,
  thought: null,
  meta: {},
  shown: 0,
});

/** What the host knows to be going on, by item id. A copy of a map per item, never per message delta. */
export type Ledger = ReadonlyMap<string, OpenItem>;

export const emptyLedger: Ledger = new Map();

export function withItem(ledger: Ledger, id: string, entry: OpenItem): Ledger {
  const next = new Map(ledger);
  next.set(id, oneShape(entry));
  return next;
}

export function withoutItem(ledger: Ledger, id: string): Ledger {
  if (!ledger.has(id)) return ledger;
  const next = new Map(ledger);
  next.delete(id);
  return next;
}

import { hostRequests } from "../../generated/contract/methods.js";
import type { HistoryItem, HistoryPage, HistoryTurn } from "../../generated/contract/types.js";
import { type LocalAgent, RequestFailed } from "./local-agent.js";

export interface WalkOptions {
  readonly sessionId: string;
  readonly mode: "browse" | "export";
  /** Items one by one in place of whole turns. */
  readonly items: boolean;
  readonly native: boolean;
  readonly signal: AbortSignal;
}

export interface WalkedPage {
  readonly head: HistoryPage;
  readonly entries: readonly (HistoryTurn | HistoryItem)[];
}

const largest = 16 * 1024 * 1024;
const fullPage = 50;

/** Pages that fit in a row before a longer one is tried: one that does not fit costs a read of all of it. */
const goodPages = 8;

/**
 * The pages of a session's history, from its beginning. A page that is too large is asked for again with half as many
 * entries, and one entry with the largest budget there is; where entries get smaller again, pages get longer again.
 * Throws `RequestFailed`.
 */
export async function* walk(agent: Pick<LocalAgent, "request">, options: WalkOptions): AsyncGenerator<WalkedPage> {
  const seen = new Set<string>();
  let limit = fullPage;
  let good = 0;
  let maxBytes = 1024 * 1024;
  for (let cursor: string | null = null; ; ) {
    let page: WalkedPage;
    try {
      page = await read(agent, options, { cursor, limit, maxBytes });
    } catch (error) {
      if (!(error instanceof RequestFailed) || error.reason !== "history_page_too_large") throw error;
      if (limit > 1) limit = Math.floor(limit / 2);
      else if (maxBytes < largest) maxBytes = largest;
      else throw error;
      good = 0;
      continue;
    }
    yield page;
    maxBytes = 1024 * 1024;
    good += 1;
    if (good % goodPages === 0) limit = Math.min(fullPage, limit * 2);
    cursor = page.head.nextCursor;
    if (cursor === null) return;
    // The bridge notices a page that does not advance; a longer cycle is ours to notice (HIST-79).
    if (seen.has(cursor)) throw new Error("the history goes round in circles: Codex returned a cursor twice");
    seen.add(cursor);
  }
}

async function read(
  agent: Pick<LocalAgent, "request">,
  { sessionId, mode, items, native, signal }: WalkOptions,
  place: { readonly cursor: string | null; readonly limit: number; readonly maxBytes: number },
): Promise<WalkedPage> {
  const common = { sessionId, mode, includeNative: native, ...place };
  if (items) {
    const { items: entries, ...head } = await agent.request(hostRequests.codexSessionHistoryItems, common, signal);
    return { head, entries };
  }
  const params = { ...common, itemsView: "full" as const };
  const { turns: entries, ...head } = await agent.request(hostRequests.codexSessionHistory, params, signal);
  return { head, entries };
}

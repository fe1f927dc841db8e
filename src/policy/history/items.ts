import type { ThreadItemEntry } from "../../generated/codex/types.js";
import type {
  CodexSessionHistoryItemsParams,
  CodexSessionHistoryItemsResult,
  HistoryItem,
} from "../../generated/contract/types.js";
import { historySingleItem } from "../../projection/history/turn.js";
import type { HandlerContext } from "../../runtime/index.js";
import type { Services } from "../services.js";
import { afterAnchor } from "./anchor.js";
import { commandsOf } from "./commands.js";
import { defaults } from "./defaults.js";
import { historyPage, projecting } from "./page.js";

/** One page of items, of one turn or across the thread (HIST-09 to HIST-13, HIST-35). */
export function itemPage(
  services: Services,
  params: CodexSessionHistoryItemsParams,
  { signal }: HandlerContext,
): Promise<CodexSessionHistoryItemsResult> {
  const { sessionId, turnId = null, anchorItemId, includeNative: native = false } = params;
  const { mode, direction, limit, cursor, maxBytes } = defaults(params);
  const traversal = {
    session: sessionId,
    endpoint: "items",
    direction,
    mode,
    view: "full",
    native,
    turn: turnId,
  } as const;
  return historyPage(services, { traversal, cursor, limit, maxBytes }, signal, async (source, { thread }, position) => {
    const request = { limit, direction, turnId, cursor: position?.native ?? null };
    const { data, nextCursor } =
      anchorItemId === undefined
        ? await source.items(thread, request)
        : await afterAnchor(services, source, thread, request, anchorItemId);
    const turns = data.map((entry) => ({
      id: entry.turnId,
      root: null,
      review: entry.item.type === "enteredReviewMode",
    }));
    const command = await commandsOf(services, source, thread, turns, signal);
    const items = projecting(() =>
      data.map((entry): HistoryItem => {
        const times = timesOf(entry);
        const shown = historySingleItem(
          { turnId: entry.turnId, item: entry.item, completedAtMs: times.completedAtMs },
          { cwd: thread.cwd, command: command(entry.turnId) },
        );
        return {
          turnId: entry.turnId,
          itemId: entry.item.id,
          ...times,
          updates: [...shown.updates],
          omissions: [...shown.omissions],
          ...(native ? { _meta: { codex: { item: entry.item } } } : {}),
        };
      }),
    );
    return { content: { items }, nextCursor };
  });
}

/** Newer versions of Codex keep an item's times in the item too. */
const timesOf = ({ item, startedAtMs, completedAtMs }: ThreadItemEntry) => ({
  startedAtMs: startedAtMs ?? item.startedAtMs ?? null,
  completedAtMs: completedAtMs ?? item.completedAtMs ?? null,
});

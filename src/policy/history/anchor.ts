import type { Thread, ThreadItemEntry } from "../../generated/codex/types.js";
import { errors } from "../../generated/contract/errors.js";
import type { Services } from "../services.js";
import type { NativePage } from "./shape.js";
import type { ItemPageRequest, Source } from "./source.js";

/** Items looked at in one read while an anchor is searched for. */
const searchPage = 100;

/**
 * The items after an anchor, without it (HIST-11). Codex finds it from 0.161.0 on; an older one takes no anchor, and then
 * the turn's items are paged through until it is met (D-29).
 */
export async function afterAnchor(
  services: Services,
  source: Source,
  thread: Thread,
  request: ItemPageRequest,
  anchor: string,
): Promise<NativePage<ThreadItemEntry>> {
  try {
    return await source.items(thread, { ...request, anchor });
  } catch (error) {
    // The older form of the request has a string in this place, and no room for an anchor.
    if (services.codex.errorKind(error) !== "invalid-params") throw error;
  }
  const cursor = await cursorAfter(source, thread, request, anchor);
  return cursor === null ? { data: [], nextCursor: null } : source.items(thread, { ...request, cursor });
}

/** Codex's cursor for what follows the anchor; null when nothing does. */
async function cursorAfter(
  source: Source,
  thread: Thread,
  request: ItemPageRequest,
  anchor: string,
): Promise<string | null> {
  for (let cursor: string | null = null; ; ) {
    const page = await source.items(thread, { ...request, cursor, limit: searchPage });
    const index = page.data.findIndex(({ item }) => item.id === anchor);
    if (index === page.data.length - 1 && index >= 0) return page.nextCursor;
    if (index >= 0) return (await source.items(thread, { ...request, cursor, limit: index + 1 })).nextCursor;
    cursor = page.nextCursor;
    if (cursor === null) {
      const details = "anchorItemId names no item of this turn";
      throw errors.historyInvalidCursor({ details, native: undefined });
    }
  }
}

import { requests } from "../../generated/codex/methods.js";
import type { Thread } from "../../generated/codex/types.js";
import { errors } from "../../generated/contract/errors.js";
import type { SessionListResult } from "../../generated/contract/types.js";
import type { Services } from "../services.js";
import { entriesOf } from "./entries.js";
import { readPage } from "./page.js";

/** Threads asked for at once (LIST-12). */
const limit = 100;

/**
 * All threads that are not archived, of every project, each once; or an error, never a part (LIST-11 to LIST-17).
 *
 * @throws `repeated_cursor` when Codex's pages do not end.
 */
export async function listAll(services: Services): Promise<SessionListResult> {
  const client = await services.codex.ready();
  const threads = new Map<string, Thread>();
  const cursors = new Set<string>();
  let cursor: string | null = null;
  do {
    const page = await readPage(services, client, { archived: false, limit, ...(cursor === null ? {} : { cursor }) });
    for (const thread of page.data) if (!threads.has(thread.id)) threads.set(thread.id, thread);
    cursor = page.nextCursor ?? null;
    if (cursor !== null && cursors.has(cursor)) throw errors.repeatedCursor({ method: requests.threadList.method });
    if (cursor !== null) cursors.add(cursor);
  } while (cursor !== null);
  return { sessions: await entriesOf(services, client, [...threads.values()], false) };
}

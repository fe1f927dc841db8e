import type { CodexClient } from "../../codex/client.js";
import type { SessionInfo } from "../../generated/acp/types.js";
import type { Thread } from "../../generated/codex/types.js";
import type { SessionListEntryMeta } from "../../generated/contract/types.js";
import { lineage, titleOfThread } from "../open/opened.js";
import type { Services } from "../services.js";

/** Reads of single threads that are out at once (LIST-15). */
const atOnce = 8;

/** A row of Codex's list as ACP has it (A-23: an RFC 3339 time here, absent when out of range). */
function entryOf(thread: Thread, archived: boolean): SessionInfo {
  const updatedAt = new Date(thread.updatedAt * 1000);
  const meta = { codex: { archived, ...lineage(thread) } } satisfies SessionListEntryMeta;
  return {
    sessionId: thread.id,
    cwd: thread.cwd,
    title: titleOfThread(thread),
    ...(Number.isNaN(updatedAt.getTime()) ? {} : { updatedAt: updatedAt.toISOString() }),
    _meta: meta,
  };
}

/** Entries for the rows, in their order. A row may have lost its lineage, so each thread is asked for it (BRANCH-19). */
export async function entriesOf(
  services: Services,
  client: CodexClient,
  threads: readonly Thread[],
  archived: boolean,
): Promise<SessionInfo[]> {
  const entries: SessionInfo[] = [];
  let next = 0;
  async function work(): Promise<void> {
    for (let index = next++; index < threads.length; index = next++) {
      const row = threads[index];
      if (row) entries[index] = entryOf(await withLineage(services, client, row), archived);
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, threads.length) }, work));
  return entries;
}

async function withLineage(services: Services, client: CodexClient, row: Thread): Promise<Thread> {
  if (row.forkedFromId != null) return row;
  try {
    const { thread } = await client.threadRead({ threadId: row.id });
    return { ...row, sessionId: thread.sessionId, forkedFromId: thread.forkedFromId ?? null };
  } catch (error) {
    // A thread that cannot be read is still in the list; only the loss of Codex ends the listing.
    if (services.codex.failureOf(error)?.type === "refused") return row;
    throw error;
  }
}

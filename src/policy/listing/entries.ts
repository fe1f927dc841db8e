import type { CodexClient } from "../../codex/client.js";
import type { SessionInfo } from "../../generated/acp/types.js";
import type { Thread } from "../../generated/codex/types.js";
import type { SessionListEntryMeta } from "../../generated/contract/types.js";
import { lineage } from "../open/opened.js";
import type { Services } from "../services.js";
import { titleFromRecord, titleOfThread } from "../titles.js";
import { atMost } from "./at-most.js";

/** Reads of single threads that are out at once, whatever they are for and whichever list needs them (LIST-15). */
const readsAtOnce = 8;

type Lineage = ReturnType<typeof lineage>;

/** What single threads are asked for beyond their rows; shared by all lists of a connection. */
export interface ThreadReads {
  /** The thread's summary; null when Codex refuses to read it. */
  thread(client: CodexClient, threadId: string): Promise<Thread | null>;
  lineage(client: CodexClient, row: Thread): Promise<Lineage>;
  title(client: CodexClient, row: Thread): Promise<string | null>;
}

/**
 * Rows come without their lineage, and `thread/read` tells it (BRANCH-19). Both it and a title from the record are
 * believed until the thread changes, so that only the first list asks for all of them; the list itself is never kept
 * (LIST-20).
 */
export function createThreadReads(services: Services): ThreadReads {
  const once = atMost(readsAtOnce);
  const lineages = remembering<Lineage>();
  const titles = remembering<string>();

  const reads: ThreadReads = {
    thread: (client, threadId) =>
      once(async () => {
        try {
          return (await client.threadRead({ threadId })).thread;
        } catch (error) {
          // Only the loss of Codex ends a listing.
          if (services.codex.failureOf(error)?.type === "refused") return null;
          throw error;
        }
      }),
    async lineage(client, row) {
      if (row.forkedFromId != null) return lineage(row);
      const read = async () => {
        const thread = await reads.thread(client, row.id);
        return thread && lineage(thread);
      };
      // A thread that cannot be read is still in the list.
      return (await lineages(row, read)) ?? lineage(row);
    },
    title: (client, row) =>
      titleOfThread(row, (id) => titles(row, () => once(() => titleFromRecord(services, client, id)))),
  };
  return reads;
}

/** Keeps what was read of a thread until its row has another time; null is not kept. */
function remembering<T>() {
  const known = new Map<string, { readonly updatedAt: number; readonly value: T }>();
  return async ({ id, updatedAt }: Thread, read: () => Promise<T | null>): Promise<T | null> => {
    const kept = known.get(id);
    if (kept && kept.updatedAt === updatedAt) return kept.value;
    const value = await read();
    if (value !== null) known.set(id, { updatedAt, value });
    return value;
  };
}

/** A row of Codex's list as ACP has it (A-23: an RFC 3339 time here, absent when out of range). */
async function entryOf(
  reads: ThreadReads,
  client: CodexClient,
  thread: Thread,
  archived: boolean,
): Promise<SessionInfo> {
  const [origin, title] = await Promise.all([reads.lineage(client, thread), reads.title(client, thread)]);
  const updatedAt = new Date(thread.updatedAt * 1000);
  const meta = { codex: { archived, ...origin } } satisfies SessionListEntryMeta;
  return {
    sessionId: thread.id,
    cwd: thread.cwd,
    title,
    ...(Number.isNaN(updatedAt.getTime()) ? {} : { updatedAt: updatedAt.toISOString() }),
    archived,
    _meta: meta,
  };
}

/** Entries for the rows, in their order. No more of them are under way than can be read for at once. */
export async function entriesOf(
  reads: ThreadReads,
  client: CodexClient,
  threads: readonly Thread[],
  archived: boolean,
): Promise<SessionInfo[]> {
  const entries: SessionInfo[] = [];
  let next = 0;
  async function work(): Promise<void> {
    for (let index = next++; index < threads.length; index = next++) {
      const thread = threads[index];
      if (thread) entries[index] = await entryOf(reads, client, thread, archived);
    }
  }
  await Promise.all(Array.from({ length: readsAtOnce }, work));
  return entries;
}

import type { Thread } from "../../generated/codex/types.js";
import type { SessionListResult } from "../../generated/contract/types.js";
import type { Services } from "../services.js";
import { entriesOf, type ThreadReads } from "./entries.js";
import { missingForks } from "./forks.js";
import { pagesFrom, type Scope } from "./native.js";

/** Every thread that is not archived; 100 are asked for at once (LIST-12). */
const scope: Scope = { archived: false, limit: 100 };

/**
 * All threads that are not archived, of every project, each once; or an error, never a part (LIST-11 to LIST-17).
 *
 * @throws `repeated_cursor` when Codex's pages do not end.
 */
export async function listAll(services: Services, reads: ThreadReads): Promise<SessionListResult> {
  const client = await services.codex.ready();
  const threads = new Map<string, Thread>();
  for await (const rows of pagesFrom(services, client, scope, null)) {
    for (const thread of rows) if (!threads.has(thread.id)) threads.set(thread.id, thread);
  }
  const forks = await missingForks(services, reads, client, scope, { rows: threads.values(), rest: null });
  return { sessions: await entriesOf(reads, client, [...threads.values(), ...forks], false) };
}

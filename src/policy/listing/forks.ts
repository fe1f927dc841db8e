import type { CodexClient } from "../../codex/client.js";
import type { Thread } from "../../generated/codex/types.js";
import type { Services } from "../services.js";
import type { ThreadReads } from "./entries.js";
import { isListedSource, pagesFrom, type Scope } from "./native.js";

/** What of Codex's list is known already: its first rows, and where the rest begins. */
export interface Listed {
  readonly rows: Iterable<Thread>;
  /** Null when there is no more. */
  readonly rest: string | null;
}

/**
 * The forks of this archive state and folder that Codex leaves out of its list, where it does that: those nobody has
 * prompted yet. The headers of its rollouts name them, `thread/read` says what they are, and what any page of the list
 * has is none of them (BRANCH-14 to BRANCH-17, R-10).
 */
export async function missingForks(
  services: Services,
  reads: ThreadReads,
  client: CodexClient,
  scope: Scope,
  listed: Listed,
): Promise<Thread[]> {
  const codexHome = await services.codex.hiddenForks();
  if (codexHome === null) return [];
  const inScope = await folderOf(services, scope);
  const headers = await services.files.readForks(codexHome, scope.archived === true);
  const missing = new Set(headers.filter(({ cwd }) => inScope(cwd)).map(({ id }) => id));
  for (const { id } of listed.rows) missing.delete(id);
  if (missing.size > 0 && listed.rest !== null) {
    for await (const rows of pagesFrom(services, client, scope, listed.rest)) {
      for (const { id } of rows) missing.delete(id);
      if (missing.size === 0) break;
    }
  }
  const threads = await Promise.all([...missing].map((id) => reads.thread(client, id)));
  return threads.filter(
    (thread): thread is Thread => thread?.forkedFromId != null && isListedSource(thread) && inScope(thread.cwd),
  );
}

/** Whether a thread's folder is the one asked for, as Codex compares them. */
async function folderOf({ files }: Services, { cwd }: Scope): Promise<(folder: string | null) => boolean> {
  if (typeof cwd !== "string") return () => true;
  const canonical = await files.canonicalPath(cwd);
  return (folder) => folder === cwd || folder === canonical;
}

import { errors } from "../../generated/contract/errors.js";
import type { HistoryPage } from "../../generated/contract/types.js";
import { ContractError } from "../../runtime/index.js";
import type { Services } from "../services.js";
import { decodeCursor, encodeCursor, type Position, type Traversal } from "./cursor.js";
import { toHistoryError } from "./failure.js";
import { checkQuiet, type Observation, observe } from "./observe.js";
import { openSource, type Source } from "./source.js";

/** What both methods are asked for, with the defaults filled in. */
export interface PageOptions {
  readonly traversal: Traversal;
  readonly cursor: string | null;
  readonly limit: number;
  readonly maxBytes: number;
}

/** The part of a page that is not in `HistoryPage`, and where Codex goes on. */
export interface Body<Content> {
  readonly content: Content;
  readonly nextCursor: string | null;
}

/**
 * One page of either method: check the cursor, look at the thread, read and project, look again in export mode, and
 * refuse what is over `maxBytes` as a whole (HIST-62). Nothing is kept, so that any page can be asked for again (HIST-63).
 */
export async function historyPage<Content extends object>(
  services: Services,
  { traversal, cursor, maxBytes }: PageOptions,
  signal: AbortSignal,
  read: (source: Source, seen: Observation, position: Position | null) => Promise<Body<Content>>,
): Promise<HistoryPage & Content> {
  const { session, mode } = traversal;
  try {
    const position = cursor === null ? null : decodeCursor(cursor, traversal, services.digest);
    const source = await openSource(services, signal);
    const before = await observe(services, source, session, mode);
    if (mode === "export") checkQuiet(before, position?.revision ?? null, session);
    const { content, nextCursor } = await read(source, before, position);
    const seen = mode === "export" ? await observe(services, source, session, mode) : before;
    if (mode === "export") checkQuiet(seen, before.revision, session);
    const next =
      nextCursor === null
        ? null
        : encodeCursor(traversal, { native: nextCursor, revision: seen.revision }, services.digest);
    const result = { ...headOf(session, mode, seen, next), ...content };
    const bytes = Buffer.byteLength(JSON.stringify(result), "utf8");
    if (bytes > maxBytes) throw errors.historyPageTooLarge({ bytes, maxBytes });
    return result;
  } catch (error) {
    throw toHistoryError(services, error, session);
  }
}

function headOf(
  sessionId: string,
  mode: "browse" | "export",
  { thread, running, revision }: Observation,
  nextCursor: string | null,
): HistoryPage {
  const { cwd, name, preview, createdAt, updatedAt, forkedFromId } = thread;
  return {
    sessionId,
    cwd,
    title: [name, preview].find((it) => it != null && it !== "") ?? null,
    createdAt,
    updatedAt,
    forkedFromId: forkedFromId ?? null,
    running,
    consistency: mode === "browse" ? "live" : "optimistic",
    revision,
    nextCursor,
    complete: nextCursor === null,
  };
}

/** Projects what Codex returned; what the projection cannot make sense of is a malformed page (HIST-75). */
export function projecting<T>(project: () => T): T {
  try {
    return project();
  } catch (error) {
    if (error instanceof ContractError) throw error;
    const details = error instanceof Error ? error.message : String(error);
    throw errors.historyInvalidPage({ details: `an item is off schema (${details})` }, { cause: error });
  }
}

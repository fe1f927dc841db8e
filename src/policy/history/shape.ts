import type { Thread, ThreadItemEntry, ThreadItemsListResponse, Turn } from "../../generated/codex/types.js";
import { errors } from "../../generated/contract/errors.js";

type Record = { readonly [member: string]: unknown };

const isRecord = (value: unknown): value is Record =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A page of Codex, held to what the history builds on; beyond that Codex's schema is taken at its word (HIST-75). */
export interface NativePage<Entry> {
  readonly data: readonly Entry[];
  readonly nextCursor: string | null;
}

const malformed = (details: string) => errors.historyInvalidPage({ details });

export function checkedThread(answer: unknown): Thread {
  const thread: unknown = isRecord(answer) ? answer["thread"] : undefined;
  if (!isRecord(thread)) throw malformed("the metadata is no object");
  for (const member of ["id", "cwd", "preview"]) {
    if (typeof thread[member] !== "string") throw malformed(`the metadata has no ${member}`);
  }
  for (const member of ["createdAt", "updatedAt"]) {
    if (!Number.isInteger(thread[member])) throw malformed(`the metadata has no ${member}`);
  }
  if (!isRecord(thread["status"])) throw malformed("the metadata has no status");
  return thread as unknown as Thread;
}

export function checkedTurns(answer: unknown, limit: number, cursor: string | null): NativePage<Turn> {
  const page = checkedPage<Turn>(answer, limit, cursor);
  for (const turn of page.data) {
    if (!isRecord(turn) || typeof turn.id !== "string") throw malformed("a turn has no id");
    if (!Array.isArray(turn.items) || !turn.items.every(isItem))
      throw malformed(`turn ${turn.id} has no list of items`);
  }
  return page;
}

export function checkedItems(
  answer: ThreadItemsListResponse,
  limit: number,
  cursor: string | null,
  turnId: string | null,
): NativePage<ThreadItemEntry> {
  const page = checkedPage<ThreadItemEntry>(answer, limit, cursor);
  for (const entry of page.data) {
    if (!isRecord(entry) || typeof entry.turnId !== "string") throw malformed("an item has no turn");
    if (!isItem(entry.item)) throw malformed(`an item of turn ${entry.turnId} has no id or type`);
    if (turnId !== null && entry.turnId !== turnId) throw malformed(`it has an item of another turn, ${entry.turnId}`);
    if (entry.outputDeferred === true)
      throw errors.historyIncomplete({ details: `item ${entry.item.id} has no output` });
  }
  return page;
}

const isItem = (item: unknown): boolean =>
  isRecord(item) && typeof item["id"] === "string" && typeof item["type"] === "string";

function checkedPage<Entry>(answer: unknown, limit: number, cursor: string | null): NativePage<Entry> {
  if (!isRecord(answer) || !Array.isArray(answer["data"])) throw malformed("it has no list of entries");
  const { data, nextCursor = null } = answer as unknown as { data: Entry[]; nextCursor?: unknown };
  if (nextCursor !== null && typeof nextCursor !== "string") throw malformed("its cursor is no string");
  if (data.length > limit) throw malformed(`it has ${data.length} entries where ${limit} were asked for`);
  // A longer cycle is for the host to notice (HIST-79).
  if (nextCursor !== null && nextCursor === cursor) throw malformed("its cursor does not advance");
  return { data, nextCursor };
}

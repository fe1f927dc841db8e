import type { CodexClient } from "../../codex/client.js";
import type { SessionInfo } from "../../generated/acp/types.js";
import { requests } from "../../generated/codex/methods.js";
import { errors } from "../../generated/contract/errors.js";
import type { SessionListParams, SessionListResult } from "../../generated/contract/types.js";
import type { Services } from "../services.js";
import { requireAbsolute } from "../thread-config.js";
import { cursorOf, type Place, placeOf } from "./cursor.js";
import { entriesOf, type ThreadReads } from "./entries.js";
import { missingForks } from "./forks.js";
import { readPage } from "./native.js";

/** Which threads are asked for, by their archive state. */
function stateOf({ archived, _meta }: SessionListParams): "exclude" | "only" | "include" {
  const state = archived ?? "exclude";
  if (state !== "exclude" && state !== "only" && state !== "include") {
    throw errors.invalidParams({ path: "/archived", expected: 'one of "exclude", "only", "include"' });
  }
  return state === "exclude" && _meta?.codex?.archived === true ? "only" : state;
}

/**
 * `session/list`: a page of Codex's list, with Codex's cursor (LIST-01, BRANCH-18). With `archived: "include"` the live
 * list comes first and the archived one after it, under one cursor.
 *
 * @throws `invalid_params`, `invalid_cursor`, and `repeated_cursor` when Codex's next page is the one just read.
 */
export async function listPage(
  services: Services,
  reads: ThreadReads,
  params: SessionListParams,
): Promise<SessionListResult> {
  const state = stateOf(params);
  const cwd = params.cwd ?? null;
  const cursor = params.cursor ?? null;
  if (cwd !== null) requireAbsolute(cwd, "/cwd");
  const client = await services.codex.ready();
  if (state !== "include") {
    const { sessions, next } = await onePage(services, reads, client, cwd, { archived: state === "only", cursor });
    return { sessions, ...(next === null ? {} : { nextCursor: next }) };
  }
  const place = cursor === null ? { archived: false, cursor } : placeOf(cursor);
  const { sessions, next } = await onePage(services, reads, client, cwd, place);
  if (next !== null) return { sessions, nextCursor: cursorOf({ ...place, cursor: next }) };
  if (place.archived) return { sessions };
  const archive: Place = { archived: true, cursor: null };
  if (sessions.length > 0) return { sessions, nextCursor: cursorOf(archive) };
  const first = await onePage(services, reads, client, cwd, archive);
  return {
    sessions: first.sessions,
    ...(first.next === null ? {} : { nextCursor: cursorOf({ ...archive, cursor: first.next }) }),
  };
}

interface Page {
  readonly sessions: SessionInfo[];
  readonly next: string | null;
}

async function onePage(
  services: Services,
  reads: ThreadReads,
  client: CodexClient,
  cwd: string | null,
  { archived, cursor }: Place,
): Promise<Page> {
  const scope = { archived, ...(cwd === null ? {} : { cwd }) };
  const page = await readPage(services, client, scope, cursor);
  const next = page.nextCursor ?? null;
  if (next !== null && next === cursor) throw errors.repeatedCursor({ method: requests.threadList.method });
  // The first page has what Codex leaves out of all of them; the others are Codex's own.
  const forks =
    cursor === null ? await missingForks(services, reads, client, scope, { rows: page.data, rest: next }) : [];
  return { sessions: await entriesOf(reads, client, [...page.data, ...forks], archived), next };
}

import type { CodexClient } from "../../codex/client.js";
import type { ThreadListParams, ThreadListResponse, ThreadSourceKind } from "../../generated/codex/types.js";
import { errors } from "../../generated/contract/errors.js";
import type { SessionListParams, SessionListResult } from "../../generated/contract/types.js";
import type { Services } from "../services.js";
import { requireAbsolute } from "../thread-config.js";
import { entriesOf } from "./entries.js";

/** Who started a thread that a user would look for; Codex's own sub-agents are not among them (LIST-19, K-21). */
const sourceKinds: ThreadSourceKind[] = ["cli", "vscode", "exec", "appServer", "unknown"];

type Scope = Pick<ThreadListParams, "archived" | "cwd" | "cursor" | "limit">;

/**
 * One page of Codex's list, over all model providers (LIST-03, LIST-18).
 *
 * @throws `invalid_cursor` when Codex refuses the cursor.
 */
export async function readPage(services: Services, client: CodexClient, scope: Scope): Promise<ThreadListResponse> {
  try {
    return await client.threadList({ ...scope, modelProviders: [], sourceKinds });
  } catch (error) {
    if (services.codex.errorKind(error) === "invalid-cursor") throw errors.invalidCursor({ cause: error });
    throw error;
  }
}

/** Whether the archived threads are asked for; one archive state at a time. */
function archivedOf({ archived, _meta }: SessionListParams): boolean {
  const state = archived ?? "exclude";
  if (state !== "exclude" && state !== "only") {
    throw errors.invalidParams({ path: "/archived", expected: 'one of "exclude", "only"' });
  }
  return state === "only" || _meta?.codex?.archived === true;
}

/** `session/list`: Codex's own page and cursor (LIST-01, BRANCH-18). The folder goes to Codex as given. */
export async function listPage(services: Services, params: SessionListParams): Promise<SessionListResult> {
  const archived = archivedOf(params);
  const { cwd, cursor } = params;
  if (cwd != null) requireAbsolute(cwd, "/cwd");
  const client = await services.codex.ready();
  const page = await readPage(services, client, {
    archived,
    ...(cwd == null ? {} : { cwd }),
    ...(cursor == null ? {} : { cursor }),
  });
  const sessions = await entriesOf(services, client, page.data, archived);
  return { sessions, ...(page.nextCursor == null ? {} : { nextCursor: page.nextCursor }) };
}

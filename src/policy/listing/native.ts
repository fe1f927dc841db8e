import type { CodexClient } from "../../codex/client.js";
import { requests } from "../../generated/codex/methods.js";
import type { Thread, ThreadListParams, ThreadListResponse, ThreadSourceKind } from "../../generated/codex/types.js";
import { errors } from "../../generated/contract/errors.js";
import type { Services } from "../services.js";

/** Who started a thread that a user would look for; Codex's own sub-agents are not among them (LIST-19, K-21). */
const sourceKinds: ThreadSourceKind[] = ["cli", "vscode", "exec", "appServer", "unknown"];

/** Which of Codex's lists is read. The folder goes to Codex as given. */
export type Scope = Pick<ThreadListParams, "archived" | "cwd" | "limit">;

export const isListedSource = ({ source }: Thread): boolean => sourceKinds.some((kind) => kind === source);

/**
 * One page of Codex's list, over all model providers (LIST-03, LIST-18).
 *
 * @throws `invalid_cursor` when Codex refuses the cursor.
 */
export async function readPage(
  services: Services,
  client: CodexClient,
  scope: Scope,
  cursor: string | null,
): Promise<ThreadListResponse> {
  try {
    return await client.threadList({
      ...scope,
      ...(cursor === null ? {} : { cursor }),
      modelProviders: [],
      sourceKinds,
    });
  } catch (error) {
    if (services.codex.errorKind(error) === "invalid-cursor") throw errors.invalidCursor({ cause: error });
    throw error;
  }
}

/**
 * The pages from `cursor` on, each as soon as it is there.
 *
 * @throws `repeated_cursor` when they do not end (LIST-17).
 */
export async function* pagesFrom(
  services: Services,
  client: CodexClient,
  scope: Scope,
  cursor: string | null,
): AsyncGenerator<readonly Thread[]> {
  const seen = new Set<string | null>([cursor]);
  for (let next = cursor; ; ) {
    const page = await readPage(services, client, scope, next);
    yield page.data;
    next = page.nextCursor ?? null;
    if (next === null) return;
    if (seen.has(next)) throw errors.repeatedCursor({ method: requests.threadList.method });
    seen.add(next);
  }
}

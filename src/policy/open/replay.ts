import type { CodexClient } from "../../codex/client.js";
import type { ContentBlock } from "../../generated/acp/types.js";
import { requests } from "../../generated/codex/methods.js";
import type { Turn, UserInput } from "../../generated/codex/types.js";
import { errors } from "../../generated/contract/errors.js";
import { agentNotifications } from "../../generated/contract/methods.js";
import { unavailableImage } from "../../projection/fit.js";
import { replayTurn } from "../../projection/replay.js";
import { contentOf } from "../../projection/user-input.js";
import { commandIn, receiptsOf, rootedTurn } from "../commands/receipts.js";
import type { Services } from "../services.js";

/** Turns of one page (SESS-07). */
const pageSize = 50;

/**
 * Sends the stored transcript as updates, page by page, and returns the ids of its turns, oldest first. One page is held
 * at a time, and the next is asked for only once the host has taken this one.
 */
export async function replayThread(
  services: Services,
  client: CodexClient,
  threadId: string,
  cwd: string,
  signal: AbortSignal,
): Promise<string[]> {
  const ids: string[] = [];
  for await (const turns of turnPages(client, threadId, "full", signal)) {
    const receipts = await receiptsOf(services, threadId, turns.map(rootedTurn));
    for (const turn of turns) {
      ids.push(turn.id);
      const command = commandIn(receipts, rootedTurn(turn));
      const contents = await readContents(services, turn);
      for (const update of replayTurn(turn, { cwd, contents, command })) {
        services.host.notify(agentNotifications.sessionUpdate, { sessionId: threadId, update });
      }
    }
    services.host.flush();
    await services.host.drained();
  }
  return ids;
}

/** The ids of a thread's turns, oldest first. */
export async function turnIds(client: CodexClient, threadId: string, signal: AbortSignal): Promise<string[]> {
  const ids: string[] = [];
  for await (const turns of turnPages(client, threadId, "notLoaded", signal)) ids.push(...turns.map(({ id }) => id));
  return ids;
}

async function* turnPages(
  client: CodexClient,
  threadId: string,
  itemsView: "full" | "notLoaded",
  signal: AbortSignal,
): AsyncGenerator<readonly Turn[]> {
  const seen = new Set<string>();
  for (let cursor: string | null = null; ; ) {
    signal.throwIfAborted();
    const page: { data: Turn[]; nextCursor?: string | null } = await client.threadTurnsList({
      threadId,
      // Codex's own defaults are descending and summaries.
      sortDirection: "asc",
      itemsView,
      limit: pageSize,
      ...(cursor === null ? {} : { cursor }),
    });
    yield page.data;
    cursor = page.nextCursor ?? null;
    if (cursor === null) return;
    if (seen.has(cursor)) throw errors.repeatedCursor({ method: requests.threadTurnsList.method });
    seen.add(cursor);
  }
}

/** Images that Codex knows by path are read here, because a native attachment names them, and only then (REPLAY-15). */
async function readContents(services: Services, turn: Turn): Promise<ReadonlyMap<string, readonly ContentBlock[]>> {
  const contents = new Map<string, readonly ContentBlock[]>();
  for (const item of turn.items) {
    if (item.type !== "userMessage" || !item.content.some(({ type }) => type === "localImage")) continue;
    contents.set(item.id, (await Promise.all(item.content.map((input) => blockOf(services, input)))).flat());
  }
  return contents;
}

async function blockOf(services: Services, input: UserInput): Promise<ContentBlock[]> {
  if (input.type !== "localImage") return contentOf([input]);
  const image = await services.files.readImage(input.path);
  return [image ? { type: "image", ...image } : unavailableImage()];
}

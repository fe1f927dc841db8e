import type { CodexClient } from "../../codex/client.js";
import { requests } from "../../generated/codex/methods.js";
import type { Thread, Turn } from "../../generated/codex/types.js";
import { errors } from "../../generated/contract/errors.js";
import { agentNotifications } from "../../generated/contract/methods.js";
import { maxImageBytes } from "../../projection/fit.js";
import { replayTurn } from "../../projection/replay.js";
import type { ReadImage } from "../../projection/user-input.js";
import { commandIn, type Receipts, type RootedTurn, receiptsOf, rootedTurn } from "../commands/receipts.js";
import type { Services } from "../services.js";
import { unlessCancelled } from "./cancellable.js";

/** Turns of one page (SESS-07). */
const pageSize = 50;

export interface ReplayOptions {
  /** Ends the replay between any two updates; it rejects with the signal's reason. */
  readonly signal: AbortSignal;
  /** Reads the receipts of a page; default: as long as that takes. */
  readonly readReceipts?: (turns: readonly RootedTurn[]) => Promise<Receipts>;
  /** Has each turn once it has been shown. */
  readonly onTurn?: (turn: Turn) => void;
}

/**
 * Sends the stored transcript as updates, page by page, and returns the ids of its turns, oldest first. One page is held
 * at a time, and the next is asked for only once the host has taken this one.
 */
export async function replayThread(
  services: Services,
  client: CodexClient,
  { id: threadId, cwd }: Pick<Thread, "id" | "cwd">,
  { signal, readReceipts = (turns) => receiptsOf(services, threadId, turns), onTurn }: ReplayOptions,
): Promise<string[]> {
  const ids: string[] = [];
  for await (const turns of turnPages(client, threadId, "full", signal)) {
    const receipts = await unlessAborted(readReceipts(turns.map(rootedTurn)), signal);
    for (const turn of turns) {
      const command = commandIn(receipts, rootedTurn(turn));
      const images = namesImages(turn) ? await unlessAborted(readImages(services, turn), signal) : null;
      for (const update of replayTurn(turn, { cwd, command, ...(images && { images }) })) {
        services.host.notify(agentNotifications.sessionUpdate, { sessionId: threadId, update });
      }
      ids.push(turn.id);
      onTurn?.(turn);
      // Turns of one page may be large, and none is told before the host has taken the last.
      const drained = services.host.drained();
      if (drained) await unlessAborted(drained, signal);
    }
    services.host.flush();
    const drained = services.host.drained();
    if (drained) await unlessAborted(drained, signal);
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
    const read: Promise<{ data: Turn[]; nextCursor?: string | null }> = client.threadTurnsList({
      threadId,
      // Codex's own defaults are descending and summaries.
      sortDirection: "asc",
      itemsView,
      limit: pageSize,
      ...(cursor === null ? {} : { cursor }),
    });
    const page = await unlessAborted(read, signal);
    yield page.data;
    cursor = page.nextCursor ?? null;
    if (cursor === null) return;
    if (seen.has(cursor)) throw errors.repeatedCursor({ method: requests.threadTurnsList.method });
    seen.add(cursor);
  }
}

/** Waits for `work`, at most until the signal; what comes later is dropped. */
const unlessAborted = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  unlessCancelled(work, signal, () => undefined);

const namesImages = ({ items }: Turn): boolean =>
  items.some((item) => item.type === "userMessage" && item.content.some(({ type }) => type === "localImage"));

/** Images that Codex knows by path are read here, because a native attachment names them, and only then (REPLAY-15). */
async function readImages(services: Services, turn: Turn): Promise<ReadonlyMap<string, ReadImage>> {
  const images = new Map<string, ReadImage>();
  for (const item of turn.items) {
    if (item.type !== "userMessage") continue;
    // One message is one line, so that all its images together must fit there.
    let room = maxImageBytes;
    for (const input of item.content) {
      if (input.type !== "localImage") continue;
      const image = images.get(input.path) ?? (await services.files.readImage(input.path, room));
      images.set(input.path, image);
      if (image !== null && "data" in image) room -= Buffer.byteLength(image.data, "base64");
    }
  }
  return images;
}

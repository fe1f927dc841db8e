import type { CodexClient } from "../../codex/client.js";
import type { Thread, ThreadItemEntry, Turn } from "../../generated/codex/types.js";
import { errors } from "../../generated/contract/errors.js";
import type { Services } from "../services.js";
import { unlessCancelled } from "./cancel.js";
import { checkedItems, checkedThread, checkedTurns, type NativePage } from "./shape.js";

/** One native page to read. `cursor` is Codex's. */
export interface PageRequest {
  readonly limit: number;
  readonly direction: "asc" | "desc";
  readonly cursor: string | null;
}

export interface ItemPageRequest extends PageRequest {
  readonly turnId: string | null;
  /** Start after this item; instead of a cursor. */
  readonly anchor?: string;
}

/** Codex's stored record of threads, for one request: every read is one request of Codex, none starts after a cancel. */
export interface Source {
  metadata(threadId: string): Promise<Thread>;
  /** The newest turn with what its summary has, never its tool results (HIST-51); null for a thread without turns. */
  lastTurn(threadId: string): Promise<Turn | null>;
  turns(threadId: string, request: PageRequest, view: "notLoaded" | "full"): Promise<NativePage<Turn>>;
  items(thread: Thread, request: ItemPageRequest): Promise<NativePage<ThreadItemEntry>>;
}

const nothing = { data: [], nextCursor: null };

export async function openSource(services: Services, signal: AbortSignal): Promise<Source> {
  const client: CodexClient = await unlessCancelled(signal, () => services.codex.ready());
  const kindOf = (error: unknown) => services.codex.errorKind(error);

  async function list(threadId: string, request: PageRequest, view: "notLoaded" | "summary" | "full") {
    const { limit, direction, cursor } = request;
    try {
      const answer = await unlessCancelled(signal, () =>
        client.threadTurnsList({
          threadId,
          limit,
          // Codex's own defaults are descending and summaries.
          sortDirection: direction,
          itemsView: view,
          ...(cursor === null ? {} : { cursor }),
        }),
      );
      return checkedTurns(answer, limit, cursor);
    } catch (error) {
      // A thread that was never prompted has no turns; Codex calls that an error.
      if (kindOf(error) === "thread-empty") return nothing;
      throw error;
    }
  }

  return {
    metadata: async (threadId) => checkedThread(await unlessCancelled(signal, () => client.threadRead({ threadId }))),
    async lastTurn(threadId) {
      const { data } = await list(threadId, { limit: 1, direction: "desc", cursor: null }, "summary");
      return data[0] ?? null;
    },
    async turns(threadId, request, view) {
      const page = await list(threadId, request, view);
      const short = page.data.find((turn) => view === "full" && (turn.itemsView ?? "full") !== "full");
      if (short) throw errors.historyIncomplete({ details: `turn ${short.id} came with its ${short.itemsView} only` });
      return page;
    },
    async items(thread, { limit, direction, cursor, turnId, anchor }) {
      const from = anchor === undefined ? cursor : { type: "item" as const, itemId: anchor };
      try {
        const answer = await unlessCancelled(signal, () =>
          client.threadItemsList({
            threadId: thread.id,
            limit,
            sortDirection: direction,
            ...(turnId === null ? {} : { turnId }),
            ...(from === null ? {} : { cursor: from }),
          }),
        );
        return checkedItems(answer, limit, cursor, turnId);
      } catch (error) {
        if (kindOf(error) === "history-unsupported" && isUnprompted(thread)) return nothing;
        throw error;
      }
    },
  };
}

/** Codex refuses to list the items of a thread that was never prompted, in the words it has for legacy history. */
const isUnprompted = (thread: Thread): boolean => thread.historyMode === "paginated" && thread.preview === "";

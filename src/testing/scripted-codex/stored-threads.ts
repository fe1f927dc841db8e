import { requests } from "../../generated/codex/methods.js";
import type {
  Thread,
  ThreadItem,
  ThreadItemsListParams,
  ThreadItemsListResponse,
  ThreadListParams,
  ThreadListResponse,
  ThreadTurnsListParams,
  ThreadTurnsListResponse,
  Turn,
} from "../../generated/codex/types.js";
import { CodexFailure } from "./core.js";
import { recorded } from "./recorded.js";
import { turnOf } from "./turn.js";

/** A thread as Codex has it on disk. */
export interface StoredThread {
  readonly thread: Thread;
  readonly turns: readonly Turn[];
  /** Left out of lists, as older versions do it with a fork that nobody has prompted. */
  readonly unlisted?: boolean;
}

/** A thread that nobody has loaded; `fields` say what is different from one that the real Codex made. */
export const storedThread = (id: string, fields: Partial<Thread> = {}): Thread => ({
  ...recorded(requests.threadStart).thread,
  id,
  sessionId: id,
  preview: "",
  name: null,
  forkedFromId: null,
  cwd: "/home/user/project",
  createdAt: 1_796_000_000,
  updatedAt: 1_796_000_100,
  status: { type: "notLoaded" },
  ...fields,
});

/** A completed turn with whole items. */
export const storedTurn = (id: string, items: ThreadItem[], fields: Partial<Turn> = {}): Turn =>
  turnOf(id, {
    items,
    itemsView: "full",
    status: "completed",
    startedAt: 1_796_000_010,
    completedAt: 1_796_000_012,
    durationMs: 2_345,
    ...fields,
  });

/** Reads stored threads as the real Codex does: pages, views and anchors. Each reader fails for a thread that is not there. */
export interface StoredThreads {
  has(id: string): boolean;
  put(stored: StoredThread): void;
  read(id: string): { readonly thread: Thread };
  list(params: ThreadListParams): ThreadListResponse;
  turns(params: ThreadTurnsListParams): ThreadTurnsListResponse;
  items(params: ThreadItemsListParams): ThreadItemsListResponse;
}

export function createStoredThreads(): StoredThreads {
  const store = new Map<string, StoredThread>();
  const find = (id: string): StoredThread => {
    const found = store.get(id);
    if (found === undefined) throw new CodexFailure(-32600, `thread not loaded: ${id}`);
    return found;
  };
  return {
    has: (id) => store.has(id),
    put: (stored) => void store.set(stored.thread.id, stored),
    read: (id) => ({ thread: find(id).thread }),
    list({ cursor, limit, cwd }) {
      const wanted = cwd == null ? null : [cwd].flat();
      const all = [...store.values()].filter(({ unlisted }) => unlisted !== true).map(({ thread }) => thread);
      const rows = all.filter((thread) => wanted === null || wanted.includes(thread.cwd));
      return page(rows, cursor ?? null, limit ?? 25);
    },
    turns({ threadId, sortDirection, cursor, limit, itemsView }) {
      const { turns } = find(threadId);
      const ordered = sortDirection === "asc" ? turns : [...turns].reverse();
      const view = itemsView ?? "summary";
      const { data, ...rest } = page(ordered, cursor ?? null, limit ?? 25);
      return { ...rest, data: data.map((turn) => ({ ...turn, itemsView: view, items: viewed(turn, view) })) };
    },
    items({ threadId, turnId, sortDirection, cursor = null, limit }) {
      const entries = find(threadId)
        .turns.filter(({ id }) => turnId == null || id === turnId)
        .flatMap((turn) => turn.items.map((item) => ({ turnId: turn.id, item })))
        .map((entry, index) => ({
          ...entry,
          startedAtMs: 1_796_000_010_000 + index,
          completedAtMs: 1_796_000_011_000 + index,
        }));
      const ordered = sortDirection === "desc" ? entries.reverse() : entries;
      if (typeof cursor !== "object" || cursor === null) return page(ordered, cursor, limit ?? 25);
      const anchor = ordered.findIndex(({ item }) => item.id === cursor.itemId);
      if (anchor < 0) {
        throw new CodexFailure(-32602, "cursor.itemId does not identify an item in the requested history scope");
      }
      return page(ordered, `at ${anchor + 1}`, limit ?? 25);
    },
  };
}

function page<T>(list: readonly T[], cursor: string | null, limit: number) {
  const start = cursor === null ? 0 : Number(/^at (\d+)$/.exec(cursor)?.[1] ?? Number.NaN);
  if (Number.isNaN(start)) throw new CodexFailure(-32600, `invalid cursor: ${cursor}`);
  const end = start + limit;
  return { data: list.slice(start, end), nextCursor: end < list.length ? `at ${end}` : null, backwardsCursor: null };
}

/** The user's message and the last answer are a turn's summary. */
function viewed(turn: Turn, view: "notLoaded" | "summary" | "full"): ThreadItem[] {
  if (view === "full") return turn.items;
  if (view === "notLoaded") return [];
  const user = turn.items.find(({ type }) => type === "userMessage");
  const agent = turn.items.findLast(({ type }) => type === "agentMessage");
  return [user, agent].flatMap((item) => (item ? [item] : []));
}

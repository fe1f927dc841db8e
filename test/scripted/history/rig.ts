import { requests } from "../../../src/generated/codex/methods.js";
import type { Thread, ThreadItem, Turn } from "../../../src/generated/codex/types.js";
import { hostRequests } from "../../../src/generated/contract/methods.js";
import type {
  CodexSessionHistoryItemsParams,
  CodexSessionHistoryItemsResult,
  CodexSessionHistoryParams,
  CodexSessionHistoryResult,
} from "../../../src/generated/contract/types.js";
import { isFrame } from "../../../src/testing/frames.js";
import { CodexFailure, type ScriptedCodex } from "../../../src/testing/scripted-codex/core.js";
import { storedTurn, storedThread as threadOnDisk } from "../../../src/testing/scripted-codex/stored-threads.js";
import type { Bridge } from "../../support/bridge.js";
import { type BridgeOptions, startBridge } from "../../support/bridge-agent.js";
import { AgentError } from "../../support/host.js";

export const threadId = "0199cccc-0000-7000-8000-000000000001";

/** A thread as the scripted Codex has it stored. */
export interface Stored {
  thread: Thread;
  turns: Turn[];
}

export const storedThread = (fields: Partial<Thread> = {}): Thread =>
  threadOnDisk(threadId, { preview: "hello", ...fields });

export { storedTurn };

export interface HistoryRig {
  readonly bridge: Bridge;
  readonly store: Map<string, Stored>;
  turns(params?: Partial<CodexSessionHistoryParams>): Promise<CodexSessionHistoryResult>;
  items(params?: Partial<CodexSessionHistoryItemsParams>): Promise<CodexSessionHistoryItemsResult>;
  /** The error of a request, which must fail. `items` goes to the item method. */
  refusal(
    params: { readonly [member: string]: unknown },
    endpoint?: "turns" | "items",
  ): Promise<{ code: number; message: string; data: Record<string, unknown> }>;
  /** Answers the bridge's last request, which the test holds, with what need not be on schema. */
  answerRaw(result: object): void;
  /** What the bridge asked Codex for, in order, since the last call of this. */
  reads(): string[];
}

/** Lets the scripted Codex read these threads as the real one does. What is changed in the map changes what it reads. */
export function keepThreads(codex: ScriptedCodex, stored: readonly Stored[]): Map<string, Stored> {
  const store = new Map(stored.map((it) => [it.thread.id, it]));
  const find = (id: string): Stored => {
    const found = store.get(id);
    if (!found) throw new CodexFailure(-32600, `thread not loaded: ${id}`);
    return found;
  };
  codex.on(requests.threadRead, (params) => ({ thread: find(params.threadId).thread, readState: null }));
  codex.on(requests.threadTurnsList, (params) => {
    const { turns } = find(params.threadId);
    const ordered = params.sortDirection === "asc" ? turns : [...turns].reverse();
    const page = slice(ordered, params.cursor ?? null, params.limit ?? 20);
    const view = params.itemsView ?? "summary";
    return { ...page, data: page.data.map((turn) => ({ ...turn, itemsView: view, items: viewed(turn, view) })) };
  });
  codex.on(requests.threadItemsList, (params) => {
    const entries = find(params.threadId)
      .turns.filter(({ id }) => params.turnId == null || id === params.turnId)
      .flatMap((turn) => turn.items.map((item) => ({ turnId: turn.id, item })))
      .map((entry, index) => ({
        ...entry,
        startedAtMs: 1_796_000_010_000 + index,
        completedAtMs: 1_796_000_011_000 + index,
      }));
    const ordered = params.sortDirection === "desc" ? entries.reverse() : entries;
    const { cursor = null, limit } = params;
    if (typeof cursor !== "object" || cursor === null) return slice(ordered, cursor, limit ?? 20);
    const anchor = ordered.findIndex(({ item }) => item.id === cursor.itemId);
    if (anchor < 0) {
      throw new CodexFailure(-32602, "cursor.itemId does not identify an item in the requested history scope");
    }
    return slice(ordered, `at ${anchor + 1}`, limit ?? 20);
  });
  return store;
}

/** A bridge over a Codex that has threads stored and pages them as the real one does. */
export async function startHistory(
  stored: readonly Stored[] = [{ thread: storedThread(), turns: [] }],
  options: BridgeOptions = {},
): Promise<HistoryRig> {
  const bridge = startBridge(options);
  const { codex, host, log } = bridge;
  const store = keepThreads(codex, stored);
  await host.request(hostRequests.initialize, {
    protocolVersion: 2,
    info: { name: "test", version: "0" },
    capabilities: {},
  });
  let seen = 0;
  const rig: HistoryRig = {
    bridge,
    store,
    turns: (params) => host.request(hostRequests.codexSessionHistory, { sessionId: threadId, ...params }),
    items: (params) => host.request(hostRequests.codexSessionHistoryItems, { sessionId: threadId, ...params }),
    async refusal(params, endpoint = "turns") {
      const { method } =
        endpoint === "turns" ? hostRequests.codexSessionHistory : hostRequests.codexSessionHistoryItems;
      const result = await host.call(method, { sessionId: threadId, ...params }).catch((error: unknown) => error);
      if (!(result instanceof AgentError)) throw new Error(`it was answered: ${JSON.stringify(result)}`);
      return { code: Number(result.code), message: result.message, data: result.data as Record<string, unknown> };
    },
    answerRaw(result) {
      const last = log.frames("codex", "bridge").at(-1)?.frame;
      if (typeof last !== "object" || last === null || !("id" in last)) throw new Error("there is no open request");
      codex.raw({ id: last.id, result });
    },
    reads() {
      const asked = log.entries.flatMap((entry) =>
        isFrame(entry) && entry.wire === "codex" && entry.from === "bridge" ? [methodOf(entry.frame)] : [],
      );
      const fresh = asked.slice(seen);
      seen = asked.length;
      return fresh;
    },
  };
  await bridge.clock.settle();
  rig.reads();
  return rig;
}

const methodOf = (frame: unknown): string =>
  typeof frame === "object" && frame !== null && "method" in frame ? String(frame.method) : "an answer";

function slice<T>(list: readonly T[], cursor: string | null, limit: number) {
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

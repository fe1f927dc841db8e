import { createReceiptStore, type ReceiptFiles, receiptsInMemory } from "../../../src/files/receipts.js";
import { requests } from "../../../src/generated/codex/methods.js";
import type { Thread, ThreadItem, Turn } from "../../../src/generated/codex/types.js";
import { hostRequests } from "../../../src/generated/contract/methods.js";
import type { SessionResumeResult } from "../../../src/generated/contract/types.js";
import { recorded } from "../../../src/testing/scripted-codex/recorded.js";
import { turnOf } from "../../../src/testing/scripted-codex/turn.js";
import type { BridgeInProcess } from "../../support/bridge.js";
import { type BridgeOptions, startBridge } from "../../support/bridge-agent.js";

export const cwd = "/home/user/project";

/** A stored turn: ended, with whole items. */
export const stored = (id: string, items: ThreadItem[], fields: Partial<Turn> = {}): Turn =>
  turnOf(id, {
    status: "completed",
    itemsView: "full",
    items,
    startedAt: 100,
    completedAt: 103,
    durationMs: 2500,
    ...fields,
  });

export const said = (id: string, text: string, fields: object = {}): ThreadItem => ({
  type: "agentMessage",
  id,
  text,
  ...fields,
});

export const asked = (id: string, text: string, clientId: string | null = null): ThreadItem => ({
  type: "userMessage",
  id,
  clientId,
  content: [{ type: "text", text, text_elements: [] }],
});

export interface Stored {
  readonly turns: readonly Turn[];
  readonly thread?: Partial<Thread>;
}

/** A bridge whose Codex holds threads, and answers for them as the real one does. */
export interface OpenRig {
  readonly bridge: BridgeInProcess;
  /** What Codex holds, by thread id; may be changed while the test runs. */
  readonly threads: Map<string, Stored>;
  resume(sessionId: string, params?: object): Promise<SessionResumeResult>;
}

export async function startOpen(options: BridgeOptions = {}): Promise<OpenRig> {
  const bridge = startBridge(options);
  const { codex, host } = bridge;
  const threads = new Map<string, Stored>();
  const threadOf = (id: string): Thread => {
    const sample = recorded(requests.threadStart).thread;
    const status =
      threads.get(id)?.turns.at(-1)?.status === "inProgress"
        ? { type: "active" as const, activeFlags: [] }
        : { type: "idle" as const };
    return { ...sample, id, sessionId: id, cwd, status, preview: "", turns: [], ...threads.get(id)?.thread };
  };
  codex.on(requests.threadResume, ({ threadId }) => {
    const { thread: _, ...settings } = recorded(requests.threadStart);
    return { ...settings, thread: threadOf(threadId) };
  });
  codex.on(requests.threadRead, ({ threadId }) => ({ thread: threadOf(threadId) }));
  codex.on(requests.threadUnsubscribe, () => ({ status: "unsubscribed" as const }));
  codex.on(requests.threadTurnsList, ({ threadId, cursor, limit, sortDirection, itemsView }) => {
    const all = [...(threads.get(threadId)?.turns ?? [])];
    if (sortDirection !== "asc") all.reverse();
    const from = cursor == null ? 0 : Number(cursor);
    const data = all.slice(from, from + (limit ?? 25));
    const next = from + data.length;
    return {
      data: data.map((turn) => (itemsView === "full" ? turn : { ...turn, items: [], itemsView: "notLoaded" as const })),
      nextCursor: next < all.length ? String(next) : null,
      backwardsCursor: null,
    };
  });
  await host.request(hostRequests.initialize, {
    protocolVersion: 2,
    info: { name: "test", version: "0" },
    capabilities: {},
  });
  return {
    bridge,
    threads,
    resume: (sessionId, params = {}) =>
      host.request(hostRequests.sessionResume, { sessionId, cwd, mcpServers: [], ...params }),
  };
}

export const fromStart = { replayFrom: { type: "start" as const } };

/** Receipts whose reads wait for the test. */
export function stallingReceipts() {
  const memory = receiptsInMemory();
  const waiting: (() => void)[] = [];
  const files: ReceiptFiles = {
    ...memory,
    read: (path) => new Promise((resolve) => waiting.push(() => void memory.read(path).then(resolve))),
  };
  return {
    receipts: createReceiptStore(files, "/state"),
    /** Reads that wait. */
    waiting,
    release(): void {
      for (const resume of waiting.splice(0)) resume();
    },
  };
}

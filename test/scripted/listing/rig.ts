import { requests } from "../../../src/generated/codex/methods.js";
import type { Thread, ThreadListParams, Turn } from "../../../src/generated/codex/types.js";
import { CodexFailure } from "../../../src/testing/scripted-codex/core.js";
import { recorded } from "../../../src/testing/scripted-codex/recorded.js";
import type { Bridge } from "../../support/bridge.js";
import { type BridgeOptions, startBridge } from "../../support/bridge-agent.js";
import { initialize } from "../handshake/rig.js";

const sample = recorded(requests.threadStart).thread;

/** A row of Codex's list. */
export const row = (id: string, fields: Partial<Thread> = {}): Thread => ({
  ...sample,
  id,
  sessionId: id,
  preview: `about ${id}`,
  cwd: "/home/user/project",
  updatedAt: 1_800_000_000,
  forkedFromId: null,
  ...fields,
});

export interface ListRig {
  readonly bridge: Bridge;
  /** Codex's pages by cursor; the first has "". */
  readonly pages: Map<string, { readonly rows: readonly Thread[]; readonly next: string | null }>;
  /** Threads that no page has, but `thread/read`. */
  readonly hidden: Map<string, Thread>;
  /** First turns of threads, for those whose title is in the record. */
  readonly turns: Map<string, readonly Turn[]>;
  /** What a list was asked for, without what every list has. */
  asked(): Omit<ThreadListParams, "modelProviders" | "sourceKinds">[];
}

/** Another Codex than the recorded one. */
export interface OtherCodex {
  readonly version: string;
  readonly codexHome: string;
}

/** A bridge whose Codex has a list; `thread/read` knows the same threads, with their lineage by `forks`. */
export async function startList(
  forks: ReadonlyMap<string, string> = new Map(),
  other: OtherCodex | null = null,
  options: BridgeOptions = {},
): Promise<ListRig> {
  const bridge = startBridge(options);
  const { codex } = bridge;
  const pages: ListRig["pages"] = new Map();
  const hidden: ListRig["hidden"] = new Map();
  const turns: ListRig["turns"] = new Map();
  if (other) {
    const { version, codexHome } = other;
    codex.on(requests.initialize, () => ({
      ...recorded(requests.initialize),
      userAgent: `codex-acp-kit/${version} (Debian 12.0.0; x86_64) unknown (codex-acp-kit; 0.0.0)`,
      codexHome,
    }));
  }
  codex.on(requests.threadList, ({ cursor }) => {
    const page = pages.get(cursor ?? "");
    if (!page) throw new CodexFailure(-32600, `invalid cursor: ${cursor}`);
    return { data: [...page.rows], nextCursor: page.next, backwardsCursor: null };
  });
  codex.on(requests.threadRead, ({ threadId }) => {
    const rows = [...pages.values()].flatMap((page) => page.rows);
    const found = hidden.get(threadId) ?? rows.find(({ id }) => id === threadId);
    if (!found) throw new CodexFailure(-32600, `thread not loaded: ${threadId}`);
    return { thread: { ...found, forkedFromId: forks.get(threadId) ?? found.forkedFromId ?? null } };
  });
  codex.on(requests.threadTurnsList, ({ threadId, limit }) => ({
    data: (turns.get(threadId) ?? []).slice(0, limit ?? 25),
    nextCursor: null,
    backwardsCursor: null,
  }));
  await initialize(bridge);
  await bridge.clock.settle();
  return {
    bridge,
    pages,
    hidden,
    turns,
    asked: () =>
      codex.calls(requests.threadList).map(({ params }) => {
        const { modelProviders, sourceKinds, ...rest } = params;
        return rest;
      }),
  };
}

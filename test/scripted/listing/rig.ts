import { requests } from "../../../src/generated/codex/methods.js";
import type { Thread, ThreadListParams } from "../../../src/generated/codex/types.js";
import { CodexFailure } from "../../../src/testing/scripted-codex/core.js";
import { recorded } from "../../../src/testing/scripted-codex/recorded.js";
import type { Bridge } from "../../support/bridge.js";
import { startBridge } from "../../support/bridge-agent.js";
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
  /** What a list was asked for, without what every list has. */
  asked(): Omit<ThreadListParams, "modelProviders" | "sourceKinds">[];
}

/** A bridge whose Codex has a list; `thread/read` knows the same threads, with their lineage by `forks`. */
export async function startList(forks: ReadonlyMap<string, string> = new Map()): Promise<ListRig> {
  const bridge = startBridge();
  const { codex } = bridge;
  const pages: ListRig["pages"] = new Map();
  codex.on(requests.threadList, ({ cursor }) => {
    const page = pages.get(cursor ?? "");
    if (!page) throw new CodexFailure(-32600, `invalid cursor: ${cursor}`);
    return { data: [...page.rows], nextCursor: page.next, backwardsCursor: null };
  });
  codex.on(requests.threadRead, ({ threadId }) => {
    const found = [...pages.values()].flatMap(({ rows }) => rows).find(({ id }) => id === threadId);
    if (!found) throw new CodexFailure(-32600, `thread not loaded: ${threadId}`);
    return { thread: { ...found, forkedFromId: forks.get(threadId) ?? null } };
  });
  await initialize(bridge);
  await bridge.clock.settle();
  return {
    bridge,
    pages,
    asked: () =>
      codex.calls(requests.threadList).map(({ params }) => {
        const { modelProviders, sourceKinds, ...rest } = params;
        return rest;
      }),
  };
}

import { turnsOf } from "../script.js";

interface PageParams {
  readonly threadId: string;
  readonly cursor?: string | null;
  readonly limit?: number | null;
  readonly sortDirection?: "asc" | "desc" | null;
  readonly itemsView?: string | null;
}

/** Codex caps a page of a history. */
const pageLimit = 100;
const began = 1_796_085_664_000;
const id = (kind: number, turn: number): string => `0bec000${kind}-0000-7000-8000-${String(turn).padStart(12, "0")}`;

/** The item at `index` of a history, oldest first: three to a turn. */
function itemAt(index: number) {
  const turn = Math.floor(index / 3);
  const times = { startedAtMs: began + index, completedAtMs: began + index };
  return { turnId: id(1, turn), item: { ...contentAt(index % 3, turn), ...times }, ...times };
}

function contentAt(place: number, turn: number) {
  if (place === 0) {
    const text = `Question ${turn}: what does the file of turn ${turn} hold?`;
    return {
      type: "userMessage",
      id: id(2, turn),
      clientId: null,
      content: [{ type: "text", text, text_elements: [] }],
    };
  }
  if (place === 2) {
    const text = `Answer ${turn}. ${"It holds three lines of text. ".repeat(8)}`;
    const nothing = { moderation: null, phase: null, memoryCitation: null, delivery: null, questions: null };
    return { type: "agentMessage", id: `msg_${turn}`, text, ...nothing };
  }
  return {
    type: "commandExecution",
    id: `call_${turn}`,
    pluginId: null,
    scriptPath: null,
    command: `/bin/bash -lc 'cat file-${turn}.txt'`,
    cwd: "/home/user/project",
    processId: String(turn + 100),
    source: "unifiedExecStartup",
    status: "completed",
    commandActions: [{ type: "unknown", command: `cat file-${turn}.txt` }],
    aggregatedOutput: `line one of ${turn}\nline two of ${turn}\nline three of ${turn}\n`,
    exitCode: 0,
    durationMs: 12,
  };
}

const turnAt = (turn: number, full: boolean) => ({
  id: id(1, turn),
  rootTurnId: id(1, turn),
  items: full ? [0, 1, 2].map((place) => itemAt(turn * 3 + place).item) : [],
  itemsView: full ? "full" : "notLoaded",
  status: "completed",
  error: null,
  startedAt: Math.floor(began / 1000),
  completedAt: Math.floor(began / 1000),
  durationMs: 1,
});

function page(total: number, params: PageParams, make: (index: number) => object) {
  const down = params.sortDirection === "desc";
  const step = down ? -1 : 1;
  const first = down ? total - 1 : 0;
  const from = params.cursor == null ? first : Number(params.cursor);
  const data: object[] = [];
  let at = from;
  for (; data.length < Math.min(params.limit ?? 25, pageLimit) && at >= 0 && at < total; at += step)
    data.push(make(at));
  return { data, nextCursor: at >= 0 && at < total ? String(at) : null, backwardsCursor: null };
}

export const itemsPage = (params: PageParams) => page(turnsOf(params.threadId) * 3, params, itemAt);
export const turnsPage = (params: PageParams) =>
  page(turnsOf(params.threadId), params, (turn) => turnAt(turn, params.itemsView === "full"));

/** Where reading a history from its end begins. */
export function cursorsOf(threadId: string) {
  const turns = turnsOf(threadId);
  const last = (count: number): string | null => (count === 0 ? null : String(count - 1));
  return { itemsBackwardsCursor: last(turns * 3), turnsBackwardsCursor: last(turns) };
}

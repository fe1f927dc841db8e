import type { Turn } from "../../generated/codex/types.js";
import type {
  CodexSessionHistoryParams,
  CodexSessionHistoryResult,
  HistoryTurn,
} from "../../generated/contract/types.js";
import type { HistoryProjection } from "../../projection/history/item.js";
import { historyTurn } from "../../projection/history/turn.js";
import type { HandlerContext } from "../../runtime/index.js";
import { rootedTurn } from "../commands/receipts.js";
import type { Services } from "../services.js";
import { commandsOf } from "./commands.js";
import { defaults } from "./defaults.js";
import { historyPage, projecting } from "./page.js";

/** One page of turns (HIST-07, HIST-08, HIST-34). */
export function turnPage(
  services: Services,
  params: CodexSessionHistoryParams,
  { signal }: HandlerContext,
): Promise<CodexSessionHistoryResult> {
  const { sessionId, itemsView: view = "summary", includeNative: native = false } = params;
  const { mode, direction, limit, cursor, maxBytes } = defaults(params);
  const traversal = { session: sessionId, endpoint: "turns", direction, mode, view, native, turn: null } as const;
  return historyPage(services, { traversal, cursor, limit, maxBytes }, signal, async (source, { thread }, position) => {
    const request = { limit, direction, cursor: position?.native ?? null };
    if (view === "summary") {
      // Summaries show no items, so that none are asked for.
      const { data, nextCursor } = await source.turns(sessionId, request, "notLoaded");
      return { content: { turns: data.map((turn) => entryOf(turn, view, empty)) }, nextCursor };
    }
    const { data, nextCursor } = await source.turns(sessionId, request, "full");
    const command = await commandsOf(services, source, thread, data.map(commandTurn), signal);
    const turns = projecting(() =>
      data.map((turn) => ({
        ...entryOf(turn, view, historyTurn(turn, { cwd: thread.cwd, command: command(turn.id) })),
        ...(native ? { _meta: { codex: { items: turn.items } } } : {}),
      })),
    );
    return { content: { turns }, nextCursor };
  });
}

const empty: HistoryProjection = { updates: [], omissions: [] };

const commandTurn = (turn: Turn) => ({
  ...rootedTurn(turn),
  review: turn.items.some(({ type }) => type === "enteredReviewMode"),
});

const entryOf = (
  turn: Turn,
  itemsView: "summary" | "full",
  { updates, omissions }: HistoryProjection,
): HistoryTurn => ({
  turnId: turn.id,
  status: turn.status,
  error: turn.error ?? null,
  startedAt: turn.startedAt ?? null,
  completedAt: turn.completedAt ?? null,
  durationMs: turn.durationMs ?? null,
  itemsView,
  updates: [...updates],
  omissions: [...omissions],
});

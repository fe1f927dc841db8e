import type { Turn } from "../../generated/codex/types.js";
import { newTurn, type SessionState } from "./state.js";

/**
 * The state of a session whose thread was opened while a turn runs: that turn is the session's now, under the receipt
 * of the prompt that opened it, where it has one (CANCEL-16, REC-18). Its tools are not announced: the host was not
 * told of them here, and their next frame announces them (CANCEL-17, CANCEL-18).
 */
export function adoptTurn(state: SessionState, turn: Turn): SessionState {
  const receipts = turn.items.flatMap((item) =>
    item.type === "userMessage" && item.clientId != null ? [item.clientId] : [],
  );
  return {
    ...state,
    receipts: new Set([...state.receipts, ...receipts]),
    turn: {
      ...newTurn(null, null),
      owner: receipts[0] ?? null,
      id: turn.id,
      started: true,
      startedAt: turn.startedAt == null ? null : turn.startedAt * 1000,
      messages: receipts.map((receipt) => ({ receipt, sentAt: null })),
    },
  };
}

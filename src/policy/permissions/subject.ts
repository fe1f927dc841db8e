import type { ToolCallUpdate } from "../../generated/acp/types.js";
import type { ThreadItem } from "../../generated/codex/types.js";
import { firstOf, type ToolView } from "../../projection/tool-view.js";
import type { SessionState } from "../../session/turn/state.js";
import type { CallOfQuestion } from "../question.js";

/** What a permission request says of its tool call, and what the host has to be told before or after. */
export interface Subject {
  readonly toolCall: ToolCallUpdate;
  readonly call: CallOfQuestion;
}

/** The call of an item: the host knows it, or is told of `item` first, so that every call is announced once (TOOL-01). */
export function itemSubject(
  state: SessionState,
  params: { readonly itemId: string; readonly turnId: string; readonly startedAtMs: number },
  item: () => ThreadItem,
): Subject {
  const { itemId: toolCallId, turnId, startedAtMs } = params;
  const toolCall = { toolCallId };
  if (state.ledger.has(toolCallId)) return { toolCall, call: { kind: "announced" } };
  return { toolCall, call: { kind: "unannounced", item: item(), turnId, startedAtMs } };
}

/** A call that no item of Codex stands for: it begins and ends with the question. */
export function ownSubject(view: ToolView): Subject {
  return { toolCall: firstOf(view), call: { kind: "own", toolCallId: view.toolCallId } };
}

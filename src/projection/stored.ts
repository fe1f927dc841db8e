import type { ThreadItem, Turn } from "../generated/codex/types.js";
import type { TurnOutcome } from "./items.js";
import type { ItemOf, Update } from "./update.js";

/** How a stored turn came out, in the terms of tool calls. */
export const outcomeOf = (turn: Pick<Turn, "status">): TurnOutcome | "running" => {
  switch (turn.status) {
    case "completed":
      return "completed";
    case "interrupted":
      return "cancelled";
    case "inProgress":
      return "running";
    default:
      return "failed";
  }
};

/** An item that its turn left without an end takes the turn's: Codex stores it as it last was. */
export function settled(item: ThreadItem, outcome: TurnOutcome | "running"): ThreadItem {
  if (outcome === "running" || !("status" in item) || item.status !== "inProgress") return item;
  const status = outcome === "completed" ? "completed" : "failed";
  return { ...item, status } as ItemOf<"commandExecution">;
}

/** `update` with members added to its `_meta.codex`; the kinds that a host stores by id are the ones that have one. */
export function withCodexMeta(update: Update, meta: { readonly [key: string]: unknown }): Update {
  switch (update.sessionUpdate) {
    case "user_message":
    case "agent_message":
    case "agent_thought":
    case "tool_call_update":
    case "terminal_update":
    case "plan_update":
    case "compaction_update":
      return merged(update, meta);
    default:
      return update;
  }
}

function merged<Kind extends Update>(update: Kind, meta: { readonly [key: string]: unknown }): Kind {
  const before: { readonly [namespace: string]: unknown } = update._meta ?? {};
  const codex = before["codex"];
  return { ...update, _meta: { ...before, codex: { ...(typeof codex === "object" ? codex : {}), ...meta } } };
}

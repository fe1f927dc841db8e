import { settleOpen } from "../../projection/items.js";
import { announceTool, patchTool } from "../../projection/tool-view.js";
import { content, text } from "../../projection/update.js";
import { finishPlanned, outlived } from "./finish.js";
import type { ActiveTurn, SessionState } from "./state.js";
import { andThen, currentState, type Step, stay, step, turnKey, update, updates, withEnded } from "./step.js";

/** Names the question in the set of what blocks the turn. */
const key = "plan";

export const planCallId = (itemId: string): string => `plan-${itemId}`;

/**
 * Codex ended a turn with a plan: the host is asked whether to carry it out, and the turn goes on until it has said so
 * (PERM-12, TOOL-18).
 */
export function proposePlan(
  state: SessionState,
  turn: ActiveTurn,
  plan: NonNullable<ActiveTurn["plan"]>,
  alive: ReadonlySet<string>,
): Step {
  const settled = settleOpen(state.ledger, "completed", alive);
  const toolCallId = planCallId(plan.itemId);
  const asking: ActiveTurn = { ...turn, stage: "planning", blocking: new Set([...turn.blocking, key]) };
  const next: SessionState = {
    ...withEnded(state, turn.id),
    turn: asking,
    ledger: settled.ledger,
    background: [...state.background, ...outlived(settled.ledger, alive)],
  };
  const call = announceTool({
    toolCallId,
    name: "plan_review",
    title: "Implement this plan?",
    status: "in_progress",
    content: [content(text(plan.text))],
  });
  return step(next, ...updates(settled.updates), update(call), update(currentState(next)), {
    type: "askPlan",
    about: turnKey(turn),
    toolCallId,
  });
}

/** Carried out, the plan is one more Codex turn inside the host's; its prompt is the bridge's own (HIST-40). */
export function onPlanAnswered(state: SessionState, about: string, implement: boolean): Step {
  const { turn } = state;
  if (turn?.stage !== "planning" || turnKey(turn) !== about || turn.plan === null) return stay(state);
  const status = implement ? "completed" : "cancelled";
  const call = patchTool({ toolCallId: planCallId(turn.plan.itemId), status });
  const blocking = new Set(turn.blocking);
  blocking.delete(key);
  const decided: ActiveTurn = { ...turn, blocking, plan: null };
  if (!implement || turn.owner === null) {
    return andThen(step({ ...state, turn: decided }, update(call)), (next) => finishPlanned(next, decided));
  }
  const next: SessionState = {
    ...state,
    turn: {
      ...decided,
      id: null,
      stage: "starting",
      started: false,
      answered: false,
      action: "implement",
      completion: null,
      background: "none",
    },
  };
  const unblocked = blocking.size === 0 ? [update(currentState(next))] : [];
  return step(next, update(call), ...unblocked, { type: "implementPlan", receipt: turn.owner });
}

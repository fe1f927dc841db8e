import type { TurnPlanStep } from "../generated/codex/types.js";
import type { Update } from "./update.js";

const statuses = { pending: "pending", inProgress: "in_progress", completed: "completed" } as const;

/** The steps Codex works through. It knows no priorities, and the draft drops entries without one (UPD-09). */
export function planUpdate(plan: readonly TurnPlanStep[]): Update {
  return {
    sessionUpdate: "plan_update",
    plan: {
      type: "items",
      planId: "codex-turn-plan",
      entries: plan.map(({ step, status }) => ({ content: step, priority: "medium", status: statuses[status] })),
    },
  };
}

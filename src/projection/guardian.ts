import type { ItemGuardianApprovalReviewStartedNotification } from "../generated/codex/types.js";
import type { Projection } from "./items.js";
import { type Ledger, openItem, withItem, withoutItem } from "./ledger.js";
import { announceTool, patchTool, type ToolStatus, type ToolView } from "./tool-view.js";
import { content, text } from "./update.js";

type Review = Pick<ItemGuardianApprovalReviewStartedNotification, "action" | "review" | "reviewId" | "turnId">;
type Action = Review["action"];

/** Codex weighs by itself whether an action may go on, as a call of its own beside the action's (TOOL-16). */
export function guardianReview(ledger: Ledger, params: Review, ended: boolean): Projection {
  const view = viewOf(params);
  const known = ledger.get(view.toolCallId);
  const update = known?.tool ? patchTool(view) : announceTool(view);
  if (ended) return { ledger: withoutItem(ledger, view.toolCallId), updates: [update] };
  const open = openItem(params.turnId, { type: "guardianReview", id: view.toolCallId });
  return { ledger: withItem(ledger, view.toolCallId, { ...open, tool: true }), updates: [update] };
}

function viewOf({ action, review, reviewId }: Review): ToolView {
  const { rationale } = review;
  return {
    // Reviews and items are numbered apart.
    toolCallId: `guardian-${reviewId}`,
    name: "guardian_review",
    title: `Review ${subjectOf(action)}`,
    status: statusOf(review.status),
    rawInput: action,
    ...(rationale == null || rationale === "" ? {} : { content: [content(text(rationale))] }),
    ...(review.status === "inProgress" ? {} : { rawOutput: review }),
  };
}

/** A refusal is a review that did its work. */
function statusOf(status: Review["review"]["status"]): ToolStatus {
  switch (status) {
    case "inProgress":
      return "in_progress";
    case "approved":
    case "denied":
      return "completed";
    case "aborted":
      return "cancelled";
    default:
      return "failed";
  }
}

function subjectOf(action: Action): string {
  switch (action.type) {
    case "command":
      return action.command;
    case "execve":
      return action.argv.join(" ");
    case "writeStdin":
      return "input to a running command";
    case "applyPatch":
      return action.files.length === 1 ? "an edit" : `edits of ${action.files.length} files`;
    case "networkAccess":
      return `access to ${action.host}`;
    case "mcpToolCall":
      return `${action.server}: ${action.toolName}`;
    default:
      return "a request for permissions";
  }
}

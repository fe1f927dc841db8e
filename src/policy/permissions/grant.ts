import type {
  PermissionsRequestApprovalParams,
  PermissionsRequestApprovalResponse,
} from "../../generated/codex/types.js";
import type { Asked, Reply } from "../question.js";
import { ask } from "./ask.js";
import { permissionsText } from "./describe.js";
import { optionOf, rowOf } from "./options.js";
import { ownSubject } from "./subject.js";

const nothing: PermissionsRequestApprovalResponse = { permissions: {}, scope: "turn" };

/** A wider sandbox (PERM-10, A-43). Codex has no item for it, so the call is the question's own. */
export function permissionsApproval(
  asked: Asked<PermissionsRequestApprovalParams>,
): Reply<PermissionsRequestApprovalResponse> {
  const { itemId, reason, permissions } = asked.params;
  const row = rowOf("Grant permissions?");
  return ask<PermissionsRequestApprovalResponse>(asked, {
    title: row.title,
    description: [reason, permissionsText(permissions)],
    subject: ownSubject({
      toolCallId: itemId,
      name: "request_permissions",
      title: "Request permissions",
      status: "in_progress",
      rawInput: { permissions },
    }),
    choices: row.options.map((option) => ({
      option: optionOf(option),
      decision: { ...option.decision, permissions: option.decision.permissions === "<proposed>" ? permissions : {} },
    })),
    unknown: nothing,
    unanswered: nothing,
  });
}

import { agentRequests } from "../../generated/contract/methods.js";
import { broadcastOptions } from "../config.js";
import { optionOf, rowOf } from "../permissions/options.js";
import type { OpenSession, Services } from "../services.js";

const row = rowOf("Implement this plan?");

/** Whether the host wants the plan carried out. Only the option that says so does: no answer is no (PERM-03, PERM-12). */
export async function askPlan(
  services: Services,
  session: OpenSession,
  toolCallId: string,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const { outcome } = await services.host.request(
      agentRequests.requestPermission,
      {
        sessionId: session.id,
        title: row.title,
        subject: { type: "tool_call", toolCall: { toolCallId } },
        options: row.options.map((option) => optionOf(option)),
      },
      { signal },
    );
    if (outcome.outcome !== "selected" || !("optionId" in outcome)) return false;
    return row.options.some(({ optionId, decision }) => optionId === outcome.optionId && decision === "implement");
  } catch {
    // Withdrawn, refused or answered off schema: whatever it was, it is no approval.
    return false;
  }
}

/** What the model is told when its plan is approved. */
export const implementPrompt = "Implement the plan.";

/** Switches plan mode, and tells the host (UPD-17). */
export async function setPlanMode(services: Services, session: OpenSession, on: boolean): Promise<void> {
  const { settings } = session;
  const collaboration = on ? "plan" : "default";
  if (settings.wanted.collaboration === collaboration) return;
  settings.wanted = { ...settings.wanted, collaboration };
  await broadcastOptions(services, session);
}

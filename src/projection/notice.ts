import type { ModelReroutedNotification } from "../generated/codex/types.js";
import type { Update } from "./update.js";

/** Something Codex says beside the turn: a message of its own, marked as a notice (UPD-03, A-50). */
export function notice(messageId: string, message: string): Update {
  return {
    sessionUpdate: "agent_message_chunk",
    messageId,
    content: { type: "text", text: message },
    _meta: { codex: { notice: true } },
  };
}

export function rerouted(params: ModelReroutedNotification): Update {
  const { turnId, fromModel, toModel, reason } = params;
  return notice(
    `rerouted-${turnId}-${toModel}`,
    `Codex continues with ${toModel} in place of ${fromModel} (${reason}).`,
  );
}

/** What the bridge has to say that no contract update carries: advisory, never replayed. */
export function standardNotice(
  severity: "info" | "warning" | "error",
  title: string,
  description?: string | null,
): Update {
  const details = description == null || description === "" ? {} : { description };
  // The draft knows no notice without a title, and Codex may give one without a summary.
  const named = title === "" ? { title: description || `Codex: ${severity}` } : { title, ...details };
  return { sessionUpdate: "notice", severity, ...named };
}

/** What a slash command was could not be kept: the history of its turn will not be shown until it is (UPD-07, HIST-76). */
export const receiptNotSaved = ({
  receipt,
  turnId,
}: {
  readonly receipt: string;
  readonly turnId: string;
}): Update => ({
  sessionUpdate: "agent_message",
  messageId: `unsaved-${receipt}`,
  content: [
    {
      type: "text",
      text: "The command could not be saved beside Codex's history. Reading the history of this session will fail until it can be.",
    },
  ],
  _meta: { codex: { turnId, notice: true } },
});

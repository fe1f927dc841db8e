import type { DynamicToolCallParams, DynamicToolCallResponse } from "../../generated/codex/types.js";
import { errors } from "../../generated/contract/errors.js";
import type { ToolCallResult } from "../../generated/contract/types.js";
import { ask } from "../permissions/ask.js";
import { optionOf, rowOf } from "../permissions/options.js";
import { itemSubject } from "../permissions/subject.js";
import { type Asked, type Reply, settled } from "../question.js";
import { declaredName } from "./tool-set.js";

/** UTF-8 bytes of a result's compact JSON (CTOOL-11). */
const maxResultBytes = 16 * 1024 * 1024;

const row = rowOf("Run tool?");

/** A call that failed, with the reason as the model gets it. */
export const failedCall = (text: string): DynamicToolCallResponse => ({
  success: false,
  contentItems: [{ type: "inputText", text }],
});

/**
 * A call of a tool that the host declared. To declare a tool grants nothing: outside full access the user is asked
 * before the host is called (CTOOL-12).
 */
export function clientToolCall(asked: Asked<DynamicToolCallParams>): Reply<DynamicToolCallResponse> {
  const { params, sessionId, state, toolSetRevision, fullAccess } = asked;
  const { callId, turnId, tool, namespace = null, arguments: args } = params;
  const name = declaredName(tool, namespace);
  if (name === null) return settled(failedCall(`No client tool is named "${tool}".`));
  // Codex keeps tools longer than the host that declared them lives.
  if (toolSetRevision === null) return settled(failedCall(errors.toolSetRevisionUnknown({ name }).message));
  const subject = itemSubject(state, { itemId: callId, turnId, startedAtMs: state.turn?.startedAt ?? 0 }, () => ({
    type: "dynamicToolCall",
    id: callId,
    tool,
    namespace,
    arguments: args,
    status: "inProgress",
  }));
  const declined = failedCall("The user declined the call. The tool was not run.");
  const unanswered = failedCall("The call was cancelled. Its outcome is not known.");
  const permission = ask<DynamicToolCallResponse>(asked, {
    title: row.title,
    description: [`The agent wants to use the tool "${name}".`],
    subject,
    choices: row.options.map((option) => ({ option: optionOf(option), decision: declined })),
    unknown: declined,
    unanswered: failedCall("The user gave no answer. The tool was not run."),
  });
  if (permission.kind === "settled") return permission;
  return {
    kind: "call",
    call: subject.call,
    request: { sessionId, turnId, toolCallId: callId, name, arguments: args, toolSetRevision },
    permission: fullAccess ? null : permission,
    conflict: failedCall(errors.toolCallIdConflict({ toolCallId: callId }).message),
    unanswered,
    decide: (result) => responseOf(callId, result),
    failed: (reason) => failedCall(reason),
    invalid: (path, expected) => failedCall(errors.toolResultInvalid({ toolCallId: callId, path, expected }).message),
  };
}

/** The result as Codex takes it: whatever it names is in it, and nothing is fetched (CTOOL-09, CTOOL-10). */
function responseOf(toolCallId: string, result: ToolCallResult): DynamicToolCallResponse {
  const bytes = new TextEncoder().encode(JSON.stringify(result)).length;
  if (bytes > maxResultBytes) return failedCall(errors.toolResultTooLarge({ toolCallId, bytes }).message);
  return {
    success: result.success,
    contentItems: result.contentItems.map(contentOf),
  };
}

function contentOf(item: ToolCallResult["contentItems"][number]): DynamicToolCallResponse["contentItems"][number] {
  switch (item.type) {
    case "text":
      return { type: "inputText", text: item.text };
    case "image":
      return { type: "inputImage", imageUrl: dataUrl(item) };
    case "audio":
      return { type: "inputAudio", audioUrl: dataUrl(item) };
  }
}

const dataUrl = ({ mimeType, data }: { readonly mimeType: string; readonly data: string }): string =>
  `data:${mimeType};base64,${data}`;

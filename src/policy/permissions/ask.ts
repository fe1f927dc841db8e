import type { Asked, Choice, PermissionQuestion, Settled } from "../question.js";
import { settled } from "../question.js";
import type { Subject } from "./subject.js";

export interface Permission<Result> {
  readonly title: string;
  /** Codex's reason, then what the tool call does not show; empty parts are left out (PERM-01). */
  readonly description: readonly (string | null | undefined)[];
  readonly subject: Subject;
  readonly choices: readonly Choice<Result>[];
  readonly unknown: Result;
  readonly unanswered: Result;
}

/** A question with options. Without any option nothing can be asked, and so nothing is allowed. */
export function ask<Result>(
  { sessionId }: Pick<Asked<unknown>, "sessionId">,
  { title, description, subject, choices, unknown, unanswered }: Permission<Result>,
): PermissionQuestion<Result> | Settled<Result> {
  if (choices.length === 0) return settled(unknown);
  const text = description.filter((part) => part != null && part !== "").join("\n\n");
  return {
    kind: "permission",
    blocking: true,
    request: {
      sessionId,
      title,
      ...(text === "" ? {} : { description: text }),
      subject: { type: "tool_call", toolCall: subject.toolCall },
      options: choices.map(({ option }) => option),
    },
    decisions: new Map(choices.map(({ option, decision }) => [option.optionId, decision])),
    unknown,
    unanswered,
    call: subject.call,
  };
}

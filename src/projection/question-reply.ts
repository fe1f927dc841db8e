import type { ContentBlock } from "../generated/acp/types.js";
import { envelopes } from "../generated/contract/tables.js";
import type { QuestionReply, QuestionReplyPart } from "../generated/contract/types.js";

const [, { literals }] = envelopes;

/**
 * The answers that a text holds, in their order; null for a text that is not to the letter one whole envelope, which
 * then stays what it is (REPLAY-35, REPLAY-37, R-13).
 */
export function questionReplies(text: string): QuestionReply[] | null {
  const { open, close } = literals;
  if (!text.startsWith(open) || !text.endsWith(close) || text.length < open.length + close.length) return null;
  const json = text.slice(open.length, -close.length);
  const entries = parsed(json);
  if (!Array.isArray(entries) || entries.length === 0) return null;
  const replies = entries.flatMap((entry: unknown) => (isReply(entry) ? [entry] : []));
  // A member that stands twice would lose one of its values.
  const whole = replies.length === entries.length && colons(json) === members.length * entries.length;
  return whole ? replies.map(({ questionItemId, question, answer }) => ({ questionItemId, question, answer })) : null;
}

/** What is read, shown and copied of one answer (REPLAY-36). */
const readable = ({ question, answer }: QuestionReply): string => `${question}\n${answer}`;

/** The block of one answer. */
export const replyBlock = (reply: QuestionReply): ContentBlock => ({
  type: "text",
  text: readable(reply),
  _meta: { codex: { questionReply: reply } },
});

/**
 * The texts of a prompt in the parts in which they should be shown; null for a prompt that answers no questionnaire
 * (REPLAY-38). The prompt itself goes to Codex, and back to the host, as it is (REPLAY-39).
 */
export function replyParts(prompt: readonly ContentBlock[]): QuestionReplyPart[] | null {
  const parts = prompt.flatMap((block): QuestionReplyPart[] => {
    if (block.type !== "text" || typeof block["text"] !== "string") return [];
    const replies = questionReplies(block["text"]);
    return replies ? replies.map((question) => ({ text: readable(question), question })) : [{ text: block["text"] }];
  });
  return parts.some(({ question }) => question !== undefined) ? parts : null;
}

const members = ["questionItemId", "question", "answer"] as const satisfies readonly (keyof QuestionReply)[];

function isReply(value: unknown): value is QuestionReply {
  if (typeof value !== "object" || value === null) return false;
  const entries = new Map<string, unknown>(Object.entries(value));
  return entries.size === members.length && members.every((name) => typeof entries.get(name) === "string");
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // No JSON is no envelope.
    return null;
  }
}

/** Colons of a JSON text outside its strings: as many as it has members. */
function colons(json: string): number {
  let count = 0;
  let quoted = false;
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at];
    if (quoted && character === "\\") at += 1;
    else if (character === '"') quoted = !quoted;
    else if (!quoted && character === ":") count += 1;
  }
  return count;
}

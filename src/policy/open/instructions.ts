import type { ContentBlock, SystemPrompt } from "../../generated/acp/types.js";
import { errors } from "../../generated/contract/errors.js";
import type { OpenParams } from "./thread-params.js";

type TextBlock = ContentBlock & { readonly type: "text"; readonly text: string };

const isText = (block: ContentBlock): block is TextBlock => block.type === "text" && "text" in block;

/**
 * Refuses a system prompt that cannot be applied: Codex's own instructions always stay, so there is no
 * `override`, and they are text.
 *
 * @throws `invalid_params`
 */
export function checkSystemPrompt({ mode, content }: SystemPrompt): void {
  if (mode !== "append") throw errors.invalidParams({ path: "/systemPrompt/mode", expected: '"append"' });
  if (content.length === 0) {
    throw errors.invalidParams({ path: "/systemPrompt/content", expected: "at least one text block" });
  }
  const other = content.findIndex((block) => !isText(block));
  if (other >= 0) {
    throw errors.invalidParams({ path: `/systemPrompt/content/${other}/type`, expected: '"text"' });
  }
}

/** What the host adds to Codex's instructions: the draft's system prompt, then `appendSystemPrompt` (HOST-01, HOST-02). */
export function developerInstructions({ systemPrompt, _meta }: OpenParams): string | undefined {
  const texts = (systemPrompt?.content ?? []).filter(isText).map(({ text }) => text);
  const appended = _meta?.alwith?.appendSystemPrompt;
  const all = appended === undefined ? texts : [...texts, appended];
  return all.length === 0 ? undefined : all.join("\n\n");
}

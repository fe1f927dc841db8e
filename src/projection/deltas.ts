import type { ThreadItem } from "../generated/codex/types.js";
import { fileChangeView } from "./file-change.js";
import { fitTool } from "./fit.js";
import { itemStarted, type Projection, patched } from "./items.js";
import { type Ledger, withItem } from "./ledger.js";
import { turnMeta } from "./message.js";
import { addStreamed } from "./output.js";
import type { ItemFacts, Update } from "./update.js";

const none: readonly Update[] = [];

/** A piece of an agent message. On the hot path: one object per delta, and the ledger stays as it is. */
export function messageDelta(ledger: Ledger, itemId: string, delta: string, facts: ItemFacts): readonly Update[] {
  const _meta = ledger.get(itemId)?.chunkMeta ?? { codex: turnMeta(facts) };
  return [{ sessionUpdate: "agent_message_chunk", messageId: itemId, content: { type: "text", text: delta }, _meta }];
}

/** A piece of reasoning. An item streams its summary or its raw text, whichever came first, never both. */
export function thoughtDelta(
  ledger: Ledger,
  itemId: string,
  kind: "summary" | "raw",
  delta: string,
  facts: ItemFacts,
): Projection {
  const open = ledger.get(itemId);
  if (open && open.thought !== null && open.thought !== kind) return { ledger, updates: none };
  const next = open && open.thought === null ? withItem(ledger, itemId, { ...open, thought: kind }) : ledger;
  const content = { type: "text", text: delta } as const;
  const _meta = { codex: turnMeta(facts) };
  return { ledger: next, updates: [{ sessionUpdate: "agent_thought_chunk", messageId: itemId, content, _meta }] };
}

/** A draft shows again once it doubled, so that all its snapshots together stay linear in its length (UPD-10, K-16). */
export function planDelta(ledger: Ledger, itemId: string, delta: string): Projection {
  const open = ledger.get(itemId);
  if (open?.item.type !== "plan") return { ledger, updates: none };
  const content = open.item.text + delta;
  const show = content.length >= Math.max(firstDraft, 2 * open.shown);
  const shown = show ? content.length : open.shown;
  const next = withItem(ledger, itemId, { ...open, item: { ...open.item, text: content }, shown });
  if (!show) return { ledger: next, updates: none };
  return {
    ledger: next,
    updates: [{ sessionUpdate: "plan_update", plan: { type: "markdown", planId: itemId, content } }],
  };
}

const firstDraft = 200;

/** What the model typed into a running command: all of it, since the key replaces the host's. */
export function terminalInput(ledger: Ledger, itemId: string, typed: string): Projection {
  const open = ledger.get(itemId);
  if (!open?.tool) return { ledger, updates: none };
  const meta = { ...open.meta, stdin: [...(open.meta.stdin ?? []), typed] };
  return {
    ledger: withItem(ledger, itemId, { ...open, meta }),
    updates: [{ sessionUpdate: "tool_call_update", toolCallId: itemId, _meta: { codex: meta } }],
  };
}

/**
 * A piece of a command's output. A classified command shows its output at its end, as text content. On the hot path:
 * the ledger stays as it is.
 */
export function outputDelta(ledger: Ledger, itemId: string, delta: string): readonly Update[] {
  const streamed = ledger.get(itemId)?.streamed;
  if (!streamed?.terminal || delta === "") return none;
  return [{ sessionUpdate: "terminal_output_chunk", terminalId: itemId, data: addStreamed(streamed, delta) }];
}

/** A patch that grew: the changes so far replace those shown before. */
export function patchUpdated(
  ledger: Ledger,
  itemId: string,
  changes: Extract<ThreadItem, { type: "fileChange" }>["changes"],
  facts: ItemFacts,
): Projection {
  const open = ledger.get(itemId);
  const item: ThreadItem = { type: "fileChange", id: itemId, status: "inProgress", changes };
  if (!open) return itemStarted(ledger, item, facts);
  return patched(ledger, { ...open, item }, fitTool(fileChangeView(item, facts)));
}

export function mcpProgress(ledger: Ledger, itemId: string, message: string): readonly Update[] {
  if (!ledger.get(itemId)?.tool || message === "") return none;
  const content = { type: "content", content: { type: "text", text: message } } as const;
  return [{ sessionUpdate: "tool_call_content_chunk", toolCallId: itemId, content }];
}

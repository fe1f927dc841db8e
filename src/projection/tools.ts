import type { ContentBlock, ToolCallContent } from "../generated/acp/types.js";
import type { ToolStatus, ToolView } from "./tool-view.js";
import { absolutePath, content, type ItemFacts, type ItemOf, text } from "./update.js";
import { blockOf, contentOf } from "./user-input.js";

/** Codex's statuses of calls other than commands and patches. */
function callStatus(status: string, facts: ItemFacts): ToolStatus {
  switch (status) {
    case "inProgress":
      return "in_progress";
    case "completed":
      return "completed";
    case "interrupted":
    case "declined":
      return "cancelled";
    default:
      return facts.cancelled ? "cancelled" : "failed";
  }
}

const texts = (...parts: (string | null | undefined)[]): ToolCallContent[] =>
  parts.flatMap((part) => (part === null || part === undefined || part === "" ? [] : [content(text(part))]));

/** MCP content is ACP content where the kinds agree; anything else is shown as its JSON. */
function mcpBlock(value: unknown): ContentBlock {
  if (typeof value === "object" && value !== null && "type" in value) {
    const block = value as { readonly [key: string]: unknown };
    if (block["type"] === "text" && typeof block["text"] === "string") return text(block["text"]);
    const { type, data, mimeType, uri, name } = block;
    if ((type === "image" || type === "audio") && typeof data === "string" && typeof mimeType === "string") {
      return { type, data, mimeType };
    }
    if (type === "resource_link" && typeof uri === "string") {
      return { type, uri, name: typeof name === "string" ? name : uri };
    }
  }
  return text(JSON.stringify(value));
}

export function mcpToolCallView(item: ItemOf<"mcpToolCall">, facts: ItemFacts): ToolView {
  const { result, error } = item;
  const blocks = (result?.content ?? []).map((block) => content(mcpBlock(block)));
  return {
    toolCallId: item.id,
    name: "mcp",
    title: `${item.server}: ${item.tool}`,
    status: callStatus(item.status, facts),
    rawInput: item.arguments,
    ...(result == null && error == null ? {} : { content: [...blocks, ...texts(error?.message)] }),
    ...(result == null ? {} : { rawOutput: result }),
  };
}

export function dynamicToolCallView(item: ItemOf<"dynamicToolCall">, facts: ItemFacts): ToolView {
  const items = item.contentItems ?? null;
  return {
    toolCallId: item.id,
    name: "dynamic_tool",
    title: item.namespace == null ? item.tool : `${item.namespace}: ${item.tool}`,
    status: callStatus(item.status, facts),
    rawInput: item.arguments,
    ...(items === null ? {} : { content: items.map((entry) => content(dynamicBlock(entry))) }),
    ...(item.success == null ? {} : { rawOutput: { success: item.success } }),
  };
}

type DynamicContent = NonNullable<ItemOf<"dynamicToolCall">["contentItems"]>[number];

function dynamicBlock(entry: DynamicContent): ContentBlock {
  switch (entry.type) {
    case "inputText":
      return text(entry.text ?? "");
    case "inputImage":
      return blockOf({ type: "image", url: entry.imageUrl });
    case "inputAudio":
      return blockOf({ type: "audio", url: entry.audioUrl });
    default:
      return text(JSON.stringify(entry));
  }
}

export function webSearchView(item: ItemOf<"webSearch">, facts: ItemFacts, ended: boolean): ToolView {
  return {
    toolCallId: item.id,
    name: "web_search",
    title: item.query === "" ? "Search the web" : `Search the web for ${item.query}`,
    status: ended ? (facts.cancelled ? "cancelled" : "completed") : "in_progress",
    rawInput: { query: item.query, ...(item.action == null ? {} : { action: item.action }) },
  };
}

export function imageViewView(item: ItemOf<"imageView">, facts: ItemFacts, ended: boolean): ToolView {
  const path = absolutePath(item.path, facts.cwd);
  return {
    toolCallId: item.id,
    name: "view_image",
    title: `View ${path.split(/[\\/]/).at(-1) ?? path}`,
    status: ended ? "completed" : "in_progress",
    locations: [{ path }],
  };
}

export function imageGenerationView(item: ItemOf<"imageGeneration">, facts: ItemFacts, ended: boolean): ToolView {
  const failure = "failure" in item ? item.failure : null;
  const failed = failure != null;
  const data = "result" in item && typeof item.result === "string" && item.result !== "" ? item.result : null;
  const fileId = "fileId" in item && typeof item.fileId === "string" ? item.fileId : null;
  const blocks: ContentBlock[] = [
    ...(data === null ? [] : [{ type: "image" as const, data, mimeType: "image/png" }]),
    ...(fileId === null ? [] : contentOf([{ type: "image", fileId }])),
    ...(failed ? [text(JSON.stringify(failure))] : []),
  ];
  return {
    toolCallId: item.id,
    name: "image_generation",
    title: "Generate an image",
    status: !ended ? "in_progress" : failed ? "failed" : facts.cancelled ? "cancelled" : "completed",
    ...(blocks.length === 0 ? {} : { content: blocks.map(content) }),
  };
}

export function collabView(item: ItemOf<"collabAgentToolCall">, facts: ItemFacts): ToolView {
  const { tool, senderThreadId, receiverThreadIds, prompt, agentsStates } = item;
  return {
    toolCallId: item.id,
    name: "collab",
    title: `Sub-agents: ${tool}`,
    status: callStatus(item.status, facts),
    ...(prompt == null ? {} : { content: texts(prompt) }),
    meta: { collaboration: { tool, senderThreadId, receiverThreadIds, agentsStates } },
  };
}

export function subAgentView(item: ItemOf<"subAgentActivity">): ToolView {
  const { kind, agentThreadId, agentPath } = item;
  return {
    toolCallId: item.id,
    name: "subagent",
    title: `Sub-agent ${agentPath}: ${kind}`,
    status: kind === "interrupted" ? "cancelled" : "completed",
    meta: { subagent: { kind, agentThreadId, agentPath } },
  };
}

export function functionCallOutputView(item: ItemOf<"functionCallOutput">): ToolView {
  const { output } = item;
  const shown = typeof output === "string" ? output : JSON.stringify(output);
  return { toolCallId: item.id, name: item.name, title: item.name, status: "completed", content: texts(shown) };
}

export function hookPromptView(item: ItemOf<"hookPrompt">): ToolView {
  return {
    toolCallId: item.id,
    name: "hook",
    title: "Hook",
    status: "completed",
    content: texts(...item.fragments.map((fragment) => fragment.text)),
  };
}

export function sleepView(item: ItemOf<"sleep">, ended: boolean): ToolView {
  return {
    toolCallId: item.id,
    name: "sleep",
    title: `Wait ${Math.round(item.durationMs / 1000)} s`,
    status: ended ? "completed" : "in_progress",
  };
}

export function reviewView(item: ItemOf<"enteredReviewMode">, ended: boolean): ToolView {
  return { toolCallId: item.id, name: "review", title: "Review", status: ended ? "completed" : "in_progress" };
}

/** An item kind this version does not know: a generic call, so that it neither vanishes nor ends the turn (K-29). */
export function unknownItemView(item: { readonly id: string; readonly type: string }, ended: boolean): ToolView {
  return {
    toolCallId: item.id,
    name: "_codex_item",
    title: item.type,
    status: ended ? "completed" : "in_progress",
  };
}

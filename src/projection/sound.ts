import type { ThreadItem } from "../generated/codex/types.js";
import type { ItemOf, ItemType } from "./update.js";

/** What stands for members that the mapping reads and that Codex did not give. */
const defaults: { readonly [Type in ItemType]?: Partial<ItemOf<Type>> } = {
  userMessage: { content: [] },
  hookPrompt: { fragments: [] },
  agentMessage: { text: "" },
  functionCallOutput: { name: "_codex_item", output: "" },
  plan: { text: "" },
  reasoning: { summary: [], content: [] },
  commandExecution: { command: "", cwd: "", commandActions: [] },
  fileChange: { changes: [] },
  mcpToolCall: { server: "", tool: "" },
  dynamicToolCall: { tool: "" },
  collabAgentToolCall: { senderThreadId: "", receiverThreadIds: [], agentsStates: {} },
  subAgentActivity: { agentThreadId: "", agentPath: "" },
  webSearch: { query: "" },
  imageView: { path: "" },
  sleep: { durationMs: 0 },
  exitedReviewMode: { review: "" },
};

const statuses: ReadonlySet<unknown> = new Set(["inProgress", "completed", "failed", "declined", "interrupted"]);

/** Kinds of items whose status the mapping reads. */
const withStatus: ReadonlySet<string> = new Set<ItemType>([
  "commandExecution",
  "fileChange",
  "mcpToolCall",
  "dynamicToolCall",
  "collabAgentToolCall",
]);

/**
 * The item with everything that the mapping stands on (K-29): Codex's word is not validated in production, and another
 * Codex may leave out, or null, what the captured one always gives. The item itself where nothing is missing. A status
 * that this version does not know is no end of an item that began; of one that ended it is a failure.
 */
export function sound(item: ThreadItem, ended: boolean): ThreadItem {
  const missing: (readonly [string, unknown])[] = [];
  // No copy of what is whole: nearly all is.
  for (const entry of required.get(item.type) ?? none) if (Reflect.get(item, entry[0]) == null) missing.push(entry);
  if (withStatus.has(item.type) && !statuses.has(Reflect.get(item, "status"))) {
    missing.push(["status", ended ? "failed" : "inProgress"]);
  }
  // Each default is of its member's type.
  return missing.length === 0 ? item : ({ ...item, ...Object.fromEntries(missing) } as ThreadItem);
}

const none: readonly (readonly [string, unknown])[] = [];

const required: ReadonlyMap<string, readonly (readonly [string, unknown])[]> = new Map(
  Object.entries(defaults).map(([type, members]) => [type, Object.entries(members)]),
);

import type { ThreadItem } from "../../generated/codex/types.js";

/** One kind of item, e.g. `ItemOf<"commandExecution">`. */
export type ItemOf<Type extends ThreadItem["type"]> = Extract<ThreadItem, { type: Type }>;

/** What may be said of an item of this kind; the rest gets the values that the real Codex sends most. */
export type ItemFields<Type extends ThreadItem["type"]> = { readonly id: string } & Partial<
  Omit<ItemOf<Type>, "type" | "id">
>;

export const userMessage = (fields: ItemFields<"userMessage">): ItemOf<"userMessage"> => ({
  type: "userMessage",
  clientId: null,
  content: [],
  ...fields,
});

export const agentMessage = (fields: ItemFields<"agentMessage">): ItemOf<"agentMessage"> => ({
  type: "agentMessage",
  text: "",
  phase: null,
  memoryCitation: null,
  ...fields,
});

export const reasoning = (fields: ItemFields<"reasoning">): ItemOf<"reasoning"> => ({
  type: "reasoning",
  summary: [],
  content: [],
  ...fields,
});

export const plan = (fields: ItemFields<"plan">): ItemOf<"plan"> => ({ type: "plan", text: "", ...fields });

export const commandExecution = (fields: ItemFields<"commandExecution">): ItemOf<"commandExecution"> => {
  const { command = "/bin/bash -lc 'echo one'" } = fields;
  return {
    type: "commandExecution",
    command,
    cwd: "/home/user/project",
    processId: "4711",
    source: "unifiedExecStartup",
    status: "inProgress",
    commandActions: [{ type: "unknown", command }],
    aggregatedOutput: null,
    exitCode: null,
    durationMs: null,
    ...fields,
  };
};

export const fileChange = (fields: ItemFields<"fileChange">): ItemOf<"fileChange"> => ({
  type: "fileChange",
  changes: [],
  status: "inProgress",
  ...fields,
});

export const mcpToolCall = (fields: ItemFields<"mcpToolCall">): ItemOf<"mcpToolCall"> => ({
  type: "mcpToolCall",
  server: "tiny",
  tool: "echo",
  status: "inProgress",
  arguments: {},
  result: null,
  error: null,
  durationMs: null,
  ...fields,
});

export const dynamicToolCall = (fields: ItemFields<"dynamicToolCall">): ItemOf<"dynamicToolCall"> => ({
  type: "dynamicToolCall",
  namespace: null,
  tool: "lookup",
  arguments: {},
  status: "inProgress",
  contentItems: null,
  success: null,
  durationMs: null,
  ...fields,
});

export const webSearch = (fields: ItemFields<"webSearch">): ItemOf<"webSearch"> => ({
  type: "webSearch",
  query: "",
  action: null,
  ...fields,
});

export const imageView = (fields: ItemFields<"imageView">): ItemOf<"imageView"> => ({
  type: "imageView",
  path: "/home/user/project/picture.png",
  ...fields,
});

export const contextCompaction = (fields: ItemFields<"contextCompaction">): ItemOf<"contextCompaction"> => ({
  type: "contextCompaction",
  ...fields,
});

export const enteredReviewMode = (fields: ItemFields<"enteredReviewMode">): ItemOf<"enteredReviewMode"> => ({
  type: "enteredReviewMode",
  review: "",
  ...fields,
});

export const exitedReviewMode = (fields: ItemFields<"exitedReviewMode">): ItemOf<"exitedReviewMode"> => ({
  type: "exitedReviewMode",
  review: "",
  ...fields,
});

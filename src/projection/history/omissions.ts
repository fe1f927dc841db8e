import type { ThreadItem } from "../../generated/codex/types.js";
import type { HistoryOmission } from "../../generated/contract/types.js";
import { imageRequest } from "../image-envelope.js";
import { isShortened } from "../output.js";
import type { ItemOf, ItemType, Update } from "../update.js";

/** One loss of an item, without its id. */
interface Loss {
  readonly field: string;
  readonly reason: string;
}

/** Members that no update has a place for, by kind of item; a loss only where Codex gave a value. */
const withoutPlace: { readonly [Type in ItemType]?: readonly string[] } = {
  agentMessage: ["moderation", "memoryCitation", "delivery", "questions"],
  commandExecution: ["pluginId", "scriptPath"],
  mcpToolCall: ["appContext", "durationMs", "environmentId", "mcpAppResourceUri", "mcpAppUi", "pluginId"],
  dynamicToolCall: ["durationMs"],
  webSearch: ["results"],
  imageGeneration: ["generationId", "inputImages", "revisedPrompt", "savedPath", "transparentBackground"],
  collabAgentToolCall: ["model", "reasoningEffort"],
  subAgentActivity: ["model", "reasoningEffort"],
  functionCallOutput: ["namespace"],
  enteredReviewMode: ["review"],
};

const mapped: ReadonlySet<string> = new Set<ItemType>([
  "userMessage",
  "hookPrompt",
  "agentMessage",
  "functionCallOutput",
  "plan",
  "reasoning",
  "commandExecution",
  "fileChange",
  "mcpToolCall",
  "dynamicToolCall",
  "collabAgentToolCall",
  "subAgentActivity",
  "webSearch",
  "imageView",
  "sleep",
  "imageGeneration",
  "enteredReviewMode",
  "exitedReviewMode",
  "contextCompaction",
]);

/** What the updates of an item do not show of it (HIST-60). */
export function omissionsOf(item: ThreadItem, updates: readonly Update[]): HistoryOmission[] {
  return lossesOf(item, updates).map((loss) => ({ itemId: item.id, ...loss }));
}

/** The omission of an item that has no updates at all. */
export const wholeItem = (item: ThreadItem, reason: string): HistoryOmission => ({
  itemId: item.id,
  field: "*",
  reason,
});

function lossesOf(item: ThreadItem, updates: readonly Update[]): Loss[] {
  if (!mapped.has(item.type)) {
    return [
      {
        field: "*",
        reason: `items of type ${item.type} are not known to this version; a generic tool call stands for it`,
      },
    ];
  }
  return [...ofKind(item), ...unplaced(item, updates), ...updates.flatMap(leftOut)];
}

function ofKind(item: ThreadItem): Loss[] {
  switch (item.type) {
    case "userMessage":
      return [
        ...(item.content.some((input) => "detail" in input && input.detail != null)
          ? [{ field: "content", reason: "the level of detail asked for images has no place in a content block" }]
          : []),
        ...(imageRequest(item.content) ? [{ field: "content", reason: "the list of images before the text" }] : []),
      ];
    case "reasoning":
      return (item.summary ?? []).length > 0 && (item.content ?? []).length > 0
        ? [{ field: "content", reason: "the reasoning is shown by its summary" }]
        : [];
    case "commandExecution":
      return item.aggregatedOutput != null && isShortened(item.aggregatedOutput)
        ? [{ field: "aggregatedOutput", reason: "Codex kept the beginning and the end of this output only" }]
        : [];
    case "fileChange":
      return deletionsWithoutText(item);
    default:
      return [];
  }
}

/** An empty file leaves no text either; the record does not tell the two apart (ROLL-07). */
const deletionsWithoutText = (item: ItemOf<"fileChange">): Loss[] =>
  item.changes
    .filter(({ kind, diff }) => kind.type === "delete" && (diff ?? "") === "")
    .map(({ path }) => ({
      field: "changes",
      reason: `the record has no text of the deleted ${path}: the file was empty, or Codex did not keep it`,
    }));

function unplaced(item: ThreadItem, updates: readonly Update[]): Loss[] {
  const members = new Map<string, unknown>(Object.entries(item));
  const shown = new Set(updates.flatMap((update) => Object.keys(codexMeta(update))));
  return (withoutPlace[item.type] ?? []).flatMap((field) =>
    isEmpty(members.get(field)) || shown.has(field) ? [] : [{ field, reason: "no update has a place for it" }],
  );
}

/** What the call itself says it lacks. */
const leftOut = (update: Update): readonly Loss[] =>
  update.sessionUpdate === "tool_call_update" ? (update._meta?.codex?.omissions ?? []) : [];

function codexMeta(update: Update): object {
  const meta: unknown = "_meta" in update ? update._meta : null;
  const codex = typeof meta === "object" && meta !== null && "codex" in meta ? meta.codex : null;
  return typeof codex === "object" && codex !== null ? codex : {};
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);

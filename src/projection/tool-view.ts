import type { ToolCallContent, ToolCallLocation } from "../generated/acp/types.js";
import type { ToolCallUpdateMeta } from "../generated/contract/meta.js";
import { type ToolCallName, toolCalls } from "../generated/contract/tables.js";
import type { Update } from "./update.js";

export type ToolStatus = "in_progress" | "completed" | "failed" | "cancelled";

/** Everything a host is told of one tool call at one moment. */
export interface ToolView {
  readonly toolCallId: string;
  readonly name: ToolCallName | (string & {});
  readonly title: string;
  readonly status: ToolStatus;
  readonly content?: ToolCallContent[];
  readonly locations?: ToolCallLocation[];
  readonly rawInput?: unknown;
  readonly rawOutput?: unknown;
  /** The whole of the call's `_meta.codex`: a later upsert replaces the key on the host's side. */
  readonly meta?: ToolCallUpdateMeta["codex"];
}

/** What a call's later frames may say. */
export type ToolPatch = Pick<ToolView, "toolCallId" | "status" | "content" | "rawOutput" | "meta">;

const kinds: ReadonlyMap<string, string> = new Map(toolCalls.map((row) => [row.name, row.kind]));

/** The first frame of a call: it alone carries `name`, `title` and `kind` (TOOL-01). */
export const announceTool = (view: ToolView): Update => ({ sessionUpdate: "tool_call_update", ...firstOf(view) });

/** The first frame as the subject of a permission request has it. */
export function firstOf(view: ToolView) {
  return {
    ...patchOf(view),
    name: view.name,
    title: view.title,
    kind: kinds.get(view.name) ?? "other",
    ...(view.locations === undefined ? {} : { locations: view.locations }),
    ...(view.rawInput === undefined ? {} : { rawInput: view.rawInput }),
  };
}

/** A later frame: status, content and raw output only (TOOL-02). */
export function patchTool(view: ToolPatch): Update {
  return { sessionUpdate: "tool_call_update", ...patchOf(view) };
}

function patchOf(view: ToolPatch) {
  return {
    toolCallId: view.toolCallId,
    status: view.status,
    ...(view.content === undefined ? {} : { content: view.content }),
    ...(view.rawOutput === undefined ? {} : { rawOutput: view.rawOutput }),
    ...(view.meta === undefined ? {} : { _meta: { codex: view.meta } }),
  };
}

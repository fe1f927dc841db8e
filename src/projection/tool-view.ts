import type { ToolCallContent, ToolCallLocation, ToolCallUpdate } from "../generated/acp/types.js";
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

type ToolCallFrame = Extract<Update, { sessionUpdate: "tool_call_update" }>;

/** The first frame of a call: it alone carries `name`, `title` and `kind` (TOOL-01). */
export function announceTool(view: ToolView): ToolCallFrame {
  const frame = patchTool(view);
  frame.name = view.name;
  frame.title = view.title;
  frame.kind = kinds.get(view.name) ?? "other";
  if (view.locations !== undefined) frame.locations = view.locations;
  if (view.rawInput !== undefined) frame.rawInput = view.rawInput;
  return frame;
}

/** The first frame as the subject of a permission request has it. */
export function firstOf(view: ToolView): ToolCallUpdate {
  const { sessionUpdate: _kind, ...call } = announceTool(view);
  return call;
}

/** A later frame: status, content and raw output only (TOOL-02). */
export function patchTool(view: ToolPatch): ToolCallFrame {
  const { toolCallId, status, content, rawOutput, meta } = view;
  const frame: ToolCallFrame = { sessionUpdate: "tool_call_update", toolCallId, status };
  if (content !== undefined) frame.content = content;
  if (rawOutput !== undefined) frame.rawOutput = rawOutput;
  if (meta !== undefined) frame._meta = { codex: meta };
  return frame;
}

import type { ContentBlock, SessionUpdate, ToolCallContent } from "../generated/acp/types.js";
import type { ThreadItem } from "../generated/codex/types.js";
import type * as meta from "../generated/contract/meta.js";

/** The members of an open union whose tag is a literal: what this version knows, without "any other string". */
type Known<Union, Tag extends string> = Union extends { readonly [Key in Tag]: infer Name }
  ? string extends Name
    ? never
    : Union
  : never;

/** The `_meta` of each kind of update, as the contract has it. */
interface UpdateMeta {
  user_message: meta.UserMessageMeta;
  agent_message: meta.AgentMessageMeta;
  agent_message_chunk: meta.AgentMessageChunkMeta;
  agent_thought: meta.AgentThoughtMeta;
  agent_thought_chunk: meta.AgentThoughtChunkMeta;
  tool_call_update: meta.ToolCallUpdateMeta;
  terminal_update: meta.TerminalUpdateMeta;
  state_update: meta.StateUpdateMeta;
  session_info_update: meta.SessionInfoUpdateMeta;
  config_option_update: meta.ConfigOptionUpdateMeta;
}

type WithMeta<Member> = Member extends { readonly sessionUpdate: infer Kind }
  ? Kind extends keyof UpdateMeta
    ? Member & { _meta?: UpdateMeta[Kind] }
    : Member
  : never;

/** A session update as the bridge sends it: a kind of the draft with the contract's `_meta`. */
export type Update = WithMeta<Known<SessionUpdate, "sessionUpdate">>;

/** What is being built: members that may be missing are set one by one, as spreads cost more than all else here. */
export type Mutable<Shape> = { -readonly [Member in keyof Shape]: Shape[Member] };

export type ItemType = ThreadItem["type"];
export type ItemOf<Type extends ItemType> = Extract<ThreadItem, { type: Type }>;

/** Facts of the turn around an item, and who reads the result. */
export interface ItemFacts {
  readonly turnId: string;
  /** Unix ms; null when Codex gave none. */
  readonly turnStartedAt: number | null;
  /** The session's working directory: relative paths that Codex reports are relative to it. */
  readonly cwd: string;
  /** The turn is being cancelled: what ends because of that is `cancelled`, not `failed`. */
  readonly cancelled: boolean;
  /** Clocks of the turn's work, on live agent messages (REPLAY-31, REPLAY-32). */
  readonly work: { readonly startedAt: number; readonly durationMs: number | null } | null;
  /** Unix ms at which the item ended, where Codex says so. */
  readonly completedAt: number | null;
}

export const text = (value: string): ContentBlock => ({ type: "text", text: value });

export const content = (block: ContentBlock): ToolCallContent => ({ type: "content", content: block });

/** Absolute form of a path that Codex may give relative to the working directory. */
export function absolutePath(path: string, cwd: string): string {
  if (path.startsWith("/") || /^[A-Za-z]:[\\/]/.test(path) || path.startsWith("\\\\")) return path;
  const separator = cwd.includes("\\") && !cwd.includes("/") ? "\\" : "/";
  const relative = path.replace(/^\.[\\/]/, "");
  return relative === "" || relative === "." ? cwd : `${cwd.replace(/[\\/]$/, "")}${separator}${relative}`;
}

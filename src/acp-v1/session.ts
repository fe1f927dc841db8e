import type * as v1 from "../generated/acp-v1/types.js";
import type { LeftOut, SameUpdate } from "../generated/acp-v1/updates.js";
import type { Update } from "../projection/update.js";
import { type Calls, createCalls } from "./calls.js";
import type { AskedFor, Features } from "./features.js";
import { metaOf } from "./known.js";
import { createMessages } from "./messages.js";
import { modesOf, optionsOf } from "./options.js";

type Kind = Update["sessionUpdate"];
type UpdateOf<K extends Kind> = Extract<Update, { sessionUpdate: K }>;

/** The kinds that must be put in other words, for some hosts at least. A new kind does not compile without a way. */
type Told = Exclude<Kind, SameUpdate | LeftOut>;
type Ways = { readonly [K in Told]: (update: UpdateOf<K>) => readonly v1.SessionUpdate[] | null };

/** One session as a host of version 1 sees it. */
export interface SessionView {
  /** What an update is to the host, in order; null: the update as it is. */
  tell(update: Update): readonly v1.SessionUpdate[] | null;
  readonly calls: Calls;
  /** The mode that the host believes the session to be in. */
  mode(id: string): void;
}

export interface ViewOptions {
  readonly features: Features;
  /** The host wrote that message, and shows it already. */
  isOwn(messageId: string): boolean;
  /** Options pass by; some of them are booleans. */
  onOptions?(options: UpdateOf<"config_option_update">["configOptions"]): void;
}

const nothing: readonly v1.SessionUpdate[] = [];

const callStatuses = {
  in_progress: "in_progress",
  completed: "completed",
  failed: "failed",
  cancelled: "failed",
} as const;

export function createSessionView({ features, isOwn, onOptions }: ViewOptions): SessionView {
  const messages = createMessages();
  const calls = createCalls(features);
  const compactions = new Set<string>();
  let currentMode: string | null = null;
  let notices = 0;

  /** A kind that the host takes as it is, if it said so. */
  const asked =
    <K extends AskedFor & Told>(kind: K, otherwise: (update: UpdateOf<K>) => readonly v1.SessionUpdate[]) =>
    (update: UpdateOf<K>): readonly v1.SessionUpdate[] | null =>
      features.takes(kind) ? null : otherwise(update);

  const leftOut = (): readonly v1.SessionUpdate[] => nothing;

  const ways: Ways = {
    user_message: (update) => (isOwn(update.messageId) ? nothing : messages.snapshot("user_message_chunk", update)),
    agent_message: (update) => messages.snapshot("agent_message_chunk", update),
    agent_thought: (update) => messages.snapshot("agent_thought_chunk", update, "\n\n"),
    tool_call_update: (update) => calls.update(update),
    tool_call_content_chunk: ({ toolCallId, content }) => calls.contentChunk(toolCallId, content),
    terminal_update: (update) => calls.terminal(update),
    terminal_output_chunk: ({ terminalId, data }) => calls.terminalChunk(terminalId, data),
    plan_update: asked("plan_update", ({ plan, _meta }) => {
      if ("entries" in plan && Array.isArray(plan.entries)) {
        return [{ sessionUpdate: "plan", entries: entriesOf(plan.entries), ...metaOf({ _meta: _meta ?? null }) }];
      }
      if (!("content" in plan) || typeof plan.content !== "string") return nothing;
      return messages.grown(plan.planId, plan.content, _meta);
    }),
    plan_removed: asked("plan_removed", leftOut),
    available_commands_update: ({ availableCommands, _meta }) => [
      {
        sessionUpdate: "available_commands_update",
        availableCommands: availableCommands.map(commandOf),
        ...metaOf({ _meta: _meta ?? null }),
      },
    ],
    config_option_update(update) {
      onOptions?.(update.configOptions);
      const told: v1.SessionUpdate = {
        sessionUpdate: "config_option_update",
        configOptions: optionsOf(update.configOptions, features),
        ...metaOf(update),
      };
      const mode = modesOf(update.configOptions)?.currentModeId ?? null;
      if (mode === null || mode === currentMode) return [told];
      currentMode = mode;
      return [{ sessionUpdate: "current_mode_update", currentModeId: mode }, told];
    },
    notice: asked("notice", ({ title, description }) => {
      notices += 1;
      // Ends a paragraph: some hosts put all messages of the agent into one.
      const text = `${description == null ? title : `${title}\n\n${description}`}\n\n`;
      const _meta = { codex: { notice: true } };
      return messages.snapshot("agent_message_chunk", {
        messageId: `notice-${notices}`,
        content: [{ type: "text", text }],
        _meta,
      });
    }),
    compaction_update: asked("compaction_update", ({ compactionId, status, _meta }) => {
      const known = compactions.has(compactionId);
      compactions.add(compactionId);
      const told = callStatuses[status as keyof typeof callStatuses] ?? "in_progress";
      const meta = metaOf({ _meta: _meta ?? null });
      if (known) return [{ sessionUpdate: "tool_call_update", toolCallId: compactionId, status: told, ...meta }];
      const title = "Compact the conversation";
      return [{ sessionUpdate: "tool_call", toolCallId: compactionId, title, kind: "other", status: told, ...meta }];
    }),
    compaction_summary_chunk: asked("compaction_summary_chunk", leftOut),
    subagent_update: asked("subagent_update", leftOut),
    session_message: asked("session_message", leftOut),
    session_message_chunk: asked("session_message_chunk", leftOut),
  };

  return {
    calls,
    mode(id) {
      currentMode = id;
    },
    tell(update) {
      switch (update.sessionUpdate) {
        case "agent_message_chunk":
        case "agent_thought_chunk":
        case "user_message_chunk":
          messages.streamed(update.messageId, update.content);
          return null;
        case "session_info_update":
        case "usage_update":
          return null;
        case "state_update":
          if (update.state === "idle") messages.settle();
          return nothing;
        default: {
          // The table has the way of each kind under its name.
          const way = ways[update.sessionUpdate] as (update: Update) => readonly v1.SessionUpdate[] | null;
          return way(update);
        }
      }
    },
  };
}

type Command = UpdateOf<"available_commands_update">["availableCommands"][number];

function commandOf({ name, description, input, _meta }: Command): v1.AvailableCommand {
  const hint = typeof input === "object" && input !== null && "hint" in input ? input.hint : undefined;
  return {
    name,
    description,
    ...(typeof hint === "string" ? { input: { hint } } : {}),
    ...metaOf({ _meta: (_meta as object | null | undefined) ?? null }),
  };
}

/** Steps that were given up are done as far as version 1 can say. */
const entriesOf = (entries: readonly { content: string; priority: string; status: string }[]): v1.PlanEntry[] =>
  entries.map(({ status, ...entry }) => ({
    ...entry,
    status: status === "cancelled" ? "completed" : status,
  })) as v1.PlanEntry[];

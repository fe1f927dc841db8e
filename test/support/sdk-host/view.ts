import type * as acp from "@agentclientprotocol/sdk/experimental/v2/unstable";
import type { Shown, ShownMessage, ShownToolCall } from "../../../src/host-check/driver-format.js";
import { anotherWay, type Quirk } from "./quirks.js";

interface Message {
  readonly id: string;
  readonly role: ShownMessage["role"];
  readonly content: acp.ContentBlock[];
}

interface ToolCall {
  readonly id: string;
  title: string | null;
  status: string;
  content: acp.ToolCallContent[];
}

/** What a client of ACP's draft v2 keeps of a session, by the rules of the draft. */
export interface SessionView {
  readOnly: boolean;
  /** Takes an update. */
  apply(update: acp.SessionUpdate): void;
  messages(): ShownMessage[];
  toolCalls(): ShownToolCall[];
  state: Shown["state"];
}

const roles: Readonly<Record<string, ShownMessage["role"]>> = {
  user_message: "user",
  agent_message: "agent",
  agent_thought: "thought",
};

const states: readonly string[] = ["idle", "running", "requires_action"];
const ends: readonly unknown[] = ["end_turn", "cancelled", "error", undefined];
const statuses: readonly unknown[] = ["pending", "in_progress", "paused", "completed", "failed", "cancelled"];

/** Id of a prompt that is shown before the agent has said its id. */
export const ownPrompt = "own";

const textOf = (blocks: readonly acp.ContentBlock[]): string =>
  blocks.map((block) => (block.type === "text" ? String(block.text) : "")).join("");

/** A member of an upsert: left out, it stays; null clears it. */
const patched = <T>(before: T, patch: T | null | undefined, cleared: T): T =>
  patch === undefined ? before : (patch ?? cleared);

export function createView(has: (quirk: Quirk) => boolean): SessionView {
  const messages = new Map<string, Message>();
  const calls = new Map<string, ToolCall>();
  let state: Shown["state"] = "idle";
  let tripped = false;

  const message = (id: string, role: ShownMessage["role"]): Message => {
    const found = messages.get(id) ?? { id, role, content: [] };
    messages.set(id, found);
    return found;
  };

  function upsertMessage(role: ShownMessage["role"], { messageId, content, _meta }: acp.AgentMessage): void {
    if (has("shows-again") && messages.has(messageId)) {
      messages.set(`${messageId} again`, { id: messageId, role, content: [...(content ?? [])] });
      return;
    }
    if (has(anotherWay) && role === "user" && messageId !== ownPrompt) messages.delete(ownPrompt);
    if (has("believes-meta") && _meta && "host-check" in _meta) return;
    if (has("drops-unknown-content") && content?.some(({ type }) => type.startsWith("_"))) return;
    const known = message(messageId, role);
    if (content === undefined && !has("empties-messages")) return;
    if (!has("appends-snapshots")) known.content.length = 0;
    known.content.push(...(content ?? []));
  }

  function appendChunk(role: ShownMessage["role"], { messageId, content }: acp.ContentChunk): void {
    const last = [...messages.values()].at(-1);
    const known = has("ignores-message-ids") && last?.role === role ? last : message(messageId, role);
    if (has("chunks-replace")) known.content.length = 0;
    known.content.push(content);
  }

  function upsertCall(update: acp.ToolCallUpdate): ToolCall {
    const known = calls.get(update.toolCallId) ?? {
      id: update.toolCallId,
      title: null,
      status: "pending",
      content: [],
    };
    calls.set(known.id, known);
    const given = has("replaces-tools") ? { title: null, status: null, content: null, ...update } : update;
    known.title = patched(known.title, given.title, null);
    known.status = patched(known.status, given.status, "pending");
    if (has("unknown-status-is-done") && !statuses.includes(known.status)) known.status = "completed";
    const content = patched(known.content, given.content, []);
    known.content = has("appends-tool-content") && given.content ? [...known.content, ...content] : [...content];
    return known;
  }

  function takeState(update: acp.SessionUpdate): void {
    const { state: given, stopReason } = update as { readonly state?: unknown; readonly stopReason?: unknown };
    const said = String(given);
    if (has("knows-every-end") && said === "idle" && !ends.includes(stopReason)) return;
    state = states.includes(said) ? (said as Shown["state"]) : "unknown";
    if (has("unknown-is-idle") && state === "unknown") state = "idle";
  }

  return {
    readOnly: false,
    get state() {
      return state;
    },
    set state(given) {
      state = given;
    },
    apply(update) {
      const { sessionUpdate: kind } = update;
      const role = roles[kind.replace(/_chunk$/, "")];
      if (tripped) return;
      if (has("updates-mean-running")) state = "running";
      if (role !== undefined && kind.endsWith("_chunk")) appendChunk(role, update as acp.ContentChunk);
      else if (role !== undefined) upsertMessage(role, update as acp.AgentMessage);
      else if (kind === "tool_call_update") upsertCall(update as acp.ToolCallUpdate);
      else if (kind === "tool_call_content_chunk") {
        const { toolCallId, content } = update as acp.ToolCallContentChunk;
        upsertCall({ toolCallId }).content.push(content);
      } else if (kind === "state_update") takeState(update);
      else if (has(anotherWay)) message(kind, "agent").content.push({ type: "text", text: `(${kind})` });
      else tripped = has("trips-over-unknown-updates");
    },
    messages: () =>
      [...messages.values()]
        .map(({ id, role, content }) => ({ id, role, text: textOf(content) }))
        .filter(({ text }) => text !== "" || !has(anotherWay)),
    toolCalls: () =>
      [...calls.values()].map(({ id, title, status, content }) => ({
        id,
        title,
        status,
        text: textOf(content.flatMap((one) => (one.type === "content" ? [one.content as acp.ContentBlock] : []))),
      })),
  };
}

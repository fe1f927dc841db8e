import type { Update } from "./host.js";

/** One thing that a client shows: a message, a tool call, a terminal, a plan, a compaction. */
export interface Entry {
  readonly kind: "user" | "agent" | "thought" | "tool" | "terminal" | "plan" | "compaction";
  /** As last told; a member that was never told is absent. */
  readonly fields: { readonly [name: string]: unknown };
  /** `_meta.codex` as last told: a host replaces the key whole. */
  readonly meta: { readonly [key: string]: unknown };
}

/** What a client has, by kind and id, in the order in which it came. */
export type Transcript = ReadonlyMap<string, Entry>;

type Fields = Record<string, unknown>;

/** One that nothing was written to. */
const emptyTerminal = { output: "" };

/** A client on the draft: an upsert replaces the members that it has, a chunk is added to what is there. */
export function transcriptOf(updates: readonly Update[]): Transcript {
  const entries = new Map<string, Entry>();
  const upsert = (kind: Entry["kind"], id: unknown, told: Fields, meta: unknown): void => {
    const key = `${kind} ${String(id)}`;
    const known = entries.get(key) ?? { kind, fields: kind === "terminal" ? emptyTerminal : {}, meta: {} };
    const codex = meta === undefined || meta === null ? known.meta : Object(Object(meta).codex);
    entries.set(key, { kind, fields: { ...known.fields, ...told }, meta: codex });
  };
  const fieldOf = (kind: Entry["kind"], id: unknown, name: string): unknown =>
    entries.get(`${kind} ${String(id)}`)?.fields[name];

  for (const update of updates) {
    const { sessionUpdate, _meta, messageId, toolCallId, terminalId, compactionId, ...told } = update as Fields;
    switch (sessionUpdate) {
      case "user_message":
        upsert("user", messageId, told, _meta);
        break;
      case "agent_message":
        upsert("agent", messageId, told, _meta);
        break;
      case "agent_thought":
        upsert("thought", messageId, told, _meta);
        break;
      case "agent_message_chunk":
        upsert("agent", messageId, { content: added(fieldOf("agent", messageId, "content"), told["content"]) }, _meta);
        break;
      case "agent_thought_chunk":
        upsert(
          "thought",
          messageId,
          { content: added(fieldOf("thought", messageId, "content"), told["content"]) },
          _meta,
        );
        break;
      case "tool_call_update":
        upsert("tool", toolCallId, told, _meta);
        break;
      case "tool_call_content_chunk": {
        const before = fieldOf("tool", toolCallId, "content");
        upsert("tool", toolCallId, { content: [...(Array.isArray(before) ? before : []), told["content"]] }, _meta);
        break;
      }
      case "terminal_update":
        upsert(
          "terminal",
          terminalId,
          { ...told, ...("output" in told ? { output: decoded(told["output"]) } : {}) },
          _meta,
        );
        break;
      case "terminal_output_chunk": {
        const before = fieldOf("terminal", terminalId, "output");
        upsert("terminal", terminalId, { output: `${before ?? ""}${decoded(told)}` }, _meta);
        break;
      }
      case "plan_update":
        upsert("plan", Object(told["plan"]).planId, { plan: told["plan"] }, _meta);
        break;
      case "compaction_update":
        upsert("compaction", compactionId, told, _meta);
        break;
    }
  }
  return entries;
}

const decoded = (output: unknown): string => Buffer.from(String(Object(output).data ?? ""), "base64").toString("utf8");

/** Text follows on text; anything else is a block of its own. */
function added(before: unknown, block: unknown): unknown[] {
  const blocks = Array.isArray(before) ? before : [];
  const last: unknown = blocks.at(-1);
  if (Object(last).type !== "text" || Object(block).type !== "text") return [...blocks, block];
  return [...blocks.slice(0, -1), { ...Object(last), text: `${Object(last).text}${Object(block).text}` }];
}

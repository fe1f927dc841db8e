import type { SessionUpdate } from "../../src/generated/acp-v1/types.js";
import type { Update } from "../../src/projection/update.js";

/** What a client has of a session at the end, in words that both versions can be put in. */
export interface Shown {
  /** Text by message: what the user, the agent and its thoughts said. */
  readonly messages: Map<string, string>;
  readonly calls: Map<string, ShownCall>;
  steps: readonly { readonly content: string; readonly status: string }[];
  title: string | null;
  used: number | null;
}

export interface ShownCall {
  title?: string;
  kind?: string;
  name?: string;
  status?: string;
  rawInput?: unknown;
  rawOutput?: unknown;
  locations?: unknown;
  /** Text and images as they are, terminals as what they printed. */
  content: readonly string[];
  /** All old and all new text of its diffs. */
  diffs: readonly [old: string, now: string];
}

const nothing = (): Shown => ({ messages: new Map(), calls: new Map(), steps: [], title: null, used: null });

const textOf = (content: unknown): string => {
  const { type, text } = content as { type: string; text?: string };
  return type === "text" ? (text ?? "") : JSON.stringify(content);
};

/** A final newline cannot be seen, between fences least of all. */
const trimmed = (text: string): string => text.replace(/\n$/, "");

const members = ["title", "kind", "name", "status", "rawInput", "rawOutput", "locations"] as const;

function callOf(shown: Shown, id: string): ShownCall {
  const call = shown.calls.get(id) ?? { content: [], diffs: ["", ""] };
  shown.calls.set(id, call);
  return call;
}

function merge(call: ShownCall, update: object): void {
  for (const name of members) {
    const value = (update as Readonly<Record<string, unknown>>)[name];
    if (value != null) Object.assign(call, { [name]: name === "status" && value === "cancelled" ? "failed" : value });
  }
}

/** Old and new text of a git patch: its lines by their signs. */
function sidesOf(patch: string): [string, string] {
  let old = "";
  let now = "";
  let inside = false;
  let sign = "";
  for (const line of patch.split("\n").slice(0, -1)) {
    if (line.startsWith("diff --git ")) inside = false;
    else if (line.startsWith("@@")) inside = true;
    else if (inside && line.startsWith("\\")) {
      if (sign !== "+") old = old.slice(0, -1);
      if (sign !== "-") now = now.slice(0, -1);
    } else if (inside) {
      sign = line[0] ?? "";
      if (sign !== "+") old += `${line.slice(1)}\n`;
      if (sign !== "-") now += `${line.slice(1)}\n`;
    }
  }
  return [old, now];
}

/** What a client of draft v2 has. `own`: messages that the host wrote itself, which version 1 does not repeat. */
export function shownOf(updates: readonly Update[], own: ReadonlySet<string>): Shown {
  const shown = nothing();
  const terminals = new Map<string, Buffer>();
  const contents = new Map<string, unknown[]>();
  const append = (id: string, text: string): void => void shown.messages.set(id, (shown.messages.get(id) ?? "") + text);
  for (const update of updates) {
    switch (update.sessionUpdate) {
      case "user_message":
      case "agent_message":
      case "agent_thought":
        if (update.content != null && !own.has(update.messageId)) {
          const between = update.sessionUpdate === "agent_thought" ? "\n\n" : "";
          shown.messages.set(update.messageId, update.content.map(textOf).join(between));
        }
        break;
      case "agent_message_chunk":
      case "agent_thought_chunk":
        append(update.messageId, textOf(update.content));
        break;
      case "tool_call_update":
        merge(callOf(shown, update.toolCallId), update);
        if (update.content != null) contents.set(update.toolCallId, [...update.content]);
        break;
      case "tool_call_content_chunk":
        contents.set(update.toolCallId, [...(contents.get(update.toolCallId) ?? []), update.content]);
        break;
      case "terminal_update":
        if (update.output != null) terminals.set(update.terminalId, Buffer.from(update.output.data, "base64"));
        break;
      case "terminal_output_chunk": {
        const before = terminals.get(update.terminalId) ?? Buffer.alloc(0);
        terminals.set(update.terminalId, Buffer.concat([before, Buffer.from(update.data, "base64")]));
        break;
      }
      case "plan_update":
        if ("entries" in update.plan) shown.steps = stepsOf(update.plan.entries);
        else if ("content" in update.plan) shown.messages.set(update.plan.planId, String(update.plan.content));
        break;
      case "compaction_update": {
        const call = callOf(shown, update.compactionId);
        Object.assign(call, { title: "Compact the conversation", kind: "other" });
        merge(call, update);
        break;
      }
      case "session_info_update":
        if (update.title != null) shown.title = update.title;
        break;
      case "usage_update":
        shown.used = update.used;
        break;
      default:
    }
  }
  for (const [id, content] of contents) {
    const call = callOf(shown, id);
    call.content = content.flatMap((entry) => {
      const { type, ...rest } = entry as { type: string; content?: unknown; terminalId?: string };
      if (type === "content") return [trimmed(textOf(rest.content))];
      const output = terminals.get(rest.terminalId ?? "")?.toString("utf8") ?? "";
      return type === "terminal" && output !== "" ? [trimmed(output)] : [];
    });
    call.diffs = content.reduce<[string, string]>(
      ([old, now], entry) => {
        const { type, patch } = entry as { type: string; patch?: { text: string } };
        const [more, later] = type === "diff" ? sidesOf(patch?.text ?? "") : ["", ""];
        return [old + more, now + later];
      },
      ["", ""],
    );
  }
  return shown;
}

/** What clears a terminal. */
const clear = "\u001bc";

const stepsOf = (entries: unknown): Shown["steps"] =>
  (entries as { content: string; status: string }[]).map(({ content, status }) => ({ content, status }));

/** What a client of version 1 has, whether it shows the agent's terminals or not. */
export function shownOfV1(updates: readonly SessionUpdate[]): Shown {
  const shown = nothing();
  const terminals = new Map<string, string>();
  const contents = new Map<string, unknown[]>();
  for (const update of updates) {
    switch (update.sessionUpdate) {
      case "user_message_chunk":
      case "agent_message_chunk":
      case "agent_thought_chunk": {
        const id = update.messageId ?? "";
        shown.messages.set(id, (shown.messages.get(id) ?? "") + textOf(update.content));
        break;
      }
      case "tool_call":
      case "tool_call_update": {
        const known = shown.calls.has(update.toolCallId);
        if (known === (update.sessionUpdate === "tool_call"))
          throw new Error(`${update.toolCallId}: ${update.sessionUpdate}`);
        merge(callOf(shown, update.toolCallId), update);
        if (update.content != null) contents.set(update.toolCallId, [...update.content]);
        const printed = update._meta?.["terminal_output"] as { terminal_id: string; data: string } | undefined;
        if (printed) {
          const all = (terminals.get(printed.terminal_id) ?? "") + printed.data;
          const cleared = all.lastIndexOf(clear);
          terminals.set(printed.terminal_id, cleared < 0 ? all : all.slice(cleared + clear.length));
        }
        break;
      }
      case "plan":
        shown.steps = stepsOf(update.entries);
        break;
      case "plan_update":
        if ("entries" in update.plan) shown.steps = stepsOf(update.plan.entries);
        else if ("content" in update.plan) shown.messages.set(update.plan.planId, update.plan.content);
        break;
      case "compaction_update": {
        const call = callOf(shown, update.compactionId);
        Object.assign(call, { title: "Compact the conversation", kind: "other" });
        merge(call, update);
        break;
      }
      case "session_info_update":
        if (update.title != null) shown.title = update.title;
        break;
      case "usage_update":
        shown.used = update.used;
        break;
      default:
    }
  }
  for (const [id, content] of contents) {
    const call = callOf(shown, id);
    call.content = content.flatMap((entry) => {
      const { type, ...rest } = entry as { type: string; content?: unknown; terminalId?: string };
      if (type === "terminal")
        return [trimmed(terminals.get(rest.terminalId ?? "") ?? "")].filter((text) => text !== "");
      if (type !== "content") return [];
      const text = textOf(rest.content);
      // What no diff can say is named in words.
      if (call.kind === "edit" && /^(Moved|Changed) /.test(text)) return [];
      return [trimmed(/^(`{3,})\n([\s\S]*)\1$/.exec(text)?.[2] ?? text)];
    });
    call.diffs = content.reduce<[string, string]>(
      ([old, now], entry) => {
        const { type, oldText, newText } = entry as { type: string; oldText?: string | null; newText?: string };
        return type === "diff" ? [old + (oldText ?? ""), now + (newText ?? "")] : [old, now];
      },
      ["", ""],
    );
  }
  return shown;
}

import type { ToolCallContent, ToolCallUpdate } from "../generated/acp/types.js";
import type * as v1 from "../generated/acp-v1/types.js";
import { diffsOf } from "./diff.js";
import type { Features } from "./features.js";
import { isType, metaOf } from "./known.js";
import { blocksOf } from "./messages.js";
import { type Change, createTerminals } from "./terminals.js";

type CallUpdate = Extract<v1.SessionUpdate, { sessionUpdate: "tool_call" | "tool_call_update" }>;
type TerminalUpdate = Parameters<ReturnType<typeof createTerminals>["update"]>[0];

/** What a host knows of a call. What is told of one that has ended is not kept. */
interface Call {
  readonly title: string;
  readonly kind?: v1.ToolKind;
  readonly status?: v1.ToolCallStatus;
  readonly content: readonly ToolCallContent[];
  readonly locations?: v1.ToolCallLocation[];
  readonly rawInput?: unknown;
  /** A question's words stand in its content. */
  readonly asking?: boolean;
}

/** The tool calls and terminals of one session. */
export interface Calls {
  update(update: ToolCallUpdate): CallUpdate[];
  contentChunk(toolCallId: string, content: ToolCallContent): CallUpdate[];
  terminal(update: TerminalUpdate): CallUpdate[];
  terminalChunk(terminalId: string, data: string): CallUpdate[];
  /**
   * The call a question is about, with all that is known of it, and the question's own words before its content; `first`
   * announces one that the host does not know.
   */
  ask(update: ToolCallUpdate, words: string): { readonly first: CallUpdate[]; readonly toolCall: v1.ToolCallUpdate };
  /** The question is over: its words go. */
  answered(toolCallId: string): CallUpdate[];
}

const isContent = isType("content");
const isDiff = isType("diff");
const isTerminal = isType("terminal");

const statuses: Readonly<Record<string, v1.ToolCallStatus>> = {
  pending: "pending",
  in_progress: "in_progress",
  paused: "in_progress",
  completed: "completed",
  failed: "failed",
  // Version 1 knows no other way for a call to end without having done its work.
  cancelled: "failed",
};

const hasEnded = ({ status }: Call): boolean => status === "completed" || status === "failed";

export function createCalls(features: Features): Calls {
  const calls = new Map<string, Call>();
  const terminals = createTerminals();

  const contentOf = (content: readonly ToolCallContent[]): v1.ToolCallContent[] =>
    content.flatMap((entry): v1.ToolCallContent[] => {
      if (isContent(entry)) return blocksOf([entry.content]).map((block) => ({ type: "content", content: block }));
      if (isDiff(entry)) return diffsOf(entry);
      if (!isTerminal(entry)) return [];
      if (features.terminals) return [{ type: "terminal", terminalId: entry.terminalId }];
      const text = terminals.text(entry.terminalId);
      return text === "" ? [] : [{ type: "content", content: { type: "text", text: fenced(text) } }];
    });

  /** The members of an update that say something, in the words of version 1. */
  const membersOf = ({ kind, name, status, locations, rawInput, rawOutput, content }: ToolCallUpdate) => ({
    ...(name == null ? {} : { name }),
    // Kinds are the same ten in both versions, and the bridge has no others.
    ...(kind == null ? {} : { kind: kind as v1.ToolKind }),
    ...(status == null || statuses[status] === undefined ? {} : { status: statuses[status] }),
    ...(content == null ? {} : { content: contentOf(content) }),
    ...(locations == null ? {} : { locations }),
    ...(rawInput === undefined ? {} : { rawInput }),
    ...(rawOutput === undefined ? {} : { rawOutput }),
  });

  function remember(update: ToolCallUpdate): Call {
    const known = calls.get(update.toolCallId);
    const { content, rawOutput, ...members } = membersOf({ ...update, content: null });
    const call: Call = {
      ...known,
      ...members,
      title: update.title ?? known?.title ?? update.name ?? "Tool call",
      content: update.content ?? known?.content ?? [],
    };
    calls.set(update.toolCallId, call);
    return call;
  }

  /** The terminals that the update shows for the first time, and what they hold already. */
  function show({ toolCallId, content }: ToolCallUpdate) {
    const shown = (content ?? []).filter(isTerminal).map(({ terminalId }) => terminals.shownBy(toolCallId, terminalId));
    if (!features.terminals) return { info: {}, held: [] };
    const [first] = shown;
    const info = first && {
      terminal_info: {
        terminal_id: first.change.terminalId,
        ...(first.cwd === null ? {} : { cwd: first.cwd }),
      },
    };
    return { info: { ...info }, held: shown.flatMap(({ change }) => inMeta(change)) };
  }

  /** The way of a terminal to a host that shows it: what it prints, and how it ended. */
  function inMeta({ call, terminalId, added, replaced, exit }: Change): CallUpdate[] {
    // A terminal cannot be told to forget what it printed, but to clear itself.
    const data = replaced ? `${reset}${added}` : added;
    const frames = data === "" ? [] : [printed(call, terminalId, data)];
    if (exit === null) return frames;
    const terminal_exit = { terminal_id: terminalId, exit_code: exit.exitCode, signal: exit.signal };
    return [...frames, { sessionUpdate: "tool_call_update", toolCallId: call, _meta: { terminal_exit } }];
  }

  const contentUpdate = (toolCallId: string): CallUpdate[] => {
    const call = calls.get(toolCallId);
    if (!call || (hasEnded(call) && call.content.length === 0)) return [];
    return [{ sessionUpdate: "tool_call_update", toolCallId, content: contentOf(call.content) }];
  };

  function changed(change: Change | null): CallUpdate[] {
    if (change === null) return [];
    const { terminalId } = change;
    const frames = features.terminals ? inMeta(change) : terminals.isDue(terminalId) ? contentUpdate(change.call) : [];
    const call = calls.get(change.call);
    if (call && hasEnded(call)) end(change.call, call);
    return frames;
  }

  function update(given: ToolCallUpdate): CallUpdate[] {
    const { toolCallId } = given;
    const known = calls.get(toolCallId);
    const call = remember(given);
    const { info, held } = show(given);
    const meta = { ...given._meta, ...info };
    const replaced = known?.asking && given.content == null ? { content: contentOf(call.content) } : {};
    const members = { ...membersOf(given), ...replaced, ...(Object.keys(meta).length === 0 ? {} : { _meta: meta }) };
    if (hasEnded(call)) end(toolCallId, call);
    const renamed = given.title == null ? {} : { title: given.title };
    const frame: CallUpdate = known
      ? { sessionUpdate: "tool_call_update", toolCallId, ...renamed, ...members }
      : { sessionUpdate: "tool_call", toolCallId, title: call.title, ...members };
    return [frame, ...held];
  }

  /** What may still come of an ended call is the rest of a terminal that outlived its turn. */
  function end(toolCallId: string, { title, status, content }: Call): void {
    const running = content.filter(isTerminal).filter(({ terminalId }) => !terminals.forget(terminalId));
    calls.set(toolCallId, { title, content: running, ...(status === undefined ? {} : { status }) });
  }

  return {
    update,

    contentChunk(toolCallId, content) {
      const call = calls.get(toolCallId);
      if (!call) return [];
      calls.set(toolCallId, { ...call, content: [...call.content, content] });
      return contentUpdate(toolCallId);
    },

    terminal: (given) => changed(terminals.update(given)),
    terminalChunk(terminalId, data) {
      const change = terminals.chunk(terminalId, data);
      if (change === null) return [];
      return features.terminals ? [printed(change.call, terminalId, change.added)] : changed(change);
    },

    ask(given, words) {
      const { toolCallId } = given;
      const first = calls.has(toolCallId) ? [] : update(given);
      const { content, asking, ...members } = remember(given);
      const said = words === "" ? [] : [inWords(words)];
      if (words !== "") calls.set(toolCallId, { ...members, content, asking: true });
      const shown = [...said, ...contentOf(content)];
      const toolCall = { toolCallId, ...members, ...(shown.length === 0 ? {} : { content: shown }), ...metaOf(given) };
      return { first, toolCall };
    },

    answered(toolCallId) {
      const call = calls.get(toolCallId);
      if (!call?.asking) return [];
      calls.set(toolCallId, { ...call, asking: false });
      return contentUpdate(toolCallId);
    },
  };
}

/** A piece of what a terminal printed. */
const printed = (call: string, terminalId: string, data: string): CallUpdate => ({
  sessionUpdate: "tool_call_update",
  toolCallId: call,
  _meta: { terminal_output: { terminal_id: terminalId, data } },
});

/** Clears a terminal and everything it remembers. */
const reset = "\u001bc";

/** Text between fences that are longer than any in it. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text}${text.endsWith("\n") ? "" : "\n"}${fence}`;
}

const inWords = (text: string): v1.ToolCallContent => ({ type: "content", content: { type: "text", text } });

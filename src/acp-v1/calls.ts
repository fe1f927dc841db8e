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

  function remember(update: ToolCallUpdate, members = membersOf(update)): Call {
    const known = calls.get(update.toolCallId);
    const title = update.title ?? known?.title ?? update.name ?? "Tool call";
    const call: Call = Object.assign({}, known, members, { title, content: update.content ?? known?.content ?? [] });
    calls.set(update.toolCallId, call);
    return call;
  }

  /** The terminals that the update shows for the first time, and what they hold already. */
  function show({ toolCallId, content }: ToolCallUpdate): Shown {
    const shown = (content ?? []).filter(isTerminal).map(({ terminalId }) => terminals.shownBy(toolCallId, terminalId));
    const [first] = shown;
    if (!features.terminals || !first) return { info: null, held: [] };
    const terminal_info: TerminalInfo = { terminal_id: first.change.terminalId };
    if (first.cwd !== null) terminal_info.cwd = first.cwd;
    return { info: { terminal_info }, held: shown.flatMap(({ change }) => inMeta(change)) };
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
    const members = membersOf(given);
    const call = remember(given, members);
    const { info, held } = show(given);
    const frame: CallUpdate = known
      ? { sessionUpdate: "tool_call_update", toolCallId }
      : { sessionUpdate: "tool_call", toolCallId, title: call.title };
    if (known && given.title != null) frame.title = given.title;
    Object.assign(frame, members);
    if (given.content != null) frame.content = contentOf(given.content);
    else if (known?.asking) frame.content = contentOf(call.content);
    if (info !== null) frame._meta = Object.assign({}, given._meta, info);
    else if (given._meta != null && Object.keys(given._meta).length > 0) frame._meta = given._meta;
    if (given.rawOutput !== undefined) frame.rawOutput = given.rawOutput;
    if (hasEnded(call)) end(toolCallId, call);
    return held.length === 0 ? [frame] : [frame, ...held];
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

interface TerminalInfo {
  readonly terminal_id: string;
  cwd?: string;
}

/** What a host that shows terminals is told of those that a call shows for the first time. */
interface Shown {
  readonly info: { readonly terminal_info: TerminalInfo } | null;
  readonly held: readonly CallUpdate[];
}

/** The members that are remembered of a call, where the update says something of them, in the words of version 1. */
type Members = Pick<v1.ToolCallUpdate, "kind" | "status" | "locations" | "rawInput"> & { name?: string };

function membersOf({ kind, name, status, locations, rawInput }: ToolCallUpdate): Members {
  const members: Members = {};
  if (name != null) members.name = name;
  // Kinds are the same ten in both versions, and the bridge has no others.
  if (kind != null) members.kind = kind as v1.ToolKind;
  const told = status == null ? undefined : statuses[status];
  if (told !== undefined) members.status = told;
  if (locations != null) members.locations = locations;
  if (rawInput !== undefined) members.rawInput = rawInput;
  return members;
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

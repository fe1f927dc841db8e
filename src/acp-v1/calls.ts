import type { ToolCallContent, ToolCallUpdate } from "../generated/acp/types.js";
import type * as v1 from "../generated/acp-v1/types.js";
import type { Mutable } from "../projection/update.js";
import { diffsOf } from "./diff.js";
import type { Features } from "./features.js";
import { isType, metaOf } from "./known.js";
import { blocksOf } from "./messages.js";
import { type Change, createTerminals } from "./terminals.js";

type CallUpdate = Extract<v1.SessionUpdate, { sessionUpdate: "tool_call" | "tool_call_update" }>;
type Shown = ReturnType<ReturnType<typeof createTerminals>["shownBy"]>;
type TerminalUpdate = Parameters<ReturnType<typeof createTerminals>["update"]>[0];

/** What a host knows of a call. What is told of one that has ended is not kept. */
interface Call {
  title: string;
  name: string | undefined;
  kind: v1.ToolKind | undefined;
  status: v1.ToolCallStatus | undefined;
  content: readonly ToolCallContent[];
  locations: v1.ToolCallLocation[] | undefined;
  rawInput: unknown;
  /** A question's words stand in its content. */
  asking: boolean;
}

/** The members that calls, their updates and questions about them share. */
type Members = Mutable<Omit<v1.ToolCallUpdate, "toolCallId" | "title">>;
type SaidName = "name" | "kind" | "status" | "content" | "locations" | "rawInput" | "rawOutput";
type Said = { readonly [Name in SaidName]?: ToolCallUpdate[Name] | undefined };

/** The tool calls and terminals of one session. */
export interface Calls {
  update(update: ToolCallUpdate): readonly CallUpdate[];
  contentChunk(toolCallId: string, content: ToolCallContent): readonly CallUpdate[];
  terminal(update: TerminalUpdate): readonly CallUpdate[];
  terminalChunk(terminalId: string, data: string): readonly CallUpdate[];
  /**
   * The call a question is about, with all that is known of it, and the question's own words before its content; `first`
   * announces one that the host does not know.
   */
  ask(
    update: ToolCallUpdate,
    words: string,
  ): { readonly first: readonly CallUpdate[]; readonly toolCall: v1.ToolCallUpdate };
  /** The question is over: its words go. */
  answered(toolCallId: string): readonly CallUpdate[];
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
  const terminals = createTerminals({ texts: !features.terminals });

  const contentOf = (content: readonly ToolCallContent[]): v1.ToolCallContent[] =>
    content.flatMap((entry): v1.ToolCallContent[] => {
      if (isContent(entry)) return blocksOf([entry.content]).map((block) => ({ type: "content", content: block }));
      if (isDiff(entry)) return diffsOf(entry);
      if (!isTerminal(entry)) return [];
      if (features.terminals) return [{ type: "terminal", terminalId: entry.terminalId }];
      const text = terminals.text(entry.terminalId);
      return text === "" ? [] : [{ type: "content", content: { type: "text", text: fenced(text) } }];
    });

  /** The call with what `update` says of it. */
  function remember(update: ToolCallUpdate): Call {
    const { toolCallId, title, name, kind, status, content, locations, rawInput } = update;
    let call = calls.get(toolCallId);
    if (!call) {
      call = newCall(title ?? name ?? "Tool call");
      calls.set(toolCallId, call);
    } else if (title != null) call.title = title;
    if (name != null) call.name = name;
    // Kinds are the same ten in both versions, and the bridge has no others.
    if (kind != null) call.kind = kind as v1.ToolKind;
    if (status != null) call.status = statuses[status] ?? call.status;
    if (content != null) call.content = content;
    if (locations != null) call.locations = locations;
    if (rawInput !== undefined) call.rawInput = rawInput;
    return call;
  }

  /** Puts what an update says into its frame, in the words of version 1. */
  function say(frame: Members, said: Said): void {
    const { name, kind, status, content, locations, rawInput, rawOutput } = said;
    const told = status == null ? undefined : statuses[status];
    if (name != null) frame.name = name;
    if (kind != null) frame.kind = kind as v1.ToolKind;
    if (told !== undefined) frame.status = told;
    if (content != null) frame.content = contentOf(content);
    if (locations != null) frame.locations = locations;
    if (rawInput !== undefined) frame.rawInput = rawInput;
    if (rawOutput !== undefined) frame.rawOutput = rawOutput;
  }

  /** The terminals that a call shows from now on. */
  function show(toolCallId: string, content: readonly ToolCallContent[]): readonly Shown[] {
    const shown: Shown[] = [];
    for (const entry of content) {
      if (isTerminal(entry)) shown.push(terminals.shownBy(toolCallId, entry.terminalId));
    }
    return features.terminals ? shown : none;
  }

  /** The way of a terminal to a host that shows it: what it prints, and how it ended. */
  function inMeta({ call, terminalId, added, replaced, exit }: Change): readonly CallUpdate[] {
    // A terminal cannot be told to forget what it printed, but to clear itself.
    const data = replaced ? `${reset}${added}` : added;
    if (exit === null) return data === "" ? none : [printed(call, terminalId, data)];
    const terminal_exit = { terminal_id: terminalId, exit_code: exit.exitCode, signal: exit.signal };
    const _meta =
      data === "" ? { terminal_exit } : { terminal_output: { terminal_id: terminalId, data }, terminal_exit };
    return [{ sessionUpdate: "tool_call_update", toolCallId: call, _meta }];
  }

  const contentUpdate = (toolCallId: string): readonly CallUpdate[] => {
    const call = calls.get(toolCallId);
    if (!call || (hasEnded(call) && call.content.length === 0)) return [];
    return [{ sessionUpdate: "tool_call_update", toolCallId, content: contentOf(call.content) }];
  };

  function changed(change: Change | null): readonly CallUpdate[] {
    if (change === null) return [];
    const { terminalId } = change;
    const frames = features.terminals ? inMeta(change) : terminals.isDue(terminalId) ? contentUpdate(change.call) : [];
    const call = calls.get(change.call);
    if (call && hasEnded(call)) end(change.call, call);
    return frames;
  }

  function update(given: ToolCallUpdate): readonly CallUpdate[] {
    const { toolCallId, title, content, _meta } = given;
    const known = calls.get(toolCallId);
    const asking = known?.asking ?? false;
    const call = remember(given);
    const frame: Mutable<CallUpdate> = known
      ? { sessionUpdate: "tool_call_update", toolCallId }
      : { sessionUpdate: "tool_call", toolCallId, title: call.title };
    if (known && title != null) frame.title = title;
    const shown = content == null ? none : show(toolCallId, content);
    say(frame, given);
    if (asking && content == null) frame.content = contentOf(call.content);
    const [first] = shown;
    if (first) frame._meta = { ..._meta, terminal_info: infoOf(first) };
    else if (_meta != null && !isEmpty(_meta)) frame._meta = _meta;
    if (hasEnded(call)) end(toolCallId, call);
    return first ? [frame, ...shown.flatMap(({ change }) => inMeta(change))] : [frame];
  }

  /** What may still come of an ended call is the rest of a terminal that outlived its turn. */
  function end(toolCallId: string, { title, status, content }: Call): void {
    const ended = newCall(title);
    ended.status = status;
    if (content.length > 0) {
      ended.content = content.filter(isTerminal).filter(({ terminalId }) => !terminals.forget(terminalId));
    }
    calls.set(toolCallId, ended);
  }

  return {
    update,

    contentChunk(toolCallId, content) {
      const call = calls.get(toolCallId);
      if (!call) return [];
      call.content = [...call.content, content];
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
      const first = calls.has(toolCallId) ? none : update(given);
      const call = remember(given);
      if (words !== "") call.asking = true;
      const toolCall: Mutable<v1.ToolCallUpdate> = { toolCallId, title: call.title };
      // The status is in the words of version 1 already, and the content comes after the question's own.
      say(toolCall, { ...call, status: undefined, content: undefined });
      if (call.status !== undefined) toolCall.status = call.status;
      const content = [...(words === "" ? none : [inWords(words)]), ...contentOf(call.content)];
      if (content.length > 0) toolCall.content = content;
      return { first, toolCall: { ...toolCall, ...metaOf(given) } };
    },

    answered(toolCallId) {
      const call = calls.get(toolCallId);
      if (!call?.asking) return none;
      call.asking = false;
      return contentUpdate(toolCallId);
    },
  };
}

const none: never[] = [];

const newCall = (title: string): Call => ({
  title,
  name: undefined,
  kind: undefined,
  status: undefined,
  content: none,
  locations: undefined,
  rawInput: undefined,
  asking: false,
});

const infoOf = ({ cwd, change: { terminalId } }: Shown) =>
  cwd === null ? { terminal_id: terminalId } : { terminal_id: terminalId, cwd };

function isEmpty(value: object): boolean {
  for (const _member in value) return false;
  return true;
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

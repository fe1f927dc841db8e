import { agentNotifications } from "../generated/contract/methods.js";
import { frameText } from "../runtime/index.js";

/** A notification that comes again and again with another string in one place. */
interface ChunkFrame {
  readonly params: {
    readonly sessionId: string;
    readonly update: Chunk;
  };
}

type Chunk =
  | {
      readonly sessionUpdate: "agent_message_chunk";
      readonly messageId: string;
      readonly content: { readonly type: string; readonly text: string };
      readonly _meta: object;
    }
  | { readonly sessionUpdate: "terminal_output_chunk"; readonly terminalId: string; readonly data: string }
  | Printed;

/** What a terminal printed, in the way that some hosts of version 1 know. */
interface Printed {
  readonly sessionUpdate: "tool_call_update";
  readonly toolCallId: string;
  readonly _meta: { readonly terminal_output: { readonly terminal_id: string; readonly data: string } };
}

/** The text of such a frame on both sides of the string that changes. */
interface Around {
  readonly sessionId: string;
  readonly id: string;
  readonly head: string;
  readonly tail: string;
}

/** Stands where the string goes; a frame that has it elsewhere too is written in the plain way. */
const mark = "\u0000piece\u0000";
/** Terminals remembered at a time; more are seldom busy at once. */
const terminalsKept = 64;

/**
 * A frame as a line with its end, letter for letter what `frameText` gives. For the chunks of one message, and of one
 * terminal, all around the piece is made once, as it is far longer than the piece. That holds because chunks of one
 * message share their `_meta` object, which nothing may change, and chunks of a terminal have nothing but id and data.
 */
export function createFrameLine(): (frame: object) => string {
  const messages = new WeakMap<object, Around | null>();
  const terminals = new Map<string, Around | null>();
  /** The same terminals in the words of version 1. */
  const printed = new Map<string, Around | null>();

  const updates = createUpdateLine();

  return (frame) => {
    if (!isChunk(frame)) return updates(frame) ?? `${frameText(frame)}\n`;
    const { sessionId, update } = frame.params;
    const message = update.sessionUpdate === "agent_message_chunk";
    const id = message ? update.messageId : terminalOf(update);
    const byTerminal = update.sessionUpdate === "terminal_output_chunk" ? terminals : printed;
    const around = message ? messages.get(update._meta) : byTerminal.get(id);
    if (around && around.id === id && around.sessionId === sessionId) {
      return around.head + JSON.stringify(pieceOf(update)) + around.tail;
    }
    // The first of its kind may stay the only one: not worth the work yet.
    const made = around === undefined ? null : textAround(frame, id);
    if (message) messages.set(update._meta, made);
    else {
      if (byTerminal.size >= terminalsKept) byTerminal.clear();
      byTerminal.set(id, made);
    }
    return `${JSON.stringify(frame)}\n`;
  };
}

/** Sessions remembered at a time. */
const sessionsKept = 64;
const frameMembers = ["jsonrpc", "method", "params"];
const paramsMembers = ["sessionId", "update"];

/**
 * The line of an update's frame, whose beginning is always the same in one session: a fifth of what a history is made
 * of. Null for any other frame, and for one that has a member more or in another place.
 */
function createUpdateLine(): (frame: object) => string | null {
  const heads = new Map<string, string>();
  return (frame: Partial<UpdateFrame>) => {
    const { jsonrpc, method, params } = frame;
    if (method !== agentNotifications.sessionUpdate.method || jsonrpc !== "2.0" || params === undefined) return null;
    const { sessionId, update } = params;
    if (typeof sessionId !== "string" || update === undefined) return null;
    if (!consistsOf(frame, frameMembers) || !consistsOf(params, paramsMembers)) return null;
    let head = heads.get(sessionId);
    if (head === undefined) {
      if (heads.size >= sessionsKept) heads.clear();
      head = JSON.stringify({ jsonrpc, method, params: { sessionId, update: 0 } }).slice(0, -"0}}".length);
      heads.set(sessionId, head);
    }
    return `${head}${JSON.stringify(update)}}}\n`;
  };
}

interface UpdateFrame {
  readonly jsonrpc: string;
  readonly method: string;
  readonly params: { readonly sessionId: string; readonly update: object };
}

/** Whether these are its members, in this order. */
function consistsOf(value: object, members: readonly string[]): boolean {
  let count = 0;
  for (const member in value) if (member !== members[count++]) return false;
  return count === members.length;
}

function textAround(frame: ChunkFrame, id: string): Around | null {
  const { params } = frame;
  const { update } = params;
  const text = `${JSON.stringify({ ...frame, params: { ...params, update: marked(update) } })}\n`;
  const [head, tail, ...more] = text.split(JSON.stringify(mark));
  if (head === undefined || tail === undefined || more.length > 0) return null;
  return { sessionId: params.sessionId, id, head, tail };
}

/** A terminal has one call that shows it, so its id is enough; the other way round a call may show several. */
const terminalOf = (update: Exclude<Chunk, { sessionUpdate: "agent_message_chunk" }>): string =>
  update.sessionUpdate === "terminal_output_chunk" ? update.terminalId : update._meta.terminal_output.terminal_id;

function pieceOf(update: Chunk): string {
  if (update.sessionUpdate === "agent_message_chunk") return update.content.text;
  return update.sessionUpdate === "terminal_output_chunk" ? update.data : update._meta.terminal_output.data;
}

function marked(update: Chunk): object {
  if (update.sessionUpdate === "agent_message_chunk") return { ...update, content: { ...update.content, text: mark } };
  if (update.sessionUpdate === "terminal_output_chunk") return { ...update, data: mark };
  return { ...update, _meta: { terminal_output: { ...update._meta.terminal_output, data: mark } } };
}

const chunkMembers = ["sessionUpdate", "messageId", "content", "_meta"];
const textMembers = ["type", "text"];
const outputMembers = ["sessionUpdate", "terminalId", "data"];

/** What has a member more, or in another place, is written in the plain way. */
function isChunk(frame: { readonly params?: Partial<ChunkFrame["params"]> }): frame is ChunkFrame {
  const update = frame.params?.update;
  if (update?.sessionUpdate === "agent_message_chunk") {
    const { _meta, content } = update;
    return (
      _meta != null && content.type === "text" && consistsOf(content, textMembers) && consistsOf(update, chunkMembers)
    );
  }
  if (update?.sessionUpdate === "terminal_output_chunk") return consistsOf(update, outputMembers);
  return update?.sessionUpdate === "tool_call_update" && isPrinted(update);
}

const printedMembers = ["sessionUpdate", "toolCallId", "_meta"];
const printedMeta = ["terminal_output"];

/** A call that prints and says nothing else. */
function isPrinted(update: Partial<Printed>): boolean {
  const printed = update._meta?.terminal_output;
  return printed !== undefined && consistsOf(update, printedMembers) && consistsOf(update._meta ?? {}, printedMeta);
}

import { capText } from "../projection/output.js";
import { addText, type GrownText, isTextAt, noText, setText, textOf } from "./grown-text.js";

/** What is known of one terminal of the agent. */
interface Terminal {
  /** Holds the first bytes of a character whose others are to come; null while there are none. */
  decoder: InstanceType<typeof TextDecoder> | null;
  cwd: string | null;
  /** Beginning and end of what it printed: all of it while it is not too long to show. */
  readonly head: GrownText;
  readonly tail: GrownText;
  /** Code units that it printed. */
  total: number;
  exit: Exit | null;
  /** The call that shows it, once there is one. */
  call: string | null;
  /** How much of the total the host has been shown; -1 when it has something else. */
  shown: number;
}

export interface Exit {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/** What changed in a terminal that a call shows: how its output grew, or all of it when it is another now. */
export interface Change {
  readonly call: string;
  readonly terminalId: string;
  readonly added: string;
  readonly replaced: boolean;
  readonly exit: Exit | null;
}

interface TerminalUpdate {
  readonly terminalId: string;
  readonly cwd?: string | null;
  readonly output?: { readonly data: string } | null;
  readonly exitStatus?: { readonly exitCode?: number | null; readonly signal?: string | null } | null;
}

/** The agent's terminals of one session, for a protocol that has none. */
export interface Terminals {
  update(update: TerminalUpdate): Change | null;
  chunk(terminalId: string, data: string): Change | null;
  /** A call shows the terminal from now on; gives what the terminal holds already. */
  shownBy(call: string, terminalId: string): { readonly cwd: string | null; readonly change: Change };
  /** The output, for a host that sees it as text; it has it then. The middle of a very long one is left out. */
  text(terminalId: string): string;
  /** There is more to show: enough that all of the showing together stays linear in its length, or the last of it. */
  isDue(terminalId: string): boolean;
  /** Its call has ended: true when it has too, and nothing more is to be shown of it. */
  forget(terminalId: string): boolean;
}

/** Code units that are kept of each end of an output. */
const half = 512 * 1024;

/** Code units by which an output grows at least before it is shown anew. */
const leastStep = 64;

/**
 * Code units of an output that are kept of one that the host shows itself, to see whether Codex's record of the whole
 * goes on from it. A record of a longer one takes its place: bytes that are kept make the collector look at everything.
 */
const compared = 64 * 1024;

/** `texts`: the host shows no terminals, and is given their output as text. */
export function createTerminals({ texts }: { readonly texts: boolean }): Terminals {
  const all = new Map<string, Terminal>();

  function find(terminalId: string): Terminal {
    const found = all.get(terminalId);
    if (found) return found;
    const made: Terminal = {
      decoder: null,
      cwd: null,
      head: noText(),
      tail: noText(),
      total: 0,
      exit: null,
      call: null,
      shown: 0,
    };
    all.set(terminalId, made);
    return made;
  }

  const changeOf = (terminalId: string, { call, exit }: Terminal, added: string, replaced: boolean): Change | null =>
    call === null ? null : { call, terminalId, added, replaced, exit };

  return {
    update({ terminalId, cwd, output, exitStatus }) {
      const terminal = find(terminalId);
      if (cwd != null) terminal.cwd = cwd;
      if (exitStatus != null) {
        terminal.exit = { exitCode: exitStatus.exitCode ?? null, signal: exitStatus.signal ?? null };
      }
      if (output == null) return changeOf(terminalId, terminal, "", false);
      const text = Buffer.from(output.data, "base64").toString("utf8");
      const replaced = !isBeginningOf(terminal, text);
      const added = replaced ? text : text.slice(terminal.total);
      if (replaced) clear(terminal);
      append(terminal, added);
      return changeOf(terminalId, terminal, added, replaced);
    },
    chunk(terminalId, data) {
      const terminal = find(terminalId);
      const added = decode(terminal, data);
      if (texts || terminal.call === null || terminal.total + added.length <= compared) append(terminal, added);
      else skip(terminal, added.length);
      return added === "" ? null : changeOf(terminalId, terminal, added, false);
    },
    shownBy(call, terminalId) {
      const terminal = find(terminalId);
      terminal.call = call;
      const { exit, cwd } = terminal;
      return { cwd, change: { call, terminalId, added: shownText(terminal), replaced: false, exit } };
    },
    text(terminalId) {
      const terminal = find(terminalId);
      terminal.shown = terminal.total;
      return shownText(terminal);
    },
    isDue(terminalId) {
      const { total, shown, exit } = find(terminalId);
      if (exit !== null || shown < 0) return shown !== total;
      return total >= shown + Math.max(leastStep, shown / 4);
    },
    forget(terminalId) {
      const ended = all.get(terminalId)?.exit !== null;
      if (ended) all.delete(terminalId);
      return ended;
    },
  };
}

/** All that it printed is kept, and `text` begins with it. */
const isBeginningOf = ({ head, tail, total }: Terminal, text: string): boolean =>
  head.length + tail.length === total && isTextAt(head, text) && isTextAt(tail, text, head.length);

function clear(terminal: Terminal): void {
  skip(terminal, -terminal.total);
  terminal.shown = -1;
}

/** Nothing is kept any more of an output that goes on. */
function skip(terminal: Terminal, length: number): void {
  terminal.total += length;
  if (terminal.head.length === 0) return;
  setText(terminal.head, "");
  setText(terminal.tail, "");
}

function append(terminal: Terminal, text: string): void {
  const { head, tail } = terminal;
  terminal.total += text.length;
  // Once the end has begun, the beginning takes nothing more.
  const open = tail.length === 0;
  if (open && head.length + text.length <= half) {
    addText(head, text);
    return;
  }
  const first = open ? capText(text, half - head.length) : "";
  if (first !== "") addText(head, first);
  addText(tail, first === "" ? text : text.slice(first.length));
  if (tail.length > 2 * half) setText(tail, endOf(textOf(tail)));
}

/** The last code units, and never the second half of a pair alone. */
function endOf(text: string): string {
  const end = text.slice(-half);
  const first = end.charCodeAt(0);
  return first >= 0xdc00 && first <= 0xdfff ? end.slice(1) : end;
}

function shownText({ head, tail, total }: Terminal): string {
  if (head.length + tail.length === total && tail.length <= half) {
    return tail.length === 0 ? textOf(head) : textOf(head) + textOf(tail);
  }
  const end = endOf(textOf(tail));
  return `${textOf(head)}\n... ${total - head.length - end.length} characters omitted ...\n${end}`;
}

const scratch = Buffer.allocUnsafe(16 * 1024);

/** The text of some bytes. A piece that ends with a whole character, as nearly all do, needs no decoder. */
function decode(terminal: Terminal, data: string): string {
  const bytes = data.length <= scratch.length ? scratch : Buffer.from(data, "base64");
  const length = bytes === scratch ? scratch.write(data, "base64") : bytes.length;
  if (terminal.decoder === null && (bytes[length - 1] ?? 0) < 0x80) return bytes.toString("utf8", 0, length);
  terminal.decoder ??= new TextDecoder();
  return terminal.decoder.decode(bytes.subarray(0, length), { stream: true });
}

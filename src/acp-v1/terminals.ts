/** What is known of one terminal of the agent. */
interface Terminal {
  readonly decoder: InstanceType<typeof TextDecoder>;
  cwd: string | null;
  output: string;
  exit: Exit | null;
  /** The call that shows it, once there is one. */
  call: string | null;
  /** Code units of the output that the host has; -1 when it has something else. */
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
  /** All of the output, for a host that sees it as text; it has it then. */
  text(terminalId: string): string;
  /** There is more to show: enough that all of the showing together stays linear in its length, or the last of it. */
  isDue(terminalId: string): boolean;
  /** Its call has ended: true when it has too, and nothing more is to be shown of it. */
  forget(terminalId: string): boolean;
}

export function createTerminals(): Terminals {
  const all = new Map<string, Terminal>();

  function find(terminalId: string): Terminal {
    const found = all.get(terminalId);
    if (found) return found;
    const made: Terminal = { decoder: new TextDecoder(), cwd: null, output: "", exit: null, call: null, shown: 0 };
    all.set(terminalId, made);
    return made;
  }

  const changeOf = (terminalId: string, { call, exit }: Terminal, added: string, replaced: boolean): Change | null =>
    call === null ? null : { call, terminalId, added, replaced, exit };

  return {
    update({ terminalId, cwd, output, exitStatus }) {
      const terminal = find(terminalId);
      if (cwd != null) terminal.cwd = cwd;
      const before = terminal.output;
      if (output != null) terminal.output = new TextDecoder().decode(bytesOf(output.data));
      if (exitStatus != null) {
        terminal.exit = { exitCode: exitStatus.exitCode ?? null, signal: exitStatus.signal ?? null };
      }
      const replaced = !terminal.output.startsWith(before);
      if (replaced) terminal.shown = -1;
      return changeOf(
        terminalId,
        terminal,
        replaced ? terminal.output : terminal.output.slice(before.length),
        replaced,
      );
    },
    chunk(terminalId, data) {
      const terminal = find(terminalId);
      const added = terminal.decoder.decode(bytesOf(data), { stream: true });
      terminal.output += added;
      return added === "" ? null : changeOf(terminalId, terminal, added, false);
    },
    shownBy(call, terminalId) {
      const terminal = find(terminalId);
      terminal.call = call;
      const { output, exit, cwd } = terminal;
      return { cwd, change: { call, terminalId, added: output, replaced: false, exit } };
    },
    text(terminalId) {
      const terminal = find(terminalId);
      terminal.shown = terminal.output.length;
      return terminal.output;
    },
    isDue(terminalId) {
      const { output, shown, exit } = find(terminalId);
      if (exit !== null || shown < 0) return shown !== output.length;
      return output.length >= shown + Math.max(leastStep, shown / 4);
    },
    forget(terminalId) {
      const ended = all.get(terminalId)?.exit !== null;
      if (ended) all.delete(terminalId);
      return ended;
    },
  };
}

/** Code units by which an output grows at least before it is shown anew. */
const leastStep = 64;

const bytesOf = (data: string): Uint8Array => Buffer.from(data, "base64");

/** The two wires of a bridge: between host and bridge, and between bridge and Codex. */
export type Wire = "host" | "codex";
export type Party = "host" | "bridge" | "codex";

/** One frame as it went over a wire. */
export interface LoggedFrame {
  /** Position among everything logged, both wires together, from 0. */
  readonly seq: number;
  readonly wire: Wire;
  readonly from: Party;
  /** Any JSON value; a line that was no JSON is the text itself. */
  readonly frame: unknown;
  /** The test sent it off contract on purpose: it is not checked. Never set for the bridge. */
  readonly deliberate: boolean;
}

/** Something that is no frame, e.g. a process that ended, at its place among the frames. */
export interface LoggedNote {
  readonly seq: number;
  readonly note: string;
}

export type LogEntry = LoggedFrame | LoggedNote;

/** All frames of a test, both sides, in one order. */
export interface FrameLog {
  add(wire: Wire, from: Party, frame: unknown, deliberate?: boolean): void;
  note(text: string): void;
  /** Runs `listener` after each entry; the returned function takes it back. */
  subscribe(listener: (entry: LogEntry) => void): () => void;
  readonly entries: readonly LogEntry[];
  /** The frames alone, optionally those of one wire and sender. */
  frames(wire?: Wire, from?: Party): LoggedFrame[];
  /** The last `count` entries (default 30) as text, one a line, long ones cut. */
  tail(count?: number): string;
}

export const isFrame = (entry: LogEntry): entry is LoggedFrame => "frame" in entry;

const longestLine = 400;

export function describeEntry(entry: LogEntry): string {
  if (!isFrame(entry)) return `#${entry.seq} -- ${entry.note}`;
  const to = entry.from === "bridge" ? entry.wire : "bridge";
  const text = JSON.stringify(entry.frame) ?? "undefined";
  const cut = text.length > longestLine ? `${text.slice(0, longestLine)}… (${text.length} characters)` : text;
  return `#${entry.seq} ${entry.from} -> ${to} ${cut}`;
}

export function createFrameLog(): FrameLog {
  const entries: LogEntry[] = [];
  const listeners = new Set<(entry: LogEntry) => void>();
  const push = (entry: LogEntry): void => {
    entries.push(entry);
    for (const listener of [...listeners]) listener(entry);
  };
  return {
    add(wire, from, frame, deliberate = false) {
      push({ seq: entries.length, wire, from, frame, deliberate: deliberate && from !== "bridge" });
    },
    note(text) {
      push({ seq: entries.length, note: text });
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    entries,
    frames: (wire, from) =>
      entries
        .filter(isFrame)
        .filter((entry) => (wire === undefined || entry.wire === wire) && (from === undefined || entry.from === from)),
    tail: (count = 30) => entries.slice(-count).map(describeEntry).join("\n"),
  };
}

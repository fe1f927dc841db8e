/** Who says something: the user through a host's driver, a host, a bridge or an agent in its place, Codex. */
export type Party = "user" | "host" | "bridge" | "codex";

/** The wires by name, each with its two ends. */
const ends = {
  user: ["user", "host"],
  host: ["host", "bridge"],
  codex: ["bridge", "codex"],
} as const satisfies Readonly<Record<string, readonly [Party, Party]>>;

/** A bridge has two wires: to its host, and to Codex. A host has one to its user besides that to its agent. */
export type Wire = keyof typeof ends;

/** Who hears what `from` says on `wire`. */
export const receiver = (wire: Wire, from: Party): Party => {
  const [one, other] = ends[wire];
  return from === one ? other : one;
};

/** One frame as it went over a wire. */
export interface LoggedFrame {
  /** Position among everything logged, both wires together, from 0. */
  readonly seq: number;
  readonly wire: Wire;
  readonly from: Party;
  /** Any JSON value; a line that was no JSON is the text itself. */
  readonly frame: unknown;
  /** It was sent off contract on purpose: it is not checked. Never set for whoever is under test. */
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
  const to = receiver(entry.wire, entry.from);
  const text = JSON.stringify(entry.frame) ?? "undefined";
  const cut = text.length > longestLine ? `${text.slice(0, longestLine)}… (${text.length} characters)` : text;
  return `#${entry.seq} ${entry.from} -> ${to} ${cut}`;
}

/** `tested`: who is under test, and so never off contract on purpose. */
export function createFrameLog(tested: Party = "bridge"): FrameLog {
  const entries: LogEntry[] = [];
  const listeners = new Set<(entry: LogEntry) => void>();
  const push = (entry: LogEntry): void => {
    entries.push(entry);
    for (const listener of [...listeners]) listener(entry);
  };
  return {
    add(wire, from, frame, deliberate = false) {
      push({ seq: entries.length, wire, from, frame, deliberate: deliberate && from !== tested });
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

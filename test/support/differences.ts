import type { ClauseId } from "../../src/generated/contract/clauses.js";
import type { Entry, Transcript } from "./transcript.js";

/** A way in which the contract lets what a client has differ between a live turn, its replay and its history. */
export interface Difference {
  readonly clauses: readonly [ClauseId, ...ClauseId[]];
  readonly what: string;
  /** The entry without it; null when there is none to compare. */
  readonly without: (entry: Entry, key: string, known: Known) => Entry | null;
}

/** What the test knows of items, by id. */
export interface Known {
  /** Codex keeps it. */
  recorded(id: string): boolean;
  /** A patch that was announced before all its changes were known. */
  grew(id: string): boolean;
  /** The other side is the history. */
  readonly history: boolean;
  /** The address of an image that a prompt attached by path. */
  attached(uri: unknown): boolean;
}

const idOf = (key: string): string => key.slice(key.indexOf(" ") + 1);

const without = (entry: Entry, ...names: readonly string[]): Entry => ({
  ...entry,
  fields: Object.fromEntries(Object.entries(entry.fields).filter(([name]) => !names.includes(name))),
});

const metaKeys =
  (...keys: readonly string[]): Difference["without"] =>
  (entry) => ({
    ...entry,
    meta: Object.fromEntries(Object.entries(entry.meta).filter(([key]) => !keys.includes(key))),
  });

const blockMeta =
  (kind: Entry["kind"], ...keys: readonly string[]): Difference["without"] =>
  (entry) => {
    if (entry.kind !== kind || !Array.isArray(entry.fields["content"])) return entry;
    const content = entry.fields["content"].map((block: unknown) => {
      const { _meta, ...rest } = Object(block);
      const codex = Object.entries(Object(Object(_meta).codex)).filter(([key]) => !keys.includes(key));
      return codex.length === 0 ? rest : { ...rest, _meta: { codex: Object.fromEntries(codex) } };
    });
    return { ...entry, fields: { ...entry.fields, content } };
  };

/** All of them. What is not listed here is a fault. */
export const differences: readonly Difference[] = [
  {
    clauses: ["REPLAY-23", "REPLAY-01"],
    what: "only a replay says that it is one, and that its turn was interrupted",
    without: metaKeys("historyReplay", "historyInterrupted"),
  },
  {
    clauses: ["REPLAY-24", "REPLAY-29", "REPLAY-34"],
    what: "the turn's total time, and its end where a reply has none, are in a replay; the work's clocks are live",
    without: metaKeys("turnDurationMs", "turnCompletedAt", "workStartedAt", "workDurationMs"),
  },
  {
    clauses: ["REPLAY-12", "REPLAY-13"],
    what: "that a prompt was interrupted is told live, of the last prompt",
    without: metaKeys("turnInterrupted"),
  },
  {
    clauses: ["REPLAY-26", "REPLAY-27", "REPLAY-30"],
    what: "a prompt's own time is known live; a replay has the turn's start, on the opening prompt",
    without: metaKeys("messageSentAt"),
  },
  {
    clauses: ["HIST-56", "HIST-57", "HIST-59"],
    what: "the history says what each block of a prompt was",
    without: blockMeta("user", "inputType", "fileId", "textElements"),
  },
  {
    clauses: ["REPLAY-14", "REPLAY-17", "HIST-56", "HIST-58"],
    what: "an image that another client attached by path is read for a replay, and a link live and in the history",
    without: (entry, _key, { attached }) => {
      if (entry.kind !== "user" || !Array.isArray(entry.fields["content"])) return entry;
      const content = entry.fields["content"].map((block: unknown) => {
        const { type, uri } = Object(block);
        return type === "resource_link" && (uri === "codex-image:unavailable" || attached(uri)) ? "attached" : block;
      });
      return { ...entry, fields: { ...entry.fields, content } };
    },
  },
  {
    clauses: ["HIST-41"],
    what: "the history names the turn of every update, the other two that of messages",
    without: (entry, key, known) =>
      ["tool", "terminal", "plan", "compaction"].includes(entry.kind) ? metaKeys("turnId")(entry, key, known) : entry,
  },
  {
    clauses: ["TOOL-02"],
    what: "a call keeps the title and the places that it was announced with; a record has those of all its changes",
    without: (entry, key, { grew }) => (grew(idOf(key)) ? without(entry, "title", "locations") : entry),
  },
  {
    clauses: ["UPD-08", "HIST-06"],
    what: "Codex does not record what the model typed into a command",
    without: metaKeys("stdin"),
  },
  {
    clauses: ["STATE-09", "HIST-34"],
    what: "why a turn failed is a message, live and replayed; the history has it beside the updates",
    without: (entry, key, { history }) => (history && key.startsWith("agent error-") ? null : entry),
  },
  {
    clauses: ["TOOL-09", "HIST-06"],
    what: "Codex does not record the progress of a call, which its result replaces; one left open keeps it live",
    without: (entry) =>
      entry.fields["name"] === "mcp" && entry.meta["reconciled"] === true ? without(entry, "content") : entry,
  },
  {
    clauses: ["UPD-09", "HIST-06"],
    what: "Codex does not record the steps of its own plan",
    without: (entry, key) => (key === "plan codex-turn-plan" ? null : entry),
  },
  {
    clauses: ["TOOL-18", "HIST-06"],
    what: "the question whether to carry out a plan is the bridge's own",
    without: (entry) => (entry.fields["name"] === "plan_review" ? null : entry),
  },
];

/** What must be the same, by kind and id. */
export function comparable(transcript: Transcript, known: Known): Map<string, Entry> {
  const kept = new Map<string, Entry>();
  for (const [key, entry] of transcript) {
    if (!known.recorded(idOf(key))) continue;
    const left = differences.reduce<Entry | null>((now, it) => now && it.without(now, key, known), entry);
    if (left) kept.set(key, left);
  }
  return kept;
}

/**
 * Whether an item stands in its turn where it stands in Codex's record, which goes by the ends of items: one that others
 * overlap does not, nor does a review's result, which waits for the end of its turn live (REVIEW-02).
 */
export const keepsPlace = ({ type, overlaps }: { readonly type: string; readonly overlaps: boolean }): boolean =>
  !overlaps && type !== "exitedReviewMode";

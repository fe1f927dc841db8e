import { threadsIn } from "../script.js";

type Json = { readonly [key: string]: unknown };
interface ListParams {
  readonly cwd?: unknown;
  readonly cursor?: string | null;
  readonly limit?: number | null;
}

const idOf = (index: number): string => `0bec0009-0000-7000-8000-${String(index).padStart(12, "0")}`;
const indexOf = (id: string): number | null => {
  const digits = /^0bec0009-0000-7000-8000-(\d{12})$/.exec(id)?.[1];
  return digits === undefined ? null : Number(digits);
};

const link = "[@notes.md](file:///home/user/project/notes.md)";
const words = (index: number): string => `Mend the fault number ${index}. ${"It has been there for long. ".repeat(4)}`;
/** Each 20th prompt begins with a file, so that its title has to be read from its record. */
const texts = (index: number): string[] => (index % 20 === 19 ? [link, words(index)] : [words(index)]);

/** A thread of the list, as a row has it: without its lineage. */
const rowAt = (sample: Json, index: number): Json => ({
  ...sample,
  id: idOf(index),
  sessionId: idOf(index),
  preview: texts(index).join(""),
  status: { type: "notLoaded" },
  environments: null,
  canAcceptDirectInput: null,
});

/** Codex's list of threads. A folder that `folderOf` made says how many there are. */
export function createThreads(sample: Json) {
  let total = 0;
  return {
    page({ cwd, cursor, limit }: ListParams) {
      total = threadsIn(cwd) ?? total;
      const from = Number(cursor ?? 0);
      const to = Math.min(total, from + (limit ?? 25));
      const data = Array.from({ length: to - from }, (_, n) => rowAt(sample, from + n));
      return { data, readStates: {}, nextCursor: to < total ? String(to) : null, backwardsCursor: null };
    },
    /** Each tenth is a fork of the one before it. Null for an id that the list does not have. */
    read(id: string): Json | null {
      const index = indexOf(id);
      if (index === null) return null;
      const forkedFromId = index % 10 === 9 ? idOf(index - 1) : null;
      return { thread: { ...rowAt(sample, index), forkedFromId } };
    },
    /** The first page of its record; null for an id that the list does not have. */
    turns(id: string): Json | null {
      const index = indexOf(id);
      if (index === null) return null;
      const content = texts(index).map((text) => ({ type: "text", text, text_elements: [] }));
      const turn = {
        id: "0bec0008-0000-7000-8000-000000000000",
        rootTurnId: "0bec0008-0000-7000-8000-000000000000",
        items: [{ type: "userMessage", id: "0bec0007-0000-7000-8000-000000000000", clientId: null, content }],
        itemsView: "summary",
        status: "completed",
        error: null,
        startedAt: 1_796_085_664,
        completedAt: 1_796_085_665,
        durationMs: 1000,
      };
      return { data: [turn], nextCursor: null, backwardsCursor: null };
    },
  };
}

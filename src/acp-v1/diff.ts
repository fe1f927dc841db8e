import type { Diff, DiffChange } from "../generated/acp/types.js";
import type { ToolCallContent } from "../generated/acp-v1/types.js";
import type { DiffOfVersion1Meta } from "../generated/contract/meta.js";
import { sectionHeader } from "../projection/git-patch.js";
import type { Known } from "./known.js";

type Change = Known<DiffChange, "operation">;

/** One hunk as two texts, and the lines at which they begin. */
interface Hunk {
  readonly oldStart: number;
  readonly newStart: number;
  readonly oldText: string;
  readonly newText: string;
}

/**
 * A diff in the form of version 1, which has whole texts and no patches: added and deleted files whole, of a changed one
 * each hunk as a diff of its own, with the lines where it begins in `_meta`. What the patch has no text for is named in
 * words, so that no change goes unseen.
 */
export function diffsOf({ changes, patch }: Diff): ToolCallContent[] {
  // Lines around a change stand on both sides: what fits one message as a patch may not as diffs.
  const fits = (patch?.text.length ?? 0) <= longestPatch;
  let rest = fits ? (patch?.text ?? "") : "";
  return changes.filter(isKnown).flatMap((change) => {
    const header = headerOf(change);
    if (!rest.startsWith(header)) return [inWords(change)];
    const end = rest.indexOf("\ndiff --git ", header.length - 1);
    const section = rest.slice(header.length, end < 0 ? undefined : end + 1);
    rest = end < 0 ? "" : rest.slice(end + 1);
    return contentOf(change, hunksOf(section));
  });
}

/** Code units of a patch that is shown. */
const longestPatch = 4 * 1024 * 1024;

const isKnown = (change: DiffChange): change is DiffChange & Change =>
  ["add", "delete", "modify", "move", "copy"].includes(change.operation);

const fromOf = (change: Change): string => ("oldPath" in change ? change.oldPath : change.path);

const headerOf = (change: Change): string => sectionHeader(fromOf(change), change.path);

function contentOf(change: Change, hunks: readonly Hunk[]): ToolCallContent[] {
  const { path, operation } = change;
  const [only] = hunks;
  if (operation === "add") return [{ type: "diff", path, oldText: null, newText: only?.newText ?? "" }];
  if (operation === "delete") return [{ type: "diff", path, oldText: only?.oldText ?? "", newText: "" }];
  const named = operation === "modify" && hunks.length > 0 ? [] : [inWords(change)];
  return [...named, ...hunks.map((hunk) => diffOf(path, hunk))];
}

function diffOf(path: string, { oldStart, newStart, oldText, newText }: Hunk): ToolCallContent {
  const _meta = { codex: { hunk: { oldStart, newStart } } } satisfies DiffOfVersion1Meta;
  return { type: "diff", path, oldText, newText, _meta };
}

const words: Readonly<Record<Change["operation"], string>> = {
  add: "Added",
  delete: "Deleted",
  modify: "Changed",
  move: "Moved",
  copy: "Copied",
};

function inWords(change: Change): ToolCallContent {
  const from = fromOf(change);
  const files = from === change.path ? change.path : `${from} to ${change.path}`;
  return { type: "content", content: { type: "text", text: `${words[change.operation]} ${files}` } };
}

const range = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/** Lines of a hunk begin with a sign, so a line that begins with `@@` is the head of one. */
function hunksOf(section: string): Hunk[] {
  const hunks: Hunk[] = [];
  let old: string[] = [];
  let now: string[] = [];
  let head: RegExpExecArray | null = null;
  const close = (): void => {
    if (!head) return;
    hunks.push({ oldStart: Number(head[1]), newStart: Number(head[2]), oldText: old.join(""), newText: now.join("") });
    old = [];
    now = [];
  };
  let last = "";
  for (const line of section.split("\n").slice(0, -1)) {
    const next = range.exec(line);
    if (next) {
      close();
      head = next;
    } else if (head) {
      const text = `${line.slice(1)}\n`;
      if (line[0] === "\\") withoutNewline(last, old, now);
      if (line[0] === "-" || line[0] === " ") old.push(text);
      if (line[0] === "+" || line[0] === " ") now.push(text);
    }
    last = line[0] ?? "";
  }
  close();
  return hunks;
}

/** The line before has no newline at its end: on the side, or the sides, that it belongs to. */
function withoutNewline(sign: string, old: string[], now: string[]): void {
  for (const [side, signs] of [
    [old, "- "],
    [now, "+ "],
  ] as const) {
    if (signs.includes(sign)) side.push(side.pop()?.slice(0, -1) ?? "");
  }
}

import type { FileUpdateChange } from "../generated/codex/types.js";

const noNewline = "\\ No newline at end of file\n";

/** The patch text of some changes, and the paths of those that it could not hold. */
export interface GitPatch {
  readonly text: string;
  readonly left: readonly string[];
}

/**
 * The patch text of a diff (R-18, TOOL-08, ROLL-06): one `diff --git` section per file with absolute paths and no
 * `a/` and `b/`, quoted as git quotes. Codex gives the whole content for an added and a deleted file, and hunks for an
 * updated one; made relative, the result applies and reverses with `git apply`, byte for byte.
 *
 * Codex's record sets the limits. It has no file modes: all are 100644, so that a deleted script comes back without its
 * executable bit, and a link that Codex wrote through stands as the file it leads to. A file that was added or moved
 * over another is a new one: what was there before is not in the record. Left out of the text are changes of a kind
 * that this version does not know, those without a text at all, and updates whose hunks are no hunks to git: Codex ends
 * a line at a lone carriage return too.
 */
export function gitPatch(changes: readonly FileUpdateChange[]): GitPatch {
  const sections = changes.map((change) => ({ path: change.path, text: section(change) }));
  return {
    text: sections.map(({ text }) => text ?? "").join(""),
    left: sections.flatMap(({ path, text }) => (text === null ? [path] : [])),
  };
}

function section({ path, kind, diff }: FileUpdateChange): string | null {
  if (typeof diff !== "string") return null;
  switch (kind.type) {
    case "add":
      return `${sectionHeader(path, path)}new file mode 100644\n${body("/dev/null", label(path), whole("+", diff))}`;
    case "delete":
      return `${sectionHeader(path, path)}deleted file mode 100644\n${body(label(path), "/dev/null", whole("-", diff))}`;
    case "update":
      return update(path, kind.move_path ?? null, diff);
    default:
      return null;
  }
}

function update(path: string, movedTo: string | null, diff: string): string | null {
  const to = movedTo ?? path;
  const hunks = movedTo === null ? diff : withoutNote(diff);
  if (!areHunks(hunks)) return null;
  const names = to === path ? "" : `rename from ${quote(path)}\nrename to ${quote(to)}\n`;
  const changed = `${names}${body(label(path), label(to), hunks)}`;
  return changed === "" ? "" : `${sectionHeader(path, to)}${changed}`;
}

/** The line that a file's section begins with. */
export const sectionHeader = (from: string, to: string): string => `diff --git ${quote(from)} ${quote(to)}\n`;

/** An empty file, or a move without edits, has no `---`/`+++` lines: git writes none without a hunk. */
const body = (from: string, to: string, text: string): string => (text === "" ? "" : `--- ${from}\n+++ ${to}\n${text}`);

/** One hunk that adds or removes a whole file. Lines end at `\n` alone, so that `\r` stays part of its line. */
function whole(sign: "+" | "-", content: string): string {
  if (content === "") return "";
  const complete = content.endsWith("\n");
  const lines = (complete ? content.slice(0, -1) : content).split("\n");
  const count = lines.length === 1 ? "1" : `1,${lines.length}`;
  const range = sign === "+" ? `@@ -0,0 +${count} @@` : `@@ -${count} +0,0 @@`;
  return `${range}\n${sign}${lines.join(`\n${sign}`)}\n${complete ? "" : noNewline}`;
}

/** Codex appends where a moved file went. No line of a hunk is empty, so the note cannot be taken for one. */
function withoutNote(diff: string): string {
  const note = diff.lastIndexOf("\n\nMoved to: ");
  return note === -1 ? diff : diff.slice(0, note);
}

const range = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;

/** Each hunk has as many lines as its head says. Nothing at all is no change, and fine. */
function areHunks(text: string): boolean {
  if (text === "") return true;
  if (!text.endsWith("\n")) return false;
  let removed = 0;
  let added = 0;
  for (const line of text.slice(0, -1).split("\n")) {
    const sign = line[0];
    if (sign === "\\") continue;
    if (removed === 0 && added === 0) {
      const [head, before, after] = range.exec(line) ?? [];
      if (head === undefined) return false;
      removed = Number(before ?? 1);
      added = Number(after ?? 1);
      continue;
    }
    if (sign !== " " && sign !== "-" && sign !== "+") return false;
    if (sign !== "+") removed -= 1;
    if (sign !== "-") added -= 1;
    if (removed < 0 || added < 0) return false;
    // Codex counts a lone carriage return as the end of a line: the line numbers after it are not git's.
    if (/\r(?!$)/.test(line)) return false;
  }
  return removed === 0 && added === 0;
}

/** In `---` and `+++` lines git ends an unquoted name that holds white space with a tab. */
function label(path: string): string {
  const quoted = quote(path);
  return quoted === path && path.includes(" ") ? `${path}\t` : quoted;
}

const escapes: Readonly<Record<number, string>> = {
  7: "\\a",
  8: "\\b",
  9: "\\t",
  10: "\\n",
  11: "\\v",
  12: "\\f",
  13: "\\r",
  34: '\\"',
  92: "\\\\",
};

/** C-style quoting with octal bytes, as git does with `core.quotePath` on. A plain name stays as it is. */
function quote(path: string): string {
  if (/^[\x20\x21\x23-\x5b\x5d-\x7e]*$/.test(path)) return path;
  let quoted = "";
  for (const byte of Buffer.from(path, "utf8")) {
    const escaped = escapes[byte];
    if (escaped !== undefined) quoted += escaped;
    else if (byte < 0x20 || byte > 0x7e) quoted += `\\${byte.toString(8).padStart(3, "0")}`;
    else quoted += String.fromCharCode(byte);
  }
  return `"${quoted}"`;
}

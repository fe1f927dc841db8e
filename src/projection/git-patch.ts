import type { FileUpdateChange } from "../generated/codex/types.js";

const noNewline = "\\ No newline at end of file\n";

/**
 * The patch text of a diff (R-18, TOOL-08, ROLL-06): one `diff --git` section per file with absolute paths and no
 * `a/` and `b/`, quoted as git quotes. Codex gives the whole content for an added and a deleted file, and hunks for an
 * updated one; made relative, the result applies and reverses with `git apply`, byte for byte.
 */
export function gitPatch(changes: readonly FileUpdateChange[]): string {
  return changes.map(section).join("");
}

function section(change: FileUpdateChange): string {
  const { path, kind, diff } = change;
  switch (kind.type) {
    case "add":
      return `${header(path, path)}new file mode 100644\n${body("/dev/null", label(path), whole("+", diff))}`;
    case "delete":
      return `${header(path, path)}deleted file mode 100644\n${body(label(path), "/dev/null", whole("-", diff))}`;
    case "update": {
      const to = kind.move_path ?? path;
      const renamed = to !== path;
      const names = renamed ? `rename from ${quote(path)}\nrename to ${quote(to)}\n` : "";
      return `${header(path, to)}${names}${body(label(path), label(to), hunks(diff, renamed ? to : null))}`;
    }
  }
}

const header = (from: string, to: string): string => `diff --git ${quote(from)} ${quote(to)}\n`;

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

/** Codex's hunks, without the note that it appends to the hunks of a moved file. */
function hunks(diff: string, movedTo: string | null): string {
  const note = movedTo === null ? "" : `\n\nMoved to: ${movedTo}`;
  const text = note !== "" && diff.endsWith(note) ? diff.slice(0, -note.length) : diff;
  if (text === "") return "";
  return text.endsWith("\n") ? text : `${text}\n`;
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

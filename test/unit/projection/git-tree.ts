import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { FileUpdateChange } from "../../../src/generated/codex/types.js";
import { gitPatch } from "../../../src/projection/git-patch.js";
import { scratch } from "../../support/places.js";

/** Contents by path, as a working tree has them. */
export type Tree = Readonly<Record<string, string>>;

/** Stands before each path as Codex gives it: the host makes paths relative to it. */
const root = "/home/some-user/the-project/";

const added = (path: string, diff: string): FileUpdateChange => ({ path: root + path, kind: { type: "add" }, diff });

/** What Codex says of a change from one tree to the other; a path in `moves` goes to where it says. */
export function changesBetween(before: Tree, after: Tree, moves: Tree = {}): FileUpdateChange[] {
  const targets = new Set(Object.values(moves));
  const created = Object.keys(after).filter((path) => before[path] === undefined && !targets.has(path));
  const changed = Object.entries(before).flatMap(([path, old]): FileUpdateChange[] => {
    const to = moves[path];
    const now = after[to ?? path];
    if (now === undefined) return [{ path: root + path, kind: { type: "delete" }, diff: old }];
    if (to !== undefined) {
      const kind = { type: "update", move_path: root + to } as const;
      return [{ path: root + path, kind, diff: `${hunk(old, now)}\n\nMoved to: ${root}${to}` }];
    }
    return [{ path: root + path, kind: { type: "update", move_path: null }, diff: hunk(old, now) }];
  });
  return [...changed, ...created.map((path) => added(path, after[path] ?? ""))];
}

const linesOf = (content: string): string[] => content.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/** One hunk as Codex writes it: a line of context around all that changed; nothing when nothing did. */
export function hunk(before: string, after: string): string {
  if (before === after) return "";
  const [old, now] = [linesOf(before), linesOf(after)];
  const most = Math.min(old.length, now.length);
  let start = 0;
  while (start < most && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < most - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  const first = Math.max(0, start - 1);
  const last = Math.max(0, end - 1);
  const written = (sign: string, lines: readonly string[]): string =>
    lines.map((line) => `${sign}${line}${line.endsWith("\n") ? "" : "\n\\ No newline at end of file\n"}`).join("");
  const span = (count: number): string =>
    count === 1 ? `${first + 1}` : `${count === 0 ? first : first + 1},${count}`;
  return [
    `@@ -${span(old.length - last - first)} +${span(now.length - last - first)} @@\n`,
    written(" ", old.slice(first, start)),
    written("-", old.slice(start, old.length - end)),
    written("+", now.slice(start, now.length - end)),
    written(" ", old.slice(old.length - end, old.length - last)),
  ].join("");
}

/** The patch text with the paths of its heads made relative. */
export const relative = (patch: string): string =>
  patch.replaceAll(/^(?:diff --git|---|\+\+\+|rename from|rename to) .*$/gm, (head) => head.replaceAll(root, ""));

/** A folder with a tree of files, in which git applies patches. Outside of every repository. */
export function makeFolder(files: Tree) {
  mkdirSync(scratch, { recursive: true });
  const folder = mkdtempSync(join(scratch, "patch-"));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  const env = { ...process.env, GIT_CEILING_DIRECTORIES: scratch, GIT_CONFIG_GLOBAL: "/dev/null" };
  return {
    apply(patch: string, ...options: readonly string[]): void {
      const args = ["apply", "-p0", "--whitespace=nowarn", ...options, "-"];
      execFileSync("git", args, { cwd: folder, input: patch, env, stdio: ["pipe", "ignore", "pipe"] });
    },
    /** Every file with its bytes. */
    files(): Tree {
      const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((it) => it.isFile());
      return Object.fromEntries(
        entries.map((it) => {
          const path = join(it.parentPath, it.name);
          return [path.slice(folder.length + 1), readFileSync(path, "utf8")];
        }),
      );
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  };
}

/** What git makes of the patch: applied to `before`, and then taken back. */
export function thereAndBack(before: Tree, changes: readonly FileUpdateChange[]): { there: Tree; back: Tree } {
  using folder = makeFolder(before);
  const patch = relative(gitPatch(changes).text);
  if (patch !== "") folder.apply(patch);
  const there = folder.files();
  if (patch !== "") folder.apply(patch, "-R");
  return { there, back: folder.files() };
}

import type { Dirent } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { CaseFault } from "../outcome.js";
import { mismatches } from "../pattern.js";
import type { Stage } from "../stage.js";
import type { FilesInStep } from "../step-format.js";
import { fill } from "../template.js";

export async function filesIn({ bindings }: Pick<Stage, "bindings">, step: FilesInStep): Promise<void> {
  const root = String(fill(step.filesIn, bindings));
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  // A read of a pipe would wait for somebody to write.
  const isMeant = (entry: Dirent): boolean => (step.with === undefined ? !entry.isDirectory() : entry.isFile());
  const paths = entries.filter(isMeant).map(({ parentPath, name }) => join(parentPath, name));
  const text = step.with === undefined ? null : String(fill(step.with, bindings));
  const meant = text === null ? paths : await having(paths, text);
  const files = meant.map((path) => relative(root, path).replaceAll(sep, "/")).sort();
  const wrong = mismatches(files, fill(step.are, bindings));
  if (wrong.length > 0)
    throw new CaseFault({
      message: `what lies in ${root}${text === null ? "" : ` and has ${text} in it`} is not as it must be`,
      mismatches: wrong,
    });
}

async function having(paths: readonly string[], text: string): Promise<string[]> {
  const found = await Promise.all(paths.map((path) => has(path, text)));
  return paths.filter((_, index) => found[index]);
}

async function has(path: string, text: string): Promise<boolean> {
  try {
    return (await readFile(path)).includes(text);
  } catch (error) {
    // A program that still runs has taken it away.
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return false;
    throw error;
  }
}

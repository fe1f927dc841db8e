import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { emitters } from "./emit/index.js";
import type { Emitter, GeneratedFile, Model } from "./model/model.js";

/** The folder that is generated as a whole: a file in it that no emitter makes is stale. */
const generatedFolder = "src/generated";

/** All files of the model, sorted by path. Two emitters that claim one path are an error. */
export const generate = async (model: Model, from: readonly Emitter[] = emitters): Promise<GeneratedFile[]> => {
  const files = new Map<string, GeneratedFile>();
  for (const emit of from) {
    for (const file of await emit(model)) {
      if (files.has(file.path)) throw new Error(`two emitters make ${file.path}`);
      files.set(file.path, file);
    }
  }
  return [...files.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
};

/** What stands between the tree at `root` and `files`. */
export interface Difference {
  readonly path: string;
  readonly kind: "missing" | "changed" | "stale";
}

export const compareWithTree = (root: string, files: readonly GeneratedFile[]): Difference[] => {
  const wanted = new Map(files.map((file) => [file.path, file.text]));
  const stale = filesUnder(root, generatedFolder).filter((path) => !wanted.has(path));
  return [
    ...files.flatMap(({ path, text }): Difference[] => {
      const found = readIfThere(join(root, path));
      if (found === null) return [{ path, kind: "missing" }];
      return found === text ? [] : [{ path, kind: "changed" }];
    }),
    ...stale.map((path): Difference => ({ path, kind: "stale" })),
  ];
};

/** Makes the tree at `root` hold exactly `files`; returns what had to change. */
export const writeTree = (root: string, files: readonly GeneratedFile[]): Difference[] => {
  const differences = compareWithTree(root, files);
  const texts = new Map(files.map((file) => [file.path, file.text]));
  for (const { path, kind } of differences) {
    const file = join(root, path);
    if (kind === "stale") {
      rmSync(file);
      continue;
    }
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, texts.get(path) ?? "");
  }
  return differences;
};

const filesUnder = (root: string, folder: string): string[] => {
  try {
    return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(join(root, "/").length))
      .map((path) => path.replaceAll("\\", "/"));
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
};

const readIfThere = (file: string): string | null => {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
};

const isMissing = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "ENOENT";

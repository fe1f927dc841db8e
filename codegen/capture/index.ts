import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { captureAcp } from "./acp.js";
import { captureCodex } from "./codex.js";
import type { CapturedFiles } from "./manifest.js";
import { installedCodex } from "./native-binary.js";

/** Captures both protocols into `schemas` of the repository at `root`. `codex`: another binary than the installed one. */
export const capture = (root: string, codex: string = installedCodex()): void => {
  const folders: [string, CapturedFiles][] = [
    ["codex", captureCodex(codex, join(root, ".tmp"))],
    ["acp", captureAcp()],
  ];
  for (const [name, files] of folders) store(join(root, "schemas", name), files);
};

/** Writes `files` and takes away what an earlier capture left over. */
const store = (folder: string, files: CapturedFiles): void => {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) if (!files.has(name)) rmSync(join(folder, name));
  for (const [name, content] of files) writeFileSync(join(folder, name), content);
};

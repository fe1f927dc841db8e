import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { captureAcp } from "./acp.js";
import { captureCodex } from "./codex.js";
import { acpSurface, codexSurface, keepSurface } from "./keep.js";
import type { CapturedFiles } from "./manifest.js";
import { installedCodex } from "./native-binary.js";

/**
 * Captures both protocols into `schemas` of the repository at `root`, and keeps their surfaces beside those of other
 * versions. `codex`: another binary than the installed one.
 */
export const capture = (root: string, codex: string = installedCodex()): void => {
  const [codexFiles, acpFiles] = [captureCodex(codex, join(root, ".tmp")), captureAcp()];
  store(join(root, "schemas/codex"), codexFiles);
  store(join(root, "schemas/acp"), acpFiles);
  keepSurface(root, codexSurface(codexFiles));
  keepSurface(root, acpSurface(acpFiles));
};

/** Keeps the surface of another Codex or SDK for comparisons, and leaves the captures as they are. */
export const keep = (root: string, from: { readonly codex?: string; readonly acp?: string }): string[] => [
  ...(from.codex === undefined ? [] : [keepSurface(root, codexSurface(captureCodex(from.codex, join(root, ".tmp"))))]),
  ...(from.acp === undefined ? [] : [keepSurface(root, acpSurface(captureAcp(from.acp)))]),
];

/** Writes `files` and takes away what an earlier capture left over. */
const store = (folder: string, files: CapturedFiles): void => {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) if (!files.has(name)) rmSync(join(folder, name));
  for (const [name, content] of files) writeFileSync(join(folder, name), content);
};

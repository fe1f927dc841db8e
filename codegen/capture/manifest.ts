import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isObject, printJson } from "../json.js";

/** Where a folder of captured files comes from, and what they were when captured. No dates, no machine paths. */
export interface Manifest {
  /** The npm package or program that the files were taken from. */
  readonly source: string;
  readonly version: string;
  readonly licence: string;
  /** What was run, or which files were copied. */
  readonly commands: readonly string[];
  readonly files: { readonly [name: string]: { readonly bytes: number; readonly sha256: string } };
}

/** File name → content, as a capture hands it over. */
export type CapturedFiles = ReadonlyMap<string, Uint8Array>;

const digest = (content: Uint8Array): { bytes: number; sha256: string } => ({
  bytes: content.byteLength,
  sha256: createHash("sha256").update(content).digest("hex"),
});

export const makeManifest = (about: Omit<Manifest, "files">, files: CapturedFiles): Manifest => ({
  ...about,
  files: Object.fromEntries([...files].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, it]) => [name, digest(it)])),
});

/** The captured files together with their MANIFEST.json. */
export const withManifest = (about: Omit<Manifest, "files">, files: CapturedFiles): CapturedFiles =>
  new Map([...files, ["MANIFEST.json", Buffer.from(printJson(makeManifest(about, files)))]]);

/** Reads `MANIFEST.json` in `folder`; an error that says to capture when there is none. */
export const readManifest = (folder: string): Manifest => {
  const file = join(folder, "MANIFEST.json");
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (cause) {
    throw new Error(`cannot read ${file}: run \`npm run capture\``, { cause });
  }
  const value: unknown = JSON.parse(text);
  if (!isManifest(value)) throw new Error(`${file} is no manifest: run \`npm run capture\``);
  return value;
};

const isManifest = (value: unknown): value is Manifest =>
  isObject(value) && typeof value["version"] === "string" && isObject(value["files"]);

/** Every stored file that is not what its manifest says, one line each; empty when all is as captured. */
export const manifestFaults = (folder: string): string[] =>
  Object.entries(readManifest(folder).files).flatMap(([name, wanted]) => {
    const found = digest(readFileSync(join(folder, name)));
    return found.sha256 === wanted.sha256 && found.bytes === wanted.bytes
      ? []
      : [`${name}: ${found.bytes} bytes, sha256 ${found.sha256}; captured: ${wanted.bytes}, ${wanted.sha256}`];
  });

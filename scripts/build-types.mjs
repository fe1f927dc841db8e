// Writes the declarations of the public entries into dist/types and drops those that no entry reaches.
import { execFile } from "node:child_process";
import { readdir, readFile, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const root = fileURLToPath(new URL("..", import.meta.url));
const typesDir = join(root, "dist/types");
const entries = ["index.d.ts", "contract.d.ts", "codex.d.ts", "testing.d.ts"];
const relativeImport = /(?:from\s+|import\(\s*|import\s+)["'](\.[^"']+)["']/g;

/** The declaration file that a relative import of a declaration file means. */
const declarationOf = (from, specifier) => resolve(dirname(from), specifier.replace(/\.js$/, ".d.ts"));

async function reachable(file, seen) {
  if (seen.has(file)) return seen;
  seen.add(file);
  const text = await readFile(file, "utf8");
  for (const [, specifier] of text.matchAll(relativeImport)) await reachable(declarationOf(file, specifier), seen);
  return seen;
}

export async function buildTypes() {
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  await promisify(execFile)(process.execPath, [tsc, "-p", "tsconfig.build.json"], { cwd: root }).catch((failure) => {
    throw new Error(`tsc -p tsconfig.build.json failed\n${failure.stdout}${failure.stderr}`);
  });
  const keep = new Set();
  for (const entry of entries) await reachable(join(typesDir, entry), keep);
  for (const entry of await readdir(typesDir, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (entry.isFile() && !keep.has(file)) await rm(file);
  }
}

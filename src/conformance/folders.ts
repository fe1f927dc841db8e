import { execFile } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, sep } from "node:path";
import { promisify } from "node:util";
import type { Case, Files } from "./format.js";
import { type Bindings, fill } from "./template.js";

export interface Folders {
  /** By name. */
  readonly paths: Readonly<Record<string, string>>;
  remove(): Promise<void>;
}

const run = promisify(execFile);

/** A text as it is; a list as one JSON value a line. */
const textOf = (content: unknown): string =>
  Array.isArray(content) ? content.map((line) => `${JSON.stringify(line)}\n`).join("") : String(content);

async function make(file: string, content: Files[string], bindings: Bindings): Promise<void> {
  if (typeof content === "object" && "$link" in content) return symlink(content.$link, file);
  if (typeof content === "object" && "$pipe" in content) {
    // Where there are no pipes in folders, nothing stands there, which is no file to read either.
    if (process.platform !== "win32") await run("mkfifo", [file]);
    return;
  }
  await writeFile(file, textOf(fill(content, bindings)));
}

async function write(folder: string, files: Files, bindings: Bindings): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const file = join(folder, name);
    if (!file.startsWith(folder + sep)) throw new Error(`${name} lies outside of its folder`);
    await mkdir(dirname(file), { recursive: true });
    await make(file, content, bindings);
  }
}

/** Makes the folders of a case; what their files hold may name `bindings`, and the folders. */
export async function makeFolders(wanted: NonNullable<Case["folders"]>, bindings: Bindings): Promise<Folders> {
  const paths: Record<string, string> = {};
  const remove = async (): Promise<void> => {
    for (const path of Object.values(paths)) await rm(path, { recursive: true, force: true });
  };
  try {
    for (const name of Object.keys(wanted)) paths[name] = await realpath(await mkdtemp(join(tmpdir(), "conformance-")));
    for (const [name, files] of Object.entries(wanted)) {
      await write(paths[name] ?? "", files, { ...bindings, ...paths });
    }
  } catch (error) {
    await remove();
    throw error;
  }
  return { paths, remove };
}

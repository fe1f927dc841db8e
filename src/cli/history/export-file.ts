import { type FileHandle, lstat, open, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** A file of JSON lines that is there as a whole or not at all. */
export interface ExportFile {
  line(value: unknown): Promise<void>;
  /** Puts it in its place. */
  finish(): Promise<void>;
  /** Leaves nothing behind; a file that was there before stays. */
  discard(): Promise<void>;
}

/**
 * Writes beside `path` under another name, readable by the user alone. What `path` links to stays as it is: the link
 * gives way. Rejects when the folder cannot be written, and for what is there and no file.
 */
export async function createExportFile(path: string): Promise<ExportFile> {
  // What cannot be looked at cannot be written either, which says so better.
  const there = await lstat(path).catch(() => null);
  if (there !== null && !there.isFile() && !there.isSymbolicLink()) throw new Error(`${path} is no regular file`);
  const temporary = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
  const handle: FileHandle = await open(temporary, "wx", 0o600);
  return {
    line: async (value) => void (await handle.write(`${JSON.stringify(value)}\n`)),
    async finish() {
      await handle.sync();
      await handle.close();
      await rename(temporary, path);
    },
    async discard() {
      await handle.close();
      await rm(temporary, { force: true });
    },
  };
}

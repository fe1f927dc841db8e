import { constants, open } from "node:fs/promises";

/** What became of a read; `problem` names no content. */
export type TextFile = { readonly text: string } | { readonly problem: string };

/**
 * Reads a regular file of at most `maxBytes`. Opened without waiting and checked through the open handle, so that a pipe,
 * a device or a folder is told apart before a byte is read, and cannot be put in its place meanwhile.
 */
export async function readText(path: string, maxBytes: number): Promise<TextFile> {
  let handle: Awaited<ReturnType<typeof open>>;
  try {
    handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    return { problem: codeOf(error) === "ENOENT" ? "there is no such file" : `it cannot be opened (${codeOf(error)})` };
  }
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) return { problem: "it is not a regular file" };
    if (stat.size > maxBytes) return { problem: `it has ${stat.size} bytes, and ${maxBytes} are read at most` };
    // One byte more than there should be, as it may be growing.
    const bytes = Buffer.alloc(stat.size + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read) {
      ({ bytesRead: read } = await handle.read(bytes, length, bytes.length - length, length));
    }
    if (length > stat.size) return { problem: "it changed while it was read" };
    return { text: bytes.toString("utf8", 0, length) };
  } catch (error) {
    return { problem: `it cannot be read (${codeOf(error)})` };
  } finally {
    await handle.close();
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "unknown reason";

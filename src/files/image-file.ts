import { constants, open } from "node:fs/promises";

/** Largest image inlined, in bytes, so that no outgoing line passes 24 MiB. */
export const maxImageBytes = 16 * 1024 * 1024;

/** Raster formats by their first bytes; a name or a claimed type proves nothing. */
const formats: readonly { readonly mimeType: string; readonly fits: (head: Buffer) => boolean }[] = [
  { mimeType: "image/png", fits: (head) => head.subarray(0, 8).equals(Buffer.from("89504e470d0a1a0a", "hex")) },
  { mimeType: "image/jpeg", fits: (head) => head.subarray(0, 3).equals(Buffer.from("ffd8ff", "hex")) },
  { mimeType: "image/gif", fits: (head) => /^GIF8[79]a/.test(head.toString("latin1")) },
  { mimeType: "image/webp", fits: (head) => /^RIFF....WEBP/s.test(head.toString("latin1")) },
];

/**
 * Reads an image that a native attachment names (REPLAY-14, REPLAY-16). Opened without waiting and checked through the
 * open handle, so that a pipe, a device or a folder is told apart before a byte is read, and cannot be put in its place
 * meanwhile. Null for everything that is no regular raster image within the limit, whatever the reason.
 */
export async function readImage(path: string): Promise<{ mimeType: string; data: string } | null> {
  let handle: Awaited<ReturnType<typeof open>>;
  try {
    handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return null;
  }
  try {
    const { size } = await handle.stat().then((stat) => (stat.isFile() ? stat : { size: -1 }));
    if (size < 12 || size > maxImageBytes) return null;
    const bytes = Buffer.alloc(size);
    const { bytesRead } = await handle.read(bytes, 0, size, 0);
    const format = formats.find(({ fits }) => fits(bytes.subarray(0, 16)));
    return format && bytesRead === size ? { mimeType: format.mimeType, data: bytes.toString("base64") } : null;
  } catch {
    // It vanished or cannot be read: the same placeholder stands for it.
    return null;
  } finally {
    await handle.close();
  }
}

import { constants, open } from "node:fs/promises";

/** An image in Base64; the bytes of one that is too big; null for what is no image. */
export type ImageFile = { readonly mimeType: string; readonly data: string } | { readonly size: number } | null;

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
 * meanwhile. Of an image over `limit` bytes only its size is told. Null for everything that is no regular raster image.
 */
export async function readImage(path: string, limit: number): Promise<ImageFile> {
  let handle: Awaited<ReturnType<typeof open>>;
  try {
    handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return null;
  }
  try {
    const { size } = await handle.stat().then((stat) => (stat.isFile() ? stat : { size: 0 }));
    if (size < headBytes) return null;
    const bytes = Buffer.alloc(size > limit ? headBytes : size);
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0);
    const format = formats.find(({ fits }) => fits(bytes.subarray(0, headBytes)));
    if (!format || bytesRead < bytes.length) return null;
    return size > limit ? { size } : { mimeType: format.mimeType, data: bytes.toString("base64") };
  } catch {
    // It vanished or cannot be read: the same placeholder stands for it.
    return null;
  } finally {
    await handle.close();
  }
}

/** Enough to tell every format. */
const headBytes = 12;

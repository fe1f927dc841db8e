/**
 * Text that grows in place on the way of every delta. Many pieces are kept as bytes: kept as strings, the collector would
 * copy them over and over. What cannot be UTF-8, half a pair, is kept as a replacement character.
 */
export interface GrownText {
  /** All of it while it is one piece: most texts that come as a whole are asked for as that. */
  only: string | null;
  /** The UTF-8 of more pieces, with room behind it. */
  bytes: Buffer;
  used: number;
  /** UTF-16 code units. */
  length: number;
}

const nothing = Buffer.alloc(0);

export const noText = (): GrownText => ({ only: "", bytes: nothing, used: 0, length: 0 });

export function addText(grown: GrownText, piece: string): void {
  if (grown.length === 0) {
    grown.only = piece;
    grown.length = piece.length;
    return;
  }
  if (grown.only !== null) {
    write(grown, grown.only);
    grown.only = null;
  }
  write(grown, piece);
  grown.length += piece.length;
}

export const textOf = ({ only, bytes, used }: GrownText): string => only ?? bytes.toString("utf8", 0, used);

/** Whether `whole` has the text at `at`, in code units. */
export function isTextAt(grown: GrownText, whole: string, at = 0): boolean {
  const { only, bytes, used, length } = grown;
  if (only !== null) return whole.startsWith(only, at);
  if (whole.length < at + length) return false;
  return Buffer.from(whole.slice(at, at + length)).equals(bytes.subarray(0, used));
}

/** Puts another text in its place, and gives the room back. */
export function setText(grown: GrownText, text: string): void {
  grown.bytes = nothing;
  grown.used = 0;
  grown.length = text.length;
  grown.only = text;
}

function write(grown: GrownText, piece: string): void {
  // UTF-8 takes at most three bytes for a code unit.
  const needed = grown.used + piece.length * 3;
  if (needed > grown.bytes.length) {
    const next = Buffer.allocUnsafeSlow(Math.max(256, needed * 2));
    grown.bytes.copy(next, 0, 0, grown.used);
    grown.bytes = next;
  }
  grown.used += grown.bytes.write(piece, grown.used);
}

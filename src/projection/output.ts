/** UTF-16 code units kept of a command's output in `rawOutput` (REC-08). */
export const rawOutputLimit = 16_384;

/** Cuts `text` to at most `limit` UTF-16 code units and never between the two halves of a pair (REC-09, K-18). */
export function capText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const last = text.charCodeAt(limit - 1);
  const splits = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, splits ? limit - 1 : limit);
}

const scratch = Buffer.allocUnsafe(16 * 1024);

/** The UTF-8 of `text`, in base64. A short text, as in a delta, is encoded without a buffer of its own. */
export function base64(text: string): string {
  if (text.length * 3 > scratch.length) return Buffer.from(text, "utf8").toString("base64");
  return scratch.toString("base64", 0, scratch.write(text));
}

/** Bytes of streamed output that are remembered to compare them with Codex's own record of the whole. */
const rememberLimit = 4 * 1024 * 1024;

/**
 * What was streamed of one command, as bytes, since that is what the host was given: texts of all deltas, kept for the
 * end, would be copied over and over by the garbage collector. The one thing in a session's state that grows in place: a
 * copy of ledger and state per delta would cost more than the delta itself. It is read once, at the command's end;
 * nothing else may depend on it.
 */
export interface Streamed {
  /** What was streamed, with room behind it; null once it grew past what is worth comparing. */
  bytes: Buffer | null;
  length: number;
  /** The pieces are shown in a terminal as they come. */
  readonly terminal: boolean;
}

const nothing = Buffer.alloc(0);

export const nothingStreamed = (terminal: boolean): Streamed => ({ bytes: nothing, length: 0, terminal });

/** Remembers a piece, and gives its UTF-8 in base64. */
export function addStreamed(streamed: Streamed, delta: string): string {
  const from = streamed.length;
  // UTF-8 takes at most three bytes for a code unit.
  const needed = from + delta.length * 3;
  if (streamed.bytes !== null && needed > streamed.bytes.length) streamed.bytes = grown(streamed.bytes, from, needed);
  const { bytes } = streamed;
  if (bytes === null) return base64(delta);
  streamed.length = from + bytes.write(delta, from);
  return bytes.toString("base64", from, streamed.length);
}

function grown(bytes: Buffer, length: number, needed: number): Buffer | null {
  if (needed > rememberLimit) return null;
  const next = Buffer.allocUnsafeSlow(Math.min(rememberLimit, Math.max(1024, needed * 2)));
  bytes.copy(next, 0, 0, length);
  return next;
}

/**
 * The snapshot that the end of a command needs, or null when what was streamed is already it. Codex's deltas
 * have gaps and broken characters, so its record of the whole replaces them; but that record leaves the middle out
 * of an output over 1 MiB, and then the longer of the two is kept.
 */
export function closingSnapshot({ bytes, length }: Streamed, aggregated: string | null): string | null {
  if (aggregated === null || bytes === null) return null;
  const whole = Buffer.from(aggregated);
  if (whole.equals(bytes.subarray(0, length))) return null;
  return length > whole.length && isShortened(aggregated) ? null : aggregated;
}

/** Bytes that Codex keeps of an output: half from its beginning, half from its end. */
const keptBytes = 1024 * 1024;

/** Codex left the middle out of this output, and says so on a line between the two halves. */
export const isShortened = (aggregated: string): boolean =>
  // Cheap first: UTF-8 takes at most three bytes for a code unit.
  aggregated.length * 3 >= keptBytes &&
  /\n\.\.\. \d+ bytes omitted \.\.\.\n/.test(aggregated) &&
  Buffer.byteLength(aggregated) > keptBytes;

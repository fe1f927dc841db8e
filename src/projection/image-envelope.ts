import type { UserInput } from "../generated/codex/types.js";
import { envelopes } from "../generated/contract/tables.js";

const [{ literals }] = envelopes;

/** What a text is without the list of images before it. */
export interface ImageRequest {
  /** Index of the input that has it. */
  readonly index: number;
  /** The user's own words. */
  readonly body: string;
  /** UTF-8 bytes before the words, by which the spans of the text move. */
  readonly offset: number;
}

/**
 * The user's words in a message that lists its images first; null when no text of it is such an envelope, whole, and in
 * accord with the message's own images (REPLAY-18, REPLAY-20, REPLAY-21). Paths are compared, never looked up (REPLAY-19).
 */
export function imageRequest(content: readonly UserInput[]): ImageRequest | null {
  const paths = content.flatMap((input) => (input.type === "localImage" ? [input.path] : []));
  const inline = content.filter(isInline).length;
  // Nearly all messages.
  if (paths.length + inline === 0) return null;
  const found = content.flatMap((input, index) => {
    const envelope = input.type === "text" && typeof input.text === "string" ? parse(input.text) : null;
    return envelope ? [{ ...envelope, index, spans: spansOf(input) }] : [];
  });
  const [envelope] = found;
  if (!envelope || found.length > 1 || !accords(envelope.paths, paths, inline)) return null;
  const { index, body, offset } = envelope;
  return envelope.spans.some((start) => start < offset) ? null : { index, body, offset };
}

const isInline = (input: UserInput): boolean =>
  input.type === "image" &&
  "url" in input &&
  typeof input.url === "string" &&
  /^data:image\/[^;,]+;base64,/.test(input.url);

const spansOf = (input: UserInput): number[] =>
  input.type === "text" ? (input.text_elements ?? []).map(({ byteRange }) => byteRange?.start ?? 0) : [];

/** Each native path takes an entry of its own; what is left are the inline images, whose paths Codex does not keep. */
function accords(listed: readonly string[], native: readonly string[], inline: number): boolean {
  const left = listed.map(comparable);
  for (const path of native) {
    const at = typeof path === "string" ? left.indexOf(comparable(path)) : -1;
    if (at < 0) return false;
    left.splice(at, 1);
  }
  return left.length === inline;
}

/** Desktop writes Windows paths with slashes where Codex has backslashes. */
const comparable = (path: string): string => (isWindows(path) ? path.replaceAll("\\", "/") : path);

const isWindows = (path: string): boolean => /^(?:[A-Za-z]:[\\/]|\\\\)/.test(path);

interface Envelope {
  readonly paths: readonly string[];
  readonly body: string;
  readonly offset: number;
}

/** The grammar, line by line. */
function parse(text: string): Envelope | null {
  const framed = text.startsWith("\n");
  let at = framed ? 1 : 0;
  const takes = (line: string): boolean => {
    const fits = text.startsWith(`${line}\n`, at);
    if (fits) at += line.length + 1;
    return fits;
  };
  if (!takes(literals.header) || !takes("")) return null;
  const paths: string[] = [];
  for (let path = entryAt(text, at); path !== null; path = entryAt(text, at)) {
    paths.push(path);
    at = text.indexOf("\n", at) + 1;
    takes(literals.mark);
    if (!takes("")) return null;
  }
  if (paths.length === 0) return null;
  if (takes(literals.notice) && !takes("")) return null;
  if (!takes(literals.heading)) return null;
  const end = framed && text.length > at && text.endsWith("\n") ? -1 : undefined;
  return { paths, body: text.slice(at, end), offset: Buffer.byteLength(text.slice(0, at)) };
}

/** The path of the entry that begins here; null where none does. */
function entryAt(text: string, at: number): string | null {
  const end = text.indexOf("\n", at);
  if (end < 0 || !text.startsWith("## ", at)) return null;
  const [, path = null] = entry.exec(text.slice(at, end)) ?? [];
  return path;
}

const entry = /^## [^/\\\p{Cc}]+: ((?:[A-Za-z]:[\\/]|\\\\|\/)[^\p{Cc}]+)$/u;

import { closingQuote } from "./quotes.js";

/**
 * Values that are passed on as they were written. JavaScript reads `1e400` as Infinity and 2^53 + 1 as 2^53, orders
 * names that look like indexes, and keeps one of two members with one name. So the text of what is passed through is
 * kept beside the value, and written in its place.
 */
const texts = new WeakMap<object, string>();

const quote = 34;

/** Where the string that begins at `from` ends: one behind its closing quote. */
const endOfString = (text: string, from: number): number => closingQuote(text, from) + 1;

/** One behind the value that begins at `from`, which is not nested into the machine's stack however deep it is. */
function endOfValue(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at) - 1;
    else if (code === 123 || code === 91) depth += 1;
    else if (code === 125 || code === 93) {
      if (depth === 0) return at;
      depth -= 1;
    } else if (depth > 0 || (code !== 44 && code > 32)) continue;
    else return at;
    if (depth === 0) return at + 1;
  }
  return text.length;
}

const pastSpace = (text: string, from: number): number => {
  let at = from;
  while (text.charCodeAt(at) <= 32) at += 1;
  return at;
};

/** How a member of an object is written; of several with one name the last, as `JSON.parse` has it. `text` is JSON. */
export function memberText(text: string, name: string): string | null {
  let found: string | null = null;
  let at = pastSpace(text, 0);
  if (text[at] !== "{") return null;
  while (text[at] !== "}") {
    const key = pastSpace(text, at + 1);
    if (text[key] === "}") break;
    const keyEnd = endOfString(text, key);
    const value = pastSpace(text, text.indexOf(":", keyEnd) + 1);
    const end = endOfValue(text, value);
    if (JSON.parse(text.slice(key, keyEnd)) === name) found = text.slice(value, end);
    at = pastSpace(text, end);
  }
  return found;
}

/** Members of a frame that may be passed on as they are. */
type Member = "params" | "result" | "error";

/** Has `frame[member]`, read from the line `text`, written as it stands there. Of an error that is its `data`. */
export function keepText(frame: { readonly [name: string]: unknown }, member: Member, text: string): void {
  const own = frame[member];
  const value = member === "error" ? Object(own).data : own;
  if (typeof value !== "object" || value === null) return;
  const outer = memberText(text, member);
  const written = member === "error" && outer !== null ? memberText(outer, "data") : outer;
  if (written !== null) texts.set(value, written);
}

/** `value` with the members of `defaults` that it lacks; as it was written, if that was kept. */
export function withDefaults(defaults: object, value: object): object {
  const missing = Object.entries(defaults).filter(([name]) => !Object.hasOwn(value, name));
  if (missing.length === 0) return value;
  const filled = { ...Object.fromEntries(missing), ...value };
  const text = texts.get(value);
  if (text !== undefined) {
    const more = JSON.stringify(Object.fromEntries(missing)).slice(0, -1);
    const empty = Object.keys(value).length === 0;
    texts.set(filled, `${more}${empty ? "}" : `,${text.slice(1)}`}`);
  }
  return filled;
}

const keptOf = (value: unknown): string | undefined =>
  typeof value === "object" && value !== null ? texts.get(value) : undefined;

/** The JSON text of a frame, with what was kept in its place. */
export function frameText(frame: object): string {
  const { params, result, error } = frame as { readonly [member in Member]?: unknown };
  const kept = keptOf(params) ?? keptOf(result);
  if (kept === undefined) {
    const data = error === undefined ? undefined : keptOf(Object(error).data);
    if (data === undefined) return JSON.stringify(frame);
    return put(frame, "error", put(Object(error), "data", data));
  }
  return put(frame, params === undefined ? "result" : "params", kept);
}

/** The text of `frame` with `text` for the value of a member. */
const put = (frame: object, member: string, text: string): string => {
  const members = Object.entries(frame).flatMap(([name, value]) => {
    const written = name === member ? text : JSON.stringify(value);
    return written === undefined ? [] : [`${JSON.stringify(name)}:${written}`];
  });
  return `{${members.join(",")}}`;
};

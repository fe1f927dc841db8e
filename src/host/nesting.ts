import { closingQuote } from "../runtime/index.js";

/** Deepest nesting of a host's message. Codex takes 128 levels; what recurses over JSON here bears some thousands. */
export const maxHostDepth = 500;

/** Beyond this not even the id of a message is looked for: reading it alone would take memory without end. */
export const maxReadDepth = 100_000;

const quote = 34;

/** How deeply the lists and objects of a JSON text are nested; of a text that is none, no less than JSON would be. */
export function depthOf(text: string): number {
  let depth = 0;
  let most = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = closingQuote(text, at);
      if (at < 0) return most;
    } else if (code === 123 || code === 91) {
      depth += 1;
      if (depth > most) most = depth;
    } else if (code === 125 || code === 93) depth -= 1;
  }
  return most;
}

import type { ContentBlock } from "../generated/acp/types.js";

/** Longest title made from a prompt, in UTF-16 code units. */
const limit = 120;

/**
 * The title of a session nobody named (UPD-14, REPLAY-09, REPLAY-10, A-59): the first line of the first text that is
 * not a reference, else the name of the first resource.
 */
export function titleOf(content: readonly ContentBlock[]): string | null {
  for (const block of content) {
    if (block.type !== "text" || typeof block["text"] !== "string") continue;
    const line = block["text"].split("\n").find((candidate) => candidate.trim() !== "");
    if (line !== undefined) return shorten(line.trim());
  }
  for (const block of content) {
    if (block.type === "resource_link" && typeof block["name"] === "string") return shorten(block["name"]);
    if (block.type === "resource") {
      const resource: unknown = block["resource"];
      const uri = typeof resource === "object" && resource !== null && "uri" in resource ? resource.uri : undefined;
      if (typeof uri === "string") return shorten(uri.split("/").at(-1) ?? uri);
    }
  }
  return null;
}

function shorten(value: string): string {
  if (value.length <= limit) return value;
  const cut = value.slice(0, limit - 1);
  const last = cut.charCodeAt(cut.length - 1);
  return `${last >= 0xd800 && last <= 0xdbff ? cut.slice(0, -1) : cut}…`;
}

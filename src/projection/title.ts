import type { ContentBlock } from "../generated/acp/types.js";

/** Longest title made from a prompt, in UTF-16 code units. */
const limit = 120;

/**
 * The title of a session nobody named: the first line of the user's words, which end at a reference; without words, the
 * name of the first resource (UPD-14, REPLAY-09, REPLAY-10, A-59). Of content as `contentOf` gives it, live and stored
 * alike. Texts with no reference between them are one, since Codex's previews join them.
 */
export function titleOf(content: readonly ContentBlock[]): string | null {
  let words = "";
  let resource: string | null = null;
  let media: string | null = null;
  for (const block of content) {
    media ??= mediaPreviews[block.type] ?? null;
    if (block.type === "text" && typeof block["text"] === "string") {
      const { names, rest } = withoutLeadingReferences(words + block["text"]);
      resource ??= names[0] ?? null;
      words = rest;
    }
    if (block.type !== "resource_link") continue;
    const line = firstLine(words);
    if (line !== null) return line;
    words = "";
    if (typeof block["name"] === "string") resource ??= block["name"];
  }
  const name = resource === null || resource.trim() === "" ? null : shorten(resource);
  return firstLine(words) ?? name ?? media;
}

/** The title that a preview of Codex's gives: its texts put together, or what stands for an image. */
export const titleOfPreview = (preview: string): string | null => titleOf([{ type: "text", text: preview }]);

/** Codex's previews of a prompt that is nothing else. */
const mediaPreviews: { readonly [type: string]: string | undefined } = { image: "[Image]", audio: "[Audio]" };

/**
 * Whether only the prompt itself tells the title (LIST-22): the preview begins with a reference, cut short or not, with
 * an image or with a client's list of its images. Codex has put what follows right behind it.
 */
export const beginsWithAttachment = (preview: string): boolean =>
  /^\s*(?:\[@|\[(?:Image|Audio)\]|# Files mentioned by the user:)/.test(preview);

/** `[@name](uri)`, as prompts write it; parentheses in the URI come in pairs. The bound keeps a hostile text cheap. */
const reference = /\[@([^\]\n]{1,255})\]\((?:[^()\n]|\([^()\n]*\))*\)/;

const leading = new RegExp(`^\\s*${reference.source}`);

/** A resource whose text is embedded is context, not the user's words. */
function withoutLeadingReferences(text: string): { readonly names: readonly string[]; readonly rest: string } {
  const names: string[] = [];
  let rest = text;
  for (let match = leading.exec(rest); match; match = leading.exec(rest)) {
    names.push(match[1] ?? "");
    rest = rest.slice(match[0].length);
  }
  return { names, rest: names.length > 0 && rest.startsWith('\n<context ref="') ? "" : rest };
}

function firstLine(words: string): string | null {
  const [own = ""] = words.split(reference, 1);
  const line = own.split("\n").find((candidate) => candidate.trim() !== "");
  return line === undefined ? null : shorten(line.trim());
}

function shorten(value: string): string {
  if (value.length <= limit) return value;
  const cut = value.slice(0, limit - 1);
  const last = cut.charCodeAt(cut.length - 1);
  return `${last >= 0xd800 && last <= 0xdbff ? cut.slice(0, -1) : cut}…`;
}

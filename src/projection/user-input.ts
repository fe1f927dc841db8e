import type { ContentBlock } from "../generated/acp/types.js";
import type { UserInput } from "../generated/codex/types.js";

/**
 * Codex's input as ACP content, one block per input. Nothing is read or fetched here: a reference stays a reference, a
 * data URL becomes the image it holds. With `origin`, as read-only history has it, blocks also say what they were
 * (HIST-55 to HIST-59).
 */
export function contentOf(input: readonly UserInput[], { origin = false } = {}): ContentBlock[] {
  return input.map((it) => (origin ? withOrigin(blockOf(it), it) : blockOf(it)));
}

function withOrigin(block: ContentBlock, input: UserInput): ContentBlock {
  if (input.type === "text") {
    const spans = input.text_elements ?? [];
    return spans.length === 0 ? block : { type: "text", text: input.text, _meta: { codex: { textElements: spans } } };
  }
  if (block.type !== "resource_link" && block.type !== "image") return block;
  const fileId = "fileId" in input ? { fileId: input.fileId } : {};
  return { ...block, _meta: { codex: { inputType: input.type, ...fileId } } };
}

/** One input as a block; one of a kind that this version does not know, or without what makes it one, as its JSON. */
export function blockOf(input: UserInput): ContentBlock {
  switch (input.type) {
    case "text":
      return fileReference(input.text ?? "") ?? { type: "text", text: input.text ?? "" };
    case "image":
    case "audio": {
      if (!("url" in input) || typeof input.url !== "string") return byId(input);
      return fromDataUrl(input.type, input.url) ?? { type: "resource_link", name: nameOf(input.url), uri: input.url };
    }
    case "localImage":
    case "localAudio":
    case "skill":
    case "mention": {
      const { path } = input;
      if (typeof path !== "string") break;
      const name = "name" in input && typeof input.name === "string" ? input.name : nameOf(path);
      return { type: "resource_link", name, uri: fileUri(path) };
    }
  }
  return { type: "text", text: JSON.stringify(input) };
}

/** A text that is nothing but one `[@name](file://…)` reference, as prompts write it (REPLAY-05, REPLAY-06). */
function fileReference(value: string): ContentBlock | null {
  const match = /^\[@([^\]\n]+)\]\((file:\/\/[^()\s]+)\)$/.exec(value);
  const [, name, uri] = match ?? [];
  return name === undefined || uri === undefined ? null : { type: "resource_link", name, uri };
}

function byId(input: { readonly type: string; readonly fileId?: unknown }): ContentBlock {
  const fileId = typeof input.fileId === "string" ? input.fileId : "";
  return { type: "resource_link", name: input.type, uri: `codex-file:${encodeURIComponent(fileId)}` };
}

function fromDataUrl(type: "image" | "audio", url: string): ContentBlock | null {
  const match = /^data:([^;,]+);base64,([A-Za-z0-9+/=]+)$/.exec(url);
  const [, mimeType, data] = match ?? [];
  return mimeType === undefined || data === undefined ? null : { type, mimeType, data };
}

const nameOf = (path: string): string => path.split(/[\\/]/).findLast((part) => part !== "") ?? path;

export function fileUri(path: string): string {
  if (path.includes("://")) return path;
  const slashed = path.replaceAll("\\", "/");
  const rooted = slashed.startsWith("/") ? slashed : `/${slashed}`;
  return `file://${rooted.split("/").map(encodeURIComponent).join("/").replaceAll("%3A", ":")}`;
}

import type { ContentBlock } from "../generated/acp/types.js";
import type { TextElement, UserInput } from "../generated/codex/types.js";
import { unavailableImage } from "./fit.js";
import { type ImageRequest, imageRequest } from "./image-envelope.js";
import { questionReplies, replyBlock } from "./question-reply.js";

/** What reading a native attachment gave: the image, in Base64, or the bytes of one that is too big; null for neither. */
export type ReadImage = { readonly mimeType: string; readonly data: string } | { readonly size: number } | null;

export interface ContentOptions {
  /** As read-only history has it: blocks also say what they were (HIST-55 to HIST-59). */
  readonly origin?: boolean;
  /** What was read of local images, by path. Without it they stay links. */
  readonly images?: ReadonlyMap<string, ReadImage>;
}

/**
 * Codex's input as ACP content: one block per input, but that each answer of a questionnaire is a block of its own.
 * Nothing is read or fetched here: a reference stays a reference, a data URL becomes the image it holds, and of what
 * clients put around the user's words the words are left.
 */
export function contentOf(
  input: readonly UserInput[],
  { origin = false, images }: ContentOptions = {},
): ContentBlock[] {
  const request = imageRequest(input);
  return input.flatMap((it, index) => {
    if (it.type === "text") return request?.index === index ? [wordsOf(it, request, origin)] : textOf(it, origin);
    const block = it.type === "localImage" && images?.has(it.path) ? shown(images.get(it.path)) : blockOf(it);
    return [origin ? withOrigin(block, it) : block];
  });
}

type TextInput = Extract<UserInput, { type: "text" }>;

/** No path is shown of what cannot be (REPLAY-17). */
function shown(image: ReadImage | undefined): ContentBlock {
  if (image == null) return unavailableImage();
  return "size" in image ? unavailableImage(image.size) : { type: "image", mimeType: image.mimeType, data: image.data };
}

function textOf(input: TextInput, origin: boolean): ContentBlock[] {
  const spans = input.text_elements ?? [];
  const replies = spans.length === 0 ? questionReplies(input.text ?? "") : null;
  if (replies) return replies.map(replyBlock);
  return [origin && spans.length > 0 ? withSpans(input.text, spans) : blockOf(input)];
}

/** Also words that look like a reference stay words here. */
function wordsOf({ text_elements }: TextInput, { body, offset }: ImageRequest, origin: boolean): ContentBlock {
  const spans = (text_elements ?? []).map(({ byteRange: { start, end }, ...rest }) => ({
    ...rest,
    byteRange: { start: start - offset, end: end - offset },
  }));
  return origin && spans.length > 0 ? withSpans(body, spans) : { type: "text", text: body };
}

const withSpans = (text: string, textElements: readonly TextElement[]): ContentBlock => ({
  type: "text",
  text,
  _meta: { codex: { textElements } },
});

function withOrigin(block: ContentBlock, input: UserInput): ContentBlock {
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

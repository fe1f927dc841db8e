import type { ContentBlock, ToolCallContent } from "../generated/acp/types.js";
import type { ToolCallUpdateMeta } from "../generated/contract/meta.js";
import { capText } from "./output.js";
import type { ToolView } from "./tool-view.js";

/** Bytes of JSON that one update brings along: with what stands around it, no line passes 24 MiB. */
export const lineLimit = 23 * 1024 * 1024;

/** Bytes of the largest image that is shown. */
export const maxImageBytes = 16 * 1024 * 1024;

/** The same in characters of base64. */
const imageLimit = Math.ceil(maxImageBytes / 3) * 4;

/** Code units that stay of a text that does not fit, and bytes of JSON that are not worth leaving out. */
const textLimit = 1024 * 1024;

type Omission = NonNullable<NonNullable<ToolCallUpdateMeta["codex"]>["omissions"]>[number];

/** Stands for an image that is missing, too big or of an unknown kind; its path is not shown (REPLAY-17). */
export const unavailableImage = (size?: number): ContentBlock => ({
  type: "resource_link",
  name: "image",
  uri: "codex-image:unavailable",
  ...(size === undefined ? {} : { size }),
  _meta: { codex: { imageUnavailable: true } },
});

/** The blocks, with stand-ins for those that no line can hold. */
export function fitContent(blocks: readonly ContentBlock[]): ContentBlock[] {
  if (fits(blocks)) return [...blocks];
  const shown = blocks.map(withoutBigImage);
  for (const index of largestFirst(shown)) {
    if (jsonBytes(shown) <= lineLimit) break;
    shown[index] = standIn(shown[index] ?? unavailableImage());
  }
  return shown;
}

/**
 * The call, without what no line can hold: first what is there twice, then what is the largest. What was left out is
 * named in its metadata; the structured changes of a patch stay.
 */
export function fitTool(view: ToolView): ToolView {
  if (fits(view)) return view;
  const omissions: Omission[] = [];
  let next: ToolView = view;
  const leaveOut = (field: "rawOutput" | "rawInput"): void => {
    const { [field]: value, ...rest } = next;
    // What is small makes no room.
    if (value === undefined || jsonBytes(value) < textLimit || jsonBytes(next) <= lineLimit) return;
    omissions.push({ field, reason: tooBig(jsonBytes(value)) });
    next = rest;
  };
  const content = [...(view.content ?? [])];
  const replace = (index: number, made: (entry: ToolCallContent) => ToolCallContent): void => {
    const entry = content[index];
    const other = entry && made(entry);
    if (!other || other === entry) return;
    omissions.push({ field: entry.type === "diff" ? "patch" : "content", reason: tooBig(jsonBytes(entry)) });
    content[index] = other;
    next = { ...next, content };
  };
  for (const index of content.keys()) replace(index, (entry) => inContent(entry, withoutBigImage));
  leaveOut("rawOutput");
  leaveOut("rawInput");
  for (const index of largestFirst(content)) {
    if (jsonBytes(next) <= lineLimit) break;
    replace(index, (entry) => inContent(withoutPatch(entry), standIn));
  }
  if (omissions.length === 0) return view;
  return { ...next, meta: { ...next.meta, omissions: [...(next.meta?.omissions ?? []), ...omissions] } };
}

export const tooBig = (bytes: number): string => `${bytes} bytes are more than one message may hold`;

const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? "");

/** Certain to fit: JSON writes no code unit of a string in more than six bytes. Cheap, since nearly all calls do. */
const fits = (value: unknown): boolean => 6 * codeUnits(value) <= lineLimit;

function codeUnits(value: unknown): number {
  if (typeof value === "string") return value.length;
  // The longest number, and what stands between members.
  if (!hasMembers(value)) return 5;
  let sum = 1;
  // Every view comes through here: no list of its members is made.
  for (const key in value) sum += key.length + 1 + codeUnits(value[key]);
  return sum;
}

const hasMembers = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null;

const largestFirst = (values: readonly unknown[]): number[] =>
  values
    .map((value, index) => ({ index, bytes: jsonBytes(value) }))
    .sort((a, b) => b.bytes - a.bytes)
    .map(({ index }) => index);

const inContent = (entry: ToolCallContent, change: (block: ContentBlock) => ContentBlock): ToolCallContent => {
  if (entry.type !== "content" || !("content" in entry)) return entry;
  const block = entry["content"] as ContentBlock;
  const changed = change(block);
  return changed === block ? entry : { type: "content", content: changed };
};

function withoutPatch(entry: ToolCallContent): ToolCallContent {
  if (entry.type !== "diff" || !("patch" in entry)) return entry;
  const { patch: _left, ...rest } = entry;
  return rest;
}

const dataOf = (block: ContentBlock): string | null =>
  (block.type === "image" || block.type === "audio") && typeof block["data"] === "string" ? block["data"] : null;

function withoutBigImage(block: ContentBlock): ContentBlock {
  const data = dataOf(block);
  return block.type !== "image" || data === null || data.length <= imageLimit ? block : unavailableImage(sizeOf(data));
}

/** What is shown of a block that does not fit beside the others. */
function standIn(block: ContentBlock): ContentBlock {
  const data = dataOf(block);
  if (data !== null && block.type === "image") return unavailableImage(sizeOf(data));
  if (data !== null) return { type: "text", text: `Audio of ${sizeOf(data)} bytes, too long to be shown.` };
  if (block.type === "text" && typeof block["text"] === "string") {
    return { type: "text", text: `${capText(block["text"], textLimit)}…` };
  }
  return { type: "text", text: `Content of ${jsonBytes(block)} bytes, too long to be shown.` };
}

/** Bytes that so much base64 stands for. */
const sizeOf = (base64: string): number => Math.floor((base64.replace(/=+$/, "").length * 3) / 4);

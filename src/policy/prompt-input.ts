import type { ContentBlock } from "../generated/acp/types.js";
import type { UserInput } from "../generated/codex/types.js";
import { errors } from "../generated/contract/errors.js";

/**
 * A prompt as Codex takes it. References become text that names them, embedded text becomes context, images go inline:
 * nothing is read or fetched, and a host-private URI never leaves (K-23). What cannot be carried is refused before
 * anything is sent.
 */
export const inputOf = (prompt: readonly ContentBlock[]): UserInput[] => prompt.map(inputOfBlock);

export const holdsImage = (prompt: readonly ContentBlock[]): number =>
  prompt.findIndex((block) => block.type === "image" || (block.type === "resource" && imageOf(block) !== null));

const asText = (text: string): UserInput => ({ type: "text", text, text_elements: [] });

function inputOfBlock(block: ContentBlock, index: number): UserInput {
  const member = (name: string): string | null => {
    const value = (block as { readonly [key: string]: unknown })[name];
    return typeof value === "string" ? value : null;
  };
  switch (block.type) {
    case "text":
      return asText(member("text") ?? "");
    case "image":
      return { type: "image", url: `data:${member("mimeType") ?? "image/png"};base64,${member("data") ?? ""}` };
    case "resource_link": {
      const uri = member("uri") ?? "";
      return asText(reference(member("name") ?? uri, uri));
    }
    case "resource":
      return embedded(block, index);
    default:
      throw errors.invalidParams({
        path: `/prompt/${index}/type`,
        expected: 'one of "text", "image", "resource_link", "resource"',
      });
  }
}

/** `[@name](uri)`, which replay turns back into a link (REPLAY-05). */
const reference = (name: string, uri: string): string => `[@${name.replaceAll(/[\]\n]/g, "_")}](${uri})`;

interface Resource {
  readonly uri: string;
  readonly text?: string;
  readonly blob?: string;
  readonly mimeType?: string | null;
}

const resourceOf = (block: ContentBlock): Resource | null =>
  "resource" in block && typeof block.resource === "object" && block.resource !== null
    ? (block.resource as Resource)
    : null;

function imageOf(block: ContentBlock): { readonly mimeType: string; readonly data: string } | null {
  const resource = resourceOf(block);
  if (typeof resource?.blob !== "string" || !resource.mimeType?.startsWith("image/")) return null;
  return { mimeType: resource.mimeType, data: resource.blob };
}

function embedded(block: ContentBlock, index: number): UserInput {
  const image = imageOf(block);
  if (image) return { type: "image", url: `data:${image.mimeType};base64,${image.data}` };
  const resource = resourceOf(block);
  if (typeof resource?.text !== "string") {
    throw errors.invalidParams({ path: `/prompt/${index}/resource`, expected: "a text resource or an image" });
  }
  const name = resource.uri.split("/").findLast((part) => part !== "") ?? resource.uri;
  return asText(`${reference(name, resource.uri)}\n<context ref="${resource.uri}">\n${resource.text}\n</context>`);
}

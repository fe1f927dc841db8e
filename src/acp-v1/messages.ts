import type { ContentBlock } from "../generated/acp/types.js";
import type * as v1 from "../generated/acp-v1/types.js";
import { addText, type GrownText, isTextAt, noText } from "./grown-text.js";
import { isType } from "./known.js";

type ChunkKind = "user_message_chunk" | "agent_message_chunk" | "agent_thought_chunk";
export type Chunk = Extract<v1.SessionUpdate, { sessionUpdate: ChunkKind }>;

/** A message as a whole; without content only its metadata changed. */
interface Snapshot {
  readonly messageId: string;
  readonly content?: readonly ContentBlock[] | null;
  readonly _meta?: { [key: string]: unknown } | null;
}

const isText = isType("text");

/** The blocks that version 1 knows: all that the bridge sends. */
export const blocksOf = (blocks: readonly ContentBlock[]): v1.ContentBlock[] =>
  // Members that version 1 does not name are allowed, and of those it names the types are the same.
  blocks.filter(({ type }) => known.has(type)) as v1.ContentBlock[];

const known: ReadonlySet<string> = new Set(["text", "image", "audio", "resource_link", "resource"]);

/**
 * What a host was shown of each message. In version 1 a message only grows, so a snapshot becomes what the chunks
 * before it have not said. The text is kept as long as its turn runs, then only that the message was told.
 */
export interface Messages {
  /** A chunk is on its way as it is. */
  streamed(messageId: string, content: ContentBlock): void;
  /** The chunks that a snapshot needs; `between` stands between its blocks where they are paragraphs of one text. */
  snapshot(kind: ChunkKind, message: Snapshot, between?: string): Chunk[];
  /** The rest of a text that comes as ever longer snapshots. */
  grown(messageId: string, text: string, meta: Snapshot["_meta"]): Chunk[];
  /** The turn is over: its messages are not streamed any further. */
  settle(): void;
}

export function createMessages(): Messages {
  /** What was streamed of a message that has had no snapshot yet. */
  const open = new Map<string, GrownText>();
  const told = new Set<string>();

  function chunk(kind: ChunkKind, { messageId, _meta }: Snapshot, content: v1.ContentBlock): Chunk {
    const made: Chunk = { sessionUpdate: kind, messageId, content };
    if (_meta != null) made._meta = _meta;
    return made;
  }

  return {
    streamed(messageId, content) {
      if (!isText(content)) return;
      let shown = open.get(messageId);
      if (!shown) {
        shown = noText();
        open.set(messageId, shown);
      }
      addText(shown, content.text);
    },

    snapshot(kind, message, between = "") {
      const { messageId, content } = message;
      if (content == null || told.has(messageId)) return [];
      told.add(messageId);
      const shown = open.get(messageId);
      open.delete(messageId);
      const blocks = blocksOf(content);
      if (shown === undefined) {
        const [only] = blocks;
        // Nearly every stored message is one block.
        if (only !== undefined && blocks.length === 1) return [chunk(kind, message, only)];
        return spaced(blocks, between).map((block) => chunk(kind, message, block));
      }
      const whole = blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join(between);
      const rest = restOf(whole, shown);
      const others = blocks.filter((block) => block.type !== "text");
      return [...rest.map((text): v1.ContentBlock => ({ type: "text", text })), ...others].map((block) =>
        chunk(kind, message, block),
      );
    },

    grown(messageId, text, _meta) {
      const shown = open.get(messageId) ?? noText();
      const rest = restOf(text, shown);
      for (const piece of rest) addText(shown, piece);
      open.set(messageId, shown);
      const message = { messageId, _meta: _meta ?? null };
      return rest.map((piece) => chunk("agent_message_chunk", message, { type: "text", text: piece }));
    },

    settle() {
      for (const messageId of open.keys()) told.add(messageId);
      open.clear();
    },
  };
}

/** What of `whole` is not shown yet; nothing when something else was, since a host cannot take it back. */
const restOf = (whole: string, shown: GrownText): string[] =>
  whole.length > shown.length && isTextAt(shown, whole) ? [whole.slice(shown.length)] : [];

/** Text blocks that follow another one begin with what stands between them. */
const spaced = (blocks: readonly v1.ContentBlock[], between: string): v1.ContentBlock[] =>
  blocks.map((block, index) =>
    block.type === "text" && index > 0 && between !== "" ? { ...block, text: between + block.text } : block,
  );

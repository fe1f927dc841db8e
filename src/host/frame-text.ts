/** A notification whose text differs from the one before in a string only. */
interface ChunkFrame {
  readonly params: {
    readonly sessionId: string;
    readonly update: {
      readonly sessionUpdate: string;
      readonly messageId: string;
      readonly content: { readonly type: string; readonly text: string };
      readonly _meta: object;
    };
  };
}

/** The text of a message's chunks on both sides of the piece of the message. */
interface Around {
  readonly sessionId: string;
  readonly messageId: string;
  readonly head: string;
  readonly tail: string;
}

/** Stands where the piece of the message goes; a frame that has it elsewhere is written in the plain way. */
const mark = "\u0000piece\u0000";

/**
 * The JSON text of a frame, letter for letter what `JSON.stringify` gives. Chunks of one message share their `_meta`
 * object, which nothing may change; all around the piece of text is made once for it, as it is far longer than the piece.
 */
export function createFrameText(): (frame: object) => string {
  const known = new WeakMap<object, Around | null>();

  return (frame) => {
    if (!isChunk(frame)) return JSON.stringify(frame);
    const { sessionId, update } = frame.params;
    const around = known.get(update._meta);
    if (around === undefined) {
      // A lone chunk, or metadata made for this one alone: not worth the work yet.
      known.set(update._meta, null);
      return JSON.stringify(frame);
    }
    if (around === null || around.sessionId !== sessionId || around.messageId !== update.messageId) {
      const made = textAround(frame);
      if (made) known.set(update._meta, made);
      return JSON.stringify(frame);
    }
    return around.head + JSON.stringify(update.content.text) + around.tail;
  };
}

function textAround(frame: ChunkFrame): Around | null {
  const { params } = frame;
  const { update } = params;
  const marked = { ...frame, params: { ...params, update: { ...update, content: { ...update.content, text: mark } } } };
  const [head, tail, ...more] = JSON.stringify(marked).split(JSON.stringify(mark));
  if (head === undefined || tail === undefined || more.length > 0) return null;
  return { sessionId: params.sessionId, messageId: update.messageId, head, tail };
}

/** Looks no closer than it must: what is off in any way is written in the plain way. */
function isChunk(frame: { readonly params?: Partial<ChunkFrame["params"]> }): frame is ChunkFrame {
  const update = frame.params?.update;
  return update?.sessionUpdate === "agent_message_chunk" && update._meta != null && update.content.type === "text";
}

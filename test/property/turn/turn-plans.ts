import fc from "fast-check";
import type { FileUpdateChange, ThreadItem, TurnError } from "../../../src/generated/codex/types.js";
import { threadItems } from "../../../src/generated/testing/arbitraries.js";
import type { ItemOf } from "../../../src/testing/scripted-codex/items.js";

/** Pieces that Codex sends of an item while it is open. */
export type Piece =
  | { readonly kind: "message" | "summary" | "raw" | "plan" | "output" | "stdin" | "progress"; readonly text: string }
  | { readonly kind: "patch"; readonly changes: FileUpdateChange[] };

/** An item from its start to its end. */
export interface ItemPlan {
  readonly started: ThreadItem;
  readonly pieces: readonly Piece[];
  /** As it ends; null for one that its turn leaves open. */
  readonly ended: ThreadItem | null;
  /** It ends after all other items have begun. */
  readonly late: boolean;
  /** Codex tells of its end alone. */
  readonly silent: boolean;
  /** How Codex records one that its turn leaves open; null when it does not, as the newer ones. */
  readonly left: ThreadItem | null;
}

export interface TurnPlan {
  readonly prompt: string;
  readonly items: readonly ItemPlan[];
  readonly end: "completed" | "interrupted" | "failed";
  readonly error: TurnError;
}

type Shape = Pick<ItemPlan, "started" | "pieces" | "ended">;

const words = fc.oneof(fc.lorem({ maxCount: 4 }), fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }));
const pieces = (kind: Exclude<Piece["kind"], "patch">) =>
  fc.array(words, { maxLength: 3 }).map((texts) => texts.map((text): Piece => ({ kind, text })));

/** Ends as the real Codex's do: with a status of its own, and with a result where the kind has one. */
const ends = ["completed", "failed"] as const;
const endsOfCommands = ["completed", "failed", "declined"] as const;

const message = fc
  .record({ item: threadItems.agentMessage(), deltas: pieces("message"), same: fc.boolean() })
  .map(({ item, deltas, same }): Shape => {
    const text = same ? deltas.map((it) => (it.kind === "patch" ? "" : it.text)).join("") : item.text;
    return { started: { ...item, text: "" }, pieces: deltas, ended: { ...item, text } };
  });

const reasoning = fc
  .record({ item: threadItems.reasoning(), summary: pieces("summary"), raw: pieces("raw") })
  .map(({ item, summary, raw }): Shape => {
    const texts = (list: readonly Piece[]) => list.map((it) => (it.kind === "patch" ? "" : it.text));
    return {
      started: { ...item, summary: [], content: [] },
      pieces: [...summary, ...raw],
      // What was streamed is part of what is kept.
      ended: { ...item, summary: texts(summary), content: texts(raw) },
    };
  });

const plan = fc
  .record({ item: threadItems.plan(), drafts: pieces("plan") })
  .map(({ item, drafts }): Shape => ({ started: { ...item, text: "" }, pieces: drafts, ended: item }));

const command = fc
  .record({
    item: threadItems.commandExecution(),
    output: fc.array(words, { maxLength: 3 }),
    lost: fc.boolean(),
    stdin: pieces("stdin"),
    status: fc.constantFrom(...endsOfCommands),
  })
  .map(({ item, output, lost, stdin, status }): Shape => {
    const started: ItemOf<"commandExecution"> = {
      ...item,
      status: "inProgress",
      aggregatedOutput: null,
      exitCode: null,
      durationMs: null,
    };
    const told = lost ? output.slice(1) : output;
    return {
      started,
      pieces: [...told.map((text): Piece => ({ kind: "output", text })), ...stdin],
      ended: {
        ...started,
        status,
        aggregatedOutput: output.length === 0 ? null : output.join(""),
        exitCode: item.exitCode ?? 0,
        durationMs: item.durationMs ?? 1,
      },
    };
  });

const fileChange = fc
  .record({ item: threadItems.fileChange(), grows: fc.boolean(), status: fc.constantFrom(...endsOfCommands) })
  .map(({ item, grows, status }): Shape => {
    const { changes } = item;
    return {
      started: { ...item, status: "inProgress", changes: grows ? changes.slice(1) : changes },
      pieces: grows ? [{ kind: "patch", changes }] : [],
      ended: { ...item, status },
    };
  });

const mcp = fc
  .record({
    item: threadItems.mcpToolCall(),
    progress: pieces("progress"),
    text: words,
    status: fc.constantFrom(...ends),
  })
  .map(({ item, progress, text, status }): Shape => {
    const started = { ...item, status: "inProgress" as const, result: null, error: null, durationMs: null };
    const ended: ItemOf<"mcpToolCall"> = {
      ...item,
      status,
      result: status === "completed" ? { content: [{ type: "text", text }], structuredContent: null } : null,
      error: status === "completed" ? null : { message: text },
    };
    return { started, pieces: progress, ended };
  });

const dynamicTool = fc.record({ item: threadItems.dynamicToolCall(), status: fc.constantFrom(...ends) }).map(
  ({ item, status }): Shape => ({
    started: { ...item, status: "inProgress", contentItems: null, success: null, durationMs: null },
    pieces: [],
    ended: { ...item, status },
  }),
);

const collab = fc.record({ item: threadItems.collabAgentToolCall(), status: fc.constantFrom(...ends) }).map(
  ({ item, status }): Shape => ({
    started: { ...item, status: "inProgress" },
    pieces: [],
    ended: { ...item, status },
  }),
);

/** Kinds that have no status: they are whole from the start, or get a result at their end. */
const plain = (items: fc.Arbitrary<ThreadItem>): fc.Arbitrary<Shape> =>
  items.map((item) => ({ started: item, pieces: [], ended: item }));

const imageGeneration = threadItems.imageGeneration().map((item): Shape => {
  const { id, type } = item;
  return {
    started: { type, id, status: item.status, result: "" } as ItemOf<"imageGeneration">,
    pieces: [],
    ended: item,
  };
});

const userInput = threadItems.userMessage().map((item): Shape => {
  // Local images are links while the turn runs (see the differences).
  const whole = { ...item, clientId: null };
  return { started: whole, pieces: [], ended: whole };
});

const shapes = fc.oneof(
  { weight: 3, arbitrary: message },
  { weight: 2, arbitrary: reasoning },
  plan,
  { weight: 3, arbitrary: command },
  { weight: 2, arbitrary: fileChange },
  { weight: 2, arbitrary: mcp },
  dynamicTool,
  collab,
  imageGeneration,
  userInput,
  plain(threadItems.hookPrompt()),
  plain(threadItems.functionCallOutput()),
  plain(threadItems.subAgentActivity()),
  plain(threadItems.webSearch()),
  plain(threadItems.imageView()),
  plain(threadItems.sleep()),
  plain(threadItems.enteredReviewMode()),
  plain(threadItems.exitedReviewMode()),
  plain(threadItems.contextCompaction()),
);

const withId = (item: ThreadItem, id: string): ThreadItem => {
  const { startedAtMs: _start, completedAtMs: _end, ...rest } = item;
  return { ...rest, id } as ThreadItem;
};

const itemPlan = fc
  .record({ shape: shapes, fate: fc.constantFrom("ends", "ends", "ends", "ends", "late", "open", "left", "silent") })
  .map(({ shape, fate }) => ({ shape, fate }));

/** What says itself that it has not ended is recorded as far as it was told. */
function leftOf(item: ThreadItem, told: readonly Piece[]): ThreadItem | null {
  if (!("status" in item) || item.status !== "inProgress") return null;
  const patch = told.findLast((piece) => piece.kind === "patch");
  if (item.type === "fileChange" && patch) return { ...item, changes: patch.changes };
  const output = told.flatMap((piece) => (piece.kind === "output" ? [piece.text] : [])).join("");
  return item.type === "commandExecution" && output !== "" ? { ...item, aggregatedOutput: output } : item;
}

/** A turn as the scripted Codex can send it: every kind of item, with all that is said of it, in every order. */
export const turnPlans: fc.Arbitrary<TurnPlan> = fc
  .record({
    prompt: fc.lorem({ maxCount: 3 }),
    items: fc.array(itemPlan, { maxLength: 6 }),
    end: fc.constantFrom("completed" as const, "completed" as const, "interrupted" as const, "failed" as const),
    message: words,
  })
  .map(({ prompt, items, end, message: text }) => ({
    prompt,
    end,
    error: { message: text, codexErrorInfo: "other", additionalDetails: null } satisfies TurnError,
    items: items.map(({ shape, fate }, index): ItemPlan => {
      const id = `${index}-${shape.started.type}`;
      return {
        started: withId(shape.started, id),
        pieces: shape.pieces,
        ended: fate === "open" || fate === "left" || shape.ended === null ? null : withId(shape.ended, id),
        late: fate === "late",
        silent: fate === "silent",
        left: fate === "left" ? leftOf(withId(shape.started, id), shape.pieces) : null,
      };
    }),
  }));

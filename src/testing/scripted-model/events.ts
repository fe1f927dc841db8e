import type { ModelUsage, Part } from "./steps.js";

export type StreamEvent = { readonly type: string; readonly [member: string]: unknown };

/** Gives every response its own ids: Codex takes item ids from the stream, so a repeated one would be a repeated item. */
export type FreshId = (prefix: "resp" | "msg" | "rs" | "fc" | "call") => string;

export function usageEvent(id: string, counts: ModelUsage): StreamEvent {
  const { inputTokens = 10, cachedInputTokens = 0, outputTokens = 5, reasoningTokens = 0 } = counts;
  return {
    type: "response.completed",
    response: {
      id,
      usage: {
        input_tokens: inputTokens,
        input_tokens_details: { cached_tokens: cachedInputTokens },
        output_tokens: outputTokens,
        output_tokens_details: { reasoning_tokens: reasoningTokens },
        total_tokens: inputTokens + outputTokens,
      },
    },
  };
}

function messageEvents(part: Extract<Part, { kind: "message" }>, index: number, fresh: FreshId): StreamEvent[] {
  const id = fresh("msg");
  const phase = part.phase === undefined ? {} : { phase: part.phase };
  const item = { type: "message", role: "assistant", id, ...phase };
  const done = { ...item, content: [{ type: "output_text", text: part.text }] };
  const events: StreamEvent[] = [];
  if (part.deltas !== null) {
    events.push({ type: "response.output_item.added", output_index: index, item: { ...item, content: [] } });
    for (const delta of part.deltas) {
      events.push({ type: "response.output_text.delta", item_id: id, output_index: index, content_index: 0, delta });
    }
  }
  events.push({ type: "response.output_item.done", output_index: index, item: done });
  return events;
}

function reasoningEvents(part: Extract<Part, { kind: "reasoning" }>, index: number, fresh: FreshId): StreamEvent[] {
  const item_id = fresh("rs");
  const at = { item_id, output_index: index };
  const item = { type: "reasoning", id: item_id };
  return [
    { type: "response.output_item.added", output_index: index, item: { ...item, summary: [] } },
    ...part.summary.flatMap((delta, summary_index) => [
      { type: "response.reasoning_summary_part.added", ...at, summary_index, part: { type: "summary_text", text: "" } },
      { type: "response.reasoning_summary_text.delta", ...at, summary_index, delta },
    ]),
    ...part.content.map((delta, content_index) => ({
      type: "response.reasoning_text.delta",
      ...at,
      content_index,
      delta,
    })),
    {
      type: "response.output_item.done",
      output_index: index,
      item: {
        ...item,
        summary: part.summary.map((text) => ({ type: "summary_text", text })),
        content: part.content.map((text) => ({ type: "reasoning_text", text })),
      },
    },
  ];
}

/** The events of one part; none for a part that is no output. `index` is its place among the outputs. */
export function eventsOf(part: Part, index: number, fresh: FreshId): StreamEvent[] {
  if (part.kind === "message") return messageEvents(part, index, fresh);
  if (part.kind === "reasoning") return reasoningEvents(part, index, fresh);
  if (part.kind === "event") return [part.event];
  if (part.kind !== "item") return [];
  const call = part.item.type.endsWith("tool_call") || part.item.type === "function_call";
  const ids = call ? { id: fresh("fc"), call_id: fresh("call") } : { id: fresh("fc") };
  return [{ type: "response.output_item.done", output_index: index, item: { ...ids, ...part.item } }];
}

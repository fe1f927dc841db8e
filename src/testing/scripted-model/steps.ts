/** Token counts of `response.completed`. Default: 10 in, 5 out. */
export interface ModelUsage {
  readonly inputTokens?: number;
  readonly cachedInputTokens?: number;
  readonly outputTokens?: number;
  readonly reasoningTokens?: number;
}

/** One thing a scripted response does. Parts run in order; `response.created` and `response.completed` come by themselves. */
export type Part =
  | {
      readonly kind: "message";
      readonly text: string;
      readonly phase?: "commentary" | "final_answer";
      readonly deltas: readonly string[] | null;
    }
  | { readonly kind: "reasoning"; readonly summary: readonly string[]; readonly content: readonly string[] }
  | { readonly kind: "item"; readonly item: { readonly type: string; readonly [member: string]: unknown } }
  | { readonly kind: "event"; readonly event: { readonly type: string; readonly [member: string]: unknown } }
  | { readonly kind: "usage"; readonly usage: ModelUsage }
  | { readonly kind: "headers"; readonly headers: Readonly<Record<string, string>> }
  | {
      readonly kind: "http-error";
      readonly status: number;
      readonly body: unknown;
      readonly headers: Readonly<Record<string, string>>;
    }
  | { readonly kind: "failed"; readonly code: string; readonly message: string }
  | { readonly kind: "incomplete"; readonly reason: string }
  | { readonly kind: "cut" }
  | { readonly kind: "stall" }
  | { readonly kind: "wait"; readonly until: Promise<unknown> };

/** One response of the model. */
export type Step = Part | readonly Part[];

export interface ModelScript {
  /** Chosen when the newest user message with any script's key holds this one; `""` takes what no other script takes. */
  readonly key: string;
  /** One per request: the n-th answers the request with n tool outputs after the user message. */
  readonly steps: readonly Step[];
}

export interface MessageOptions {
  readonly text: string;
  /** What Codex marks the message with; null there when left out. */
  readonly phase?: "commentary" | "final_answer";
  /** The streamed pieces. Default: `text` cut after each space. `null`: the finished message alone. */
  readonly deltas?: readonly string[] | null;
}

/** An answer in words. */
export function message(options: string | MessageOptions): Part {
  const { text, phase, deltas } = typeof options === "string" ? { text: options } : options;
  const pieces = deltas === undefined ? (text.match(/\S*\s*/g)?.filter((piece) => piece !== "") ?? []) : deltas;
  return phase === undefined
    ? { kind: "message", text, deltas: pieces }
    : { kind: "message", text, phase, deltas: pieces };
}

/** Thoughts: summary parts, each streamed as one delta, and raw content, which most models do not show. */
export const reasoning = (summary: readonly string[], content: readonly string[] = []): Part => ({
  kind: "reasoning",
  summary,
  content,
});

/** A call of a function tool; `args` become its JSON arguments. */
export const functionCall = (name: string, args: object, options: { readonly namespace?: string } = {}): Part => ({
  kind: "item",
  item: { type: "function_call", name, arguments: JSON.stringify(args), ...options },
});

export interface ExecOptions {
  readonly yield_time_ms?: number;
  readonly tty?: boolean;
  readonly workdir?: string;
  readonly sandbox_permissions?: "use_default" | "require_escalated";
  readonly justification?: string;
  readonly prefix_rule?: readonly string[];
}

/** A shell command. */
export const execCommand = (cmd: string, options: ExecOptions = {}): Part =>
  functionCall("exec_command", { cmd, ...options });

/** A patch, from `*** Begin Patch` to `*** End Patch`. */
export const applyPatch = (input: string): Part => ({
  kind: "item",
  item: { type: "custom_tool_call", name: "apply_patch", input },
});

export const webSearch = (query: string): Part => ({
  kind: "item",
  item: { type: "web_search_call", status: "completed", action: { type: "search", query } },
});

/** Any server-sent event. */
export const event = (data: { readonly type: string; readonly [member: string]: unknown }): Part => ({
  kind: "event",
  event: data,
});

export const usage = (counts: ModelUsage): Part => ({ kind: "usage", usage: counts });

/** Headers of the response, e.g. `openai-model`. */
export const responseHeaders = (headers: Readonly<Record<string, string>>): Part => ({ kind: "headers", headers });

/** An HTTP error in place of a stream: all other parts of its step are left out. `body` is sent as JSON. */
export const httpError = (
  status: number,
  body: unknown = {},
  headers: Readonly<Record<string, string>> = {},
): Part => ({
  kind: "http-error",
  status,
  body,
  headers,
});

/** Ends the stream with `response.failed`. */
export const responseFailed = (code: string, text = `scripted ${code}`): Part => ({
  kind: "failed",
  code,
  message: text,
});

/** Ends the stream with `response.incomplete`, e.g. for `max_output_tokens`. */
export const responseIncomplete = (reason: string): Part => ({ kind: "incomplete", reason });

/** Breaks the connection here. */
export const cut = (): Part => ({ kind: "cut" });

/** Says nothing more and keeps the connection open until the other side, or the server, closes it. */
export const stall = (): Part => ({ kind: "stall" });

/** Goes on when `until` resolves. */
export const waitFor = (until: Promise<unknown>): Part => ({ kind: "wait", until });

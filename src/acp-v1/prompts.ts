import type { PromptResponse, StopReason, Usage } from "../generated/acp-v1/types.js";
import { isObject } from "../runtime/index.js";
import { metaOf } from "./known.js";

export type RequestId = string | number;

/** How an open `session/prompt` is answered. */
export type Answer =
  | { readonly result: PromptResponse }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } };

/** A state of a session, as far as prompts depend on it. */
interface State {
  readonly state: string;
  readonly stopReason?: unknown;
  readonly error?: unknown;
  readonly usage?: unknown;
  readonly _meta?: object | null;
}

interface Prompt {
  readonly id: RequestId;
  readonly receipt: string;
  /** `_meta` of the bridge's own answer; undefined before it. */
  accepted: object | null | undefined;
  /** The running turn took it in. */
  inTurn: boolean;
  /** Its turn ended before the bridge answered. */
  end: Answer | null;
}

/** The open prompts of one session. In version 1 a prompt is answered when its turn is over. */
export interface Prompts {
  asked(id: RequestId, receipt: string): void;
  /** The bridge has taken it; `result` is its answer, at once. */
  accepted(id: RequestId, result: { readonly _meta?: object | null }): void;
  /** The bridge refused it, and the host has been told. */
  refused(id: RequestId): void;
  state(update: State): void;
  /** An update of a user message says what became of it. */
  message(receipt: string, meta: object | null | undefined): void;
  /** True when the host wrote that message, and so shows it. */
  isOwn(receipt: string): boolean;
  /** The host begins anew: it shows nothing of what it wrote before. */
  shownAnew(): void;
  /** True for an accepted prompt that waits for the end of its turn. */
  isOpen(id: RequestId): boolean;
  /** Answers what no turn took in and none will: no turn runs, and nothing more is on its way. */
  settle(): void;
  /** The session is gone. */
  close(): void;
  readonly waiting: boolean;
}

const stopReasons: ReadonlySet<string> = new Set<StopReason>([
  "end_turn",
  "max_tokens",
  "max_turn_requests",
  "refusal",
  "cancelled",
]);

const isStopReason = (value: string): value is StopReason => stopReasons.has(value);

const cancelled: Answer = { result: { stopReason: "cancelled" } };

export function createPrompts(answer: (id: RequestId, answer: Answer) => void): Prompts {
  const open = new Map<string, Prompt>();
  const own = new Set<string>();
  let running: { readonly owner: unknown } | null = null;
  let last: Answer = cancelled;

  const byId = (id: RequestId): Prompt | undefined => [...open.values()].find((prompt) => prompt.id === id);

  function finish(prompt: Prompt, end: Answer): void {
    if (prompt.accepted === undefined) {
      prompt.end = end;
      return;
    }
    open.delete(prompt.receipt);
    answer(prompt.id, "result" in end ? { result: { ...end.result, ...metaOf({ _meta: prompt.accepted }) } } : end);
  }

  return {
    asked(id, receipt) {
      own.add(receipt);
      open.set(receipt, { id, receipt, accepted: undefined, inTurn: false, end: null });
    },
    accepted(id, { _meta }) {
      const prompt = byId(id);
      if (!prompt) return;
      prompt.accepted = _meta ?? null;
      if (running && steeredIn(_meta)) prompt.inTurn = true;
      if (prompt.end) finish(prompt, prompt.end);
    },
    refused(id) {
      const prompt = byId(id);
      if (prompt) open.delete(prompt.receipt);
    },
    state(update) {
      if (update.state === "running" || update.state === "requires_action") {
        const owner = ownerOf(update);
        if (running?.owner !== owner) running = { owner };
        const prompt = typeof owner === "string" ? open.get(owner) : undefined;
        if (prompt) prompt.inTurn = true;
        return;
      }
      running = null;
      if (update.state !== "idle" || update.stopReason == null) return;
      last = answerOf(update);
      for (const prompt of [...open.values()]) if (prompt.inTurn) finish(prompt, last);
    },
    message(receipt, meta) {
      const prompt = open.get(receipt);
      const codex = isObject(meta) ? meta["codex"] : undefined;
      if (!prompt || prompt.inTurn || !isObject(codex)) return;
      if (codex["turnInterrupted"] === true) finish(prompt, cancelled);
      else if (running && typeof codex["turnId"] === "string") prompt.inTurn = true;
    },
    isOwn: (receipt) => own.has(receipt),
    shownAnew: () => own.clear(),
    isOpen(id) {
      const prompt = byId(id);
      return prompt !== undefined && prompt.accepted !== undefined;
    },
    settle() {
      if (running) return;
      for (const prompt of [...open.values()]) if (prompt.accepted !== undefined) finish(prompt, last);
    },
    close() {
      running = null;
      for (const prompt of [...open.values()]) finish(prompt, cancelled);
    },
    get waiting() {
      return running === null && [...open.values()].some(({ accepted }) => accepted !== undefined);
    },
  };
}

function answerOf({ stopReason, error, usage }: State): Answer {
  if (stopReason === "error") {
    const { code, message, data } = isObject(error) ? error : {};
    return {
      error: {
        code: typeof code === "number" ? code : -32603,
        message: typeof message === "string" ? message : "The turn failed.",
        ...(data === undefined ? {} : { data }),
      },
    };
  }
  const known = typeof stopReason === "string" && isStopReason(stopReason) ? stopReason : "end_turn";
  // The counts of a turn are the same in both versions.
  return { result: { stopReason: known, ...(usage == null ? {} : { usage: usage as Usage }) } };
}

/** The prompt that a state frame's turn belongs to. */
function ownerOf({ _meta }: { readonly _meta?: unknown }): unknown {
  const alwith = isObject(_meta) ? _meta["alwith"] : undefined;
  return isObject(alwith) ? alwith["messageId"] : undefined;
}

/** The bridge says which turn took the prompt in, when it was one that ran. */
function steeredIn(meta: unknown): boolean {
  const codex = isObject(meta) ? meta["codex"] : undefined;
  return isObject(codex) && typeof codex["steered"] === "string";
}

/** The steps of the model, on the ground `real`. Part of the case files' format: see `format.ts`. */

import type { AnyStep, Pattern, Template } from "./step-format.js";

/**
 * The model answers the next request of a turn that the host has prompted. A turn makes one request, and one more after
 * each call. On the ground `real` alone, like the other steps of the model.
 */
export interface ModelStep extends AnyStep {
  readonly model: ModelSays | readonly ModelSays[];
  /** What the newest user message of the request says, where it is no prompt of the host. Stands before the request. */
  readonly to?: Pattern;
}

/** What the model says, piece by piece. */
export type ModelSays =
  | {
      readonly message: string;
      readonly phase?: "commentary" | "final_answer";
      /** How it is streamed; null: the finished message alone. */
      readonly deltas?: readonly string[] | null;
    }
  | { readonly reasoning: readonly string[]; readonly content?: readonly string[] }
  /** A shell command; `asking`: with leave to run outside the sandbox, for this reason. */
  | { readonly exec: string; readonly asking?: string }
  /** Any function tool. */
  | { readonly calls: string; readonly arguments: { readonly [name: string]: Template }; readonly namespace?: string }
  /** From `*** Begin Patch` to `*** End Patch`. */
  | { readonly patches: string }
  | {
      readonly usage: {
        readonly inputTokens?: number;
        readonly cachedInputTokens?: number;
        readonly outputTokens?: number;
        readonly reasoningTokens?: number;
      };
    }
  /** Says nothing until the step `modelGoesOn` of this name. */
  | { readonly waits: string }
  /** An HTTP error in place of all else. */
  | { readonly status: number; readonly body?: Template }
  /** The answer ends as failed, with this code. */
  | { readonly fails: string }
  /** The connection breaks. */
  | { readonly breaks: true };

/** The model has been asked this: a body of the Responses API. Binds it. */
export interface ModelSeesStep extends AnyStep {
  readonly modelSees: Pattern;
  /** `path` and `headers` of the request, the headers' names in small letters. */
  readonly http?: Pattern;
  readonly as?: string;
  /** Look from the first request, not from the last that was seen. */
  readonly anywhere?: true;
}

/** An answer that `waits` goes on. */
export interface ModelGoesOnStep extends AnyStep {
  readonly modelGoesOn: string;
}

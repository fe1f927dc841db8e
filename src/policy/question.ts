import type { ClientCapabilities, PermissionOption } from "../generated/acp/types.js";
import type { AskedOfHost, ServerRequests } from "../generated/codex/dispatch.js";
import type { ThreadItem } from "../generated/codex/types.js";
import type {
  ElicitationCreateParams,
  ElicitationCreateResult,
  RequestPermissionParams,
  ToolCallParams,
  ToolCallResult,
} from "../generated/contract/types.js";
import type { Update } from "../projection/update.js";
import type { SessionState } from "../session/turn/state.js";

/** A request of Codex, and what is known around it. */
export interface Asked<Params> {
  readonly params: Params;
  readonly sessionId: string;
  readonly state: SessionState;
  /** What the host declared in `initialize`. */
  readonly capabilities: ClientCapabilities;
  /** Items that an approval without an item id was already tied to. */
  readonly claimed: ReadonlySet<string>;
  /** The host's revision of the tools it gave when it opened the session; null when it gave none. */
  readonly toolSetRevision: string | number | null;
  /** The mode asks the user for nothing. */
  readonly fullAccess: boolean;
  /** An id nobody has used. */
  newId(): string;
}

/** How a request of Codex is dealt with: at once, or by asking the host. A pure function decides; the desk acts. */
export type Reply<Result> =
  | Settled<Result>
  | PermissionQuestion<Result>
  | ElicitationQuestion<Result>
  | ClientCall<Result>;

/** The host need not, or cannot, be asked. */
export interface Settled<Result> {
  readonly kind: "settled";
  readonly result: Result;
  /** What the host is told of it. */
  readonly say?: Update;
}

interface Question<Result> {
  /** The turn waits for the answer: the session requires action until it is there (D-19). */
  readonly blocking: boolean;
  /** What Codex is told when no answer comes: cancelled, failed, withdrawn, or nothing the contract knows. */
  readonly unanswered: Result;
  /** Said beside the question. */
  readonly say?: Update;
}

export interface PermissionQuestion<Result> extends Question<Result> {
  readonly kind: "permission";
  readonly request: RequestPermissionParams;
  /** What each advertised option tells Codex. */
  readonly decisions: ReadonlyMap<string, Result>;
  /** What an option that was not advertised tells Codex. */
  readonly unknown: Result;
  readonly call: CallOfQuestion;
}

/**
 * The tool call a permission is about. `announced`: the host knows it. `unannounced`: Codex has an item that the host
 * was not told of, which has to come first. `own`: there is no item; the question's subject creates the call, and the
 * end of the question ends it.
 */
export type CallOfQuestion =
  | { readonly kind: "announced"; readonly claims?: string }
  | { readonly kind: "unannounced"; readonly item: ThreadItem; readonly turnId: string; readonly startedAtMs: number }
  | { readonly kind: "own"; readonly toolCallId: string };

export interface ElicitationQuestion<Result> extends Question<Result> {
  readonly kind: "elicitation";
  readonly request: ElicitationCreateParams;
  decide(answer: ElicitationCreateResult): Result;
  /** The host is told of the end once Codex resolves the request (ELIC-05). */
  readonly completes?: string;
}

/** The host runs the tool, once the user has agreed to it. */
export interface ClientCall<Result> {
  readonly kind: "call";
  /** The tool call it is about. */
  readonly call: CallOfQuestion;
  readonly request: ToolCallParams;
  /** Asked first; null when the mode needs no asking (CTOOL-12). Any option but one that allows ends the call. */
  readonly permission: PermissionQuestion<Result> | null;
  /** What Codex is told when it has used the id for another call (CTOOL-17). */
  readonly conflict: Result;
  /** What Codex is told when the call is taken back. */
  readonly unanswered: Result;
  readonly say?: never;
  decide(result: ToolCallResult): Result;
  /** The host answered with an error, or is gone. */
  failed(reason: string): Result;
  /** The host's result is off its schema (CTOOL-09). */
  invalid(path: string, expected: string): Result;
}

/** How each request that is put to the host becomes a question. */
export type Questions = {
  readonly [Key in AskedOfHost]: (asked: Asked<ServerRequests[Key]["params"]>) => Reply<ServerRequests[Key]["result"]>;
};

/** One option and what it tells Codex. */
export interface Choice<Result> {
  readonly option: PermissionOption;
  readonly decision: Result;
}

export const settled = <Result>(result: Result): Settled<Result> => ({ kind: "settled", result });

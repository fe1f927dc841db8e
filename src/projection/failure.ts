import type { CodexErrorInfo, Turn, TurnError } from "../generated/codex/types.js";
import { errors } from "../generated/contract/errors.js";
import { stopReasons } from "../generated/contract/tables.js";
import type { TurnOutcome } from "./items.js";
import { turnMeta } from "./message.js";
import type { Update } from "./update.js";

/** Codex's word for the kind of an error: a name, or an object whose only key is the name. */
export function categoryOf(info: CodexErrorInfo | null | undefined): string {
  if (typeof info === "string") return info;
  if (typeof info === "object" && info !== null) return Object.keys(info)[0] ?? "other";
  return "other";
}

/** Kinds that the same prompt may get past by itself later. A hint for people: nothing is sent again (REC-15). */
const retryable: ReadonlySet<string> = new Set([
  "rateLimitExceeded",
  "flexUnavailable",
  "serverOverloaded",
  "policyCapacityUnavailable",
  "internalServerError",
  "httpConnectionFailed",
  "responseStreamConnectionFailed",
  "responseStreamDisconnected",
  "responseTooManyFailedAttempts",
]);

export const isRetryable = (category: string): boolean => retryable.has(category);

type Chunk = Extract<Update, { sessionUpdate: "agent_message_chunk" }>;

/** The text of a failed turn, as a message of its own with Codex's diagnostics (STATE-09, REC-14). */
export function turnFailure(messageId: string, failure: TurnError, turn: { readonly turnId: string | null }): Chunk {
  const category = categoryOf(failure.codexErrorInfo);
  return {
    sessionUpdate: "agent_message_chunk",
    messageId,
    content: { type: "text", text: failure.message },
    _meta: {
      codex: {
        ...(turn.turnId === null ? {} : turnMeta({ turnId: turn.turnId, turnStartedAt: null })),
        error: {
          message: failure.message,
          codexErrorInfo: failure.codexErrorInfo ?? null,
          additionalDetails: failure.additionalDetails ?? null,
          category,
          retryable: isRetryable(category),
        },
      },
    },
  };
}

/** The same message of a stored turn, whole; none for a turn that did not fail. */
export function storedFailure({ id, status, error }: Pick<Turn, "id" | "status" | "error">): Update[] {
  if (status !== "failed" || error == null) return [];
  const { messageId, content, _meta } = turnFailure(failureId(id), error, { turnId: id });
  return [{ sessionUpdate: "agent_message", messageId, content: [content], ...(_meta && { _meta }) }];
}

/** The message that tells of a turn's error, live and replayed. */
export const failureId = (turn: string): string => `error-${turn}`;

const reasonByCategory: ReadonlyMap<string, string> = new Map(
  stopReasons.flatMap((row) =>
    "codexErrorInfo" in row ? row.codexErrorInfo.map((info) => [info, row.stopReason]) : [],
  ),
);

/** `stopReason` of the idle frame, and its `error` where there is one (STATE-07, STATE-10, REC-11 to REC-13, A-31). */
export function stopReasonOf(outcome: TurnOutcome, failure: TurnError | null) {
  if (outcome === "completed") return { stopReason: "end_turn" };
  if (outcome === "cancelled") return { stopReason: "cancelled" };
  const category = categoryOf(failure?.codexErrorInfo);
  const reason = reasonByCategory.get(category);
  if (reason !== undefined && reason !== "error") return { stopReason: reason };
  const message = failure?.message ?? "The turn failed.";
  const { code, data } = errors.turnFailed({ message, category, retryable: isRetryable(category) });
  return { stopReason: "error", error: { code, message, data } };
}

import { type CodexErrorKind, codexErrorKind } from "../codex/error-text.js";
import { CodexLostError, CodexRequestError } from "../codex/errors.js";
import type { CodexFailure } from "../policy/services.js";

/** What became of a request to Codex; null for an error that is none of Codex's. */
export function failureOf(error: unknown): CodexFailure | null {
  if (error instanceof CodexLostError) return { type: "lost", message: error.message };
  if (!(error instanceof CodexRequestError)) return null;
  const { code, message, data } = error;
  return { type: "refused", kind: codexErrorKind(error), code, message, data };
}

/** What a refusal of Codex means; null for what is none, or says nothing known. */
export const errorKind = (error: unknown): CodexErrorKind | null =>
  error instanceof CodexRequestError ? codexErrorKind(error) : null;

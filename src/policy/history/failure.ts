import { errors } from "../../generated/contract/errors.js";
import { ContractError } from "../../runtime/index.js";
import type { CodexFailure, Services } from "../services.js";

/**
 * Whatever a history request met, as the host is told it: with a reason and whether to try again, and with Codex's own
 * code and data where the failure was Codex's (HIST-66 to HIST-68, A-24).
 */
export function toHistoryError(services: Services, error: unknown, sessionId: string): unknown {
  if (error instanceof ContractError) return ofContract(error);
  const failure = services.codex.failureOf(error);
  if (failure === null) return error;
  if (failure.type === "lost") {
    return errors.historyUnavailable({ details: failure.message, native: undefined }, { cause: error });
  }
  return ofRefusal(failure, sessionId, error);
}

/** No Codex could be had. Errors of history itself are as they should be. */
function ofContract(error: ContractError): ContractError {
  switch (error.kind) {
    case "codex_too_old":
      return errors.historyUnsupported({ details: error.message, native: undefined }, { cause: error });
    case "codex_lost":
    case "codex_not_found":
    case "codex_no_answer":
    case "codex_failed_to_start":
    case "environment_invalid":
      return errors.historyUnavailable({ details: error.message, native: undefined }, { cause: error });
    default:
      return error;
  }
}

type Refusal = Extract<CodexFailure, { type: "refused" }>;

function ofRefusal({ kind, code, message, data }: Refusal, sessionId: string, cause: unknown): ContractError {
  const native = { code, data: data ?? null };
  const options = { code, cause };
  switch (kind) {
    case "thread-not-found":
      return errors.historyNotFound({ sessionId, native }, options);
    case "invalid-cursor":
      return errors.historyInvalidCursor({ details: message, native }, options);
    case "history-unsupported":
      return errors.historyUnsupported({ details: message, native }, options);
    case "unknown-method":
    case "needs-experimental":
      // Codex's own text lists every method it has.
      return errors.historyUnsupported({ details: "it lacks a method that reads history", native }, options);
    default:
      // -32601 is "no such method" in JSON-RPC, whatever the words.
      return code === methodNotFound
        ? errors.historyUnsupported({ details: message, native }, options)
        : errors.historySourceError({ message, native }, options);
  }
}

const methodNotFound = -32601;

import { errors } from "../../generated/contract/errors.js";
import type { Services } from "../services.js";

/** Codex's refusal to open a thread as the contract has it; one that no pattern knows stays as it is. */
export function toContractError(services: Services, error: unknown, sessionId: string): unknown {
  switch (services.codex.errorKind(error)) {
    case "thread-not-found":
    case "thread-empty":
      return errors.sessionNotFound({ sessionId });
    case "thread-archived":
      return errors.sessionArchived({ sessionId });
    case "turn-not-found":
      return errors.invalidParams({
        path: "/_meta/codex/lastTurnId",
        expected: "the id of a completed turn of this session",
      });
    default:
      return error;
  }
}

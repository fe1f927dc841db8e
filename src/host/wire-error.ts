import { RequestError } from "@agentclientprotocol/sdk/experimental/v2/unstable";
import { CodexLostError, CodexRequestError } from "../codex/errors.js";
import { errors } from "../generated/contract/errors.js";
import { ContractError } from "../runtime/index.js";

/**
 * Turns whatever a handler threw into the error the host sees. Codex's own errors keep code, message and data
 * (PASS-02); an error that no table row stands for becomes `-32603` without its text, which may hold anything.
 */
export function toRequestError(error: unknown, unexpected?: (error: unknown) => void): Error {
  if (error instanceof RequestError) return error;
  if (error instanceof ContractError) return new RequestError(error.code, error.message, error.data);
  if (error instanceof CodexRequestError) return new RequestError(error.code, error.message, error.data);
  if (error instanceof CodexLostError) {
    const lost = errors.codexLost({ details: error.message });
    return new RequestError(lost.code, lost.message, lost.data);
  }
  // The SDK turns it into -32800 when the request was cancelled.
  if (error instanceof Error && error.name === "AbortError") return error;
  unexpected?.(error);
  const internal = errors.internalError({ details: "the bridge met an error of its own; its log has more" });
  return new RequestError(internal.code, internal.message, internal.data);
}

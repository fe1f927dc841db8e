import { errors } from "../generated/contract/errors.js";
import { hostRequests } from "../generated/contract/methods.js";
import { parsers } from "../generated/contract/parsers.js";
import { type ContractError, isObject } from "../runtime/index.js";

/** ACP v2 takes strings and integers; JSON-RPC's null, and fractions, name nothing that could be answered. */
export const isId = (id: unknown): id is string | number => typeof id === "string" || Number.isInteger(id);

/** The id to answer a message under: null unless its method says that it is a request, and its id is one. */
export function answerIdOf(message: unknown): string | number | null {
  if (!isObject(message) || typeof message["method"] !== "string") return null;
  const { id } = message;
  return isId(id) ? id : null;
}

/** What is answered without the SDK, in the words of the contract. */
export interface Gate {
  /** Why a message that is no response cannot be handed on; null when it can, and then it counts as handed on. */
  refusalOf(message: unknown): ContractError | null;
  /** A response to the host was written. */
  answered(id: unknown, succeeded: boolean): void;
}

export function createGate(): Gate {
  let initialized = false;
  let greeting: string | number | null = null;

  return {
    refusalOf(message) {
      const problem = envelopeProblem(message);
      if (problem !== null) return errors.invalidRequest({ problem });
      if (!isObject(message) || !("id" in message)) return null;
      const method = String(message["method"]);
      if (method === hostRequests.initialize.method) {
        const fault = initializeFault(message["params"]);
        if (fault === null) greeting = answerIdOf(message);
        return fault;
      }
      // While the handshake runs, the SDK holds what follows until it is known how it ends (INIT-09).
      return initialized || greeting !== null ? null : errors.notInitialized({ method });
    },
    answered(id, succeeded) {
      if (greeting === null || id !== greeting) return;
      greeting = null;
      initialized ||= succeeded;
    },
  };
}

/** Why a message is no JSON-RPC 2.0 request or notification; null when it is one. */
function envelopeProblem(message: unknown): string | null {
  if (Array.isArray(message)) return "batches are not supported";
  if (!isObject(message)) return "expected an object";
  if (message["jsonrpc"] !== "2.0") return 'expected "jsonrpc": "2.0"';
  if (typeof message["method"] !== "string") return "expected a method, a result or an error";
  if ("id" in message && !isId(message["id"])) return "expected an id that is a string or an integer";
  return null;
}

/** What is wrong with the params of an `initialize`, the version first: params that are for another one are another's. */
function initializeFault(params: unknown): ContractError | null {
  const version = isObject(params) ? params["protocolVersion"] : undefined;
  if (version === 0) return errors.unsupportedProtocolVersion({ requested: version });
  const parsed = parsers.initialize(params);
  if (parsed.ok) return null;
  const { path, expected } = parsed.fault;
  return errors.invalidParams({ path, expected });
}

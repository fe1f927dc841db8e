/**
 * The wire contract: types, strict parsers, validators and the tables that the bridge itself works from. The same data
 * as JSON: `codex-acp-kit/contract/methods.json`, `clauses.json`, `errors.json`, `meta.json`, `capabilities.json`,
 * `tables.json`, `codex.json`.
 *
 * ```ts
 * const parsed = parsers.sessionNew(params);
 * if (!parsed.ok) console.error(parsed.fault.path, parsed.fault.expected);
 * ```
 */

/** Every type of the ACP draft v2, unstable profile, by its own name: `AcpTypes.NewSessionRequest`. */
export type * as AcpTypes from "./generated/acp/types.js";
/** What `initialize` advertises. */
export { type AuthMethodId, authMethods, capabilities } from "./generated/contract/capabilities.js";
/** Ids of the clauses, such as `INIT-05`. */
export type { ClauseId } from "./generated/contract/clauses.js";
/** JSON-RPC code by error name, and the constructors. */
export { type ErrorName, errorCodes, errors } from "./generated/contract/errors.js";
/** The type of `_meta` on each carrier. */
export type { MetaByCarrier } from "./generated/contract/meta.js";
/** One descriptor per method: `host…` is what a host asks and tells, `agent…` what the agent does. */
export { agentNotifications, agentRequests, hostNotifications, hostRequests } from "./generated/contract/methods.js";
/** Parsers never throw and leave a valid value as it is; a fault has the path and what was expected there. */
export { parsers, resultParsers } from "./generated/contract/parsers.js";
export {
  type ConfigOption,
  type ConfigOptionId,
  configOptions,
  type ModeId,
  type PermissionOptionId,
  type PermissionRow,
  permissions,
  type SlashCommandName,
  type SlashCommandRow,
  type StopReason,
  type StopReasonRow,
  slashCommands,
  stopReasons,
  type ToolCallKind,
  type ToolCallName,
  type ToolCallRow,
  toolCalls,
} from "./generated/contract/tables.js";
/** Params and results of every method, by name: `ContractTypes.SessionNewParams`. */
export type * as ContractTypes from "./generated/contract/types.js";
/** Checks of what the agent sends; loaded on demand, as they are large. */
export { type ContractValidators, loadContractValidators } from "./generated/contract/validators/index.js";
export { ContractError, type Parsed, type Parser, type SchemaFault } from "./runtime/index.js";

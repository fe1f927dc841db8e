import type { Emitter } from "../model/model.js";
import { emitAcpV1 } from "./acp-v1.js";
import { emitAgentHandlers } from "./agent-handlers.js";
import { emitAgentPassThrough } from "./agent-pass-through.js";
import { emitAgentRegistration } from "./agent-registration.js";
import { emitArbitraries } from "./arbitraries.js";
import { emitCodexDispatch } from "./codex-dispatch.js";
import { emitCodexMethods } from "./codex-methods.js";
import { emitCodexVersion } from "./codex-version.js";
import { emitContractCapabilities } from "./contract-capabilities.js";
import { emitContractClauses } from "./contract-clauses.js";
import { emitContractErrors } from "./contract-errors.js";
import { emitContractMeta } from "./contract-meta.js";
import { emitContractMethods } from "./contract-methods.js";
import { emitContractNeeds } from "./contract-needs.js";
import { emitContractTables } from "./contract-tables.js";
import { emitParsers } from "./parsers.js";
import { emitProtocolDoc } from "./protocol-doc.js";
import { emitRehearsal } from "./rehearsal.js";
import { emitTypes } from "./types.js";
import { emitCodexValidators, emitContractValidators } from "./validators.js";

/** Everything that `npm run generate` writes. Emitters do not see each other's files, so their order is free. */
export const emitters: readonly Emitter[] = [
  emitTypes,
  emitCodexMethods,
  emitCodexDispatch,
  emitCodexVersion,
  emitContractMethods,
  emitContractClauses,
  emitContractErrors,
  emitContractCapabilities,
  emitContractNeeds,
  emitContractTables,
  emitContractMeta,
  emitAgentHandlers,
  emitAgentPassThrough,
  emitAgentRegistration,
  emitRehearsal,
  emitParsers,
  emitCodexValidators,
  emitContractValidators,
  emitArbitraries,
  emitAcpV1,
  emitProtocolDoc,
];

import type { AgentCapabilities, AuthMethod, InitializeResponse as Initialized } from "../generated/acp/types.js";
import type * as v1 from "../generated/acp-v1/types.js";
import { metaOf } from "./known.js";

/** What a host declares, as draft v2 has it: the file system and terminals of the host are of no use to Codex. */
export function initializeParams(params: v1.InitializeRequest) {
  const { clientInfo, clientCapabilities } = params;
  const { auth, elicitation } = clientCapabilities ?? {};
  return {
    protocolVersion: 2,
    info: clientInfo ?? { name: "unknown", version: "unknown" },
    capabilities: {
      ...(auth?.terminal ? { auth: { terminal: {} } } : {}),
      ...(elicitation == null ? {} : { elicitation }),
      ...metaOf(clientCapabilities ?? {}),
    },
    ...metaOf(params),
  };
}

/** An object declares a capability in draft v2, a flag in version 1. */
const flag = (value: unknown): boolean => value != null;

export function initializeResult(result: Initialized): v1.InitializeResponse {
  const { info, capabilities, authMethods } = result;
  return {
    protocolVersion: 1,
    agentInfo: info,
    agentCapabilities: capabilitiesOf(capabilities ?? {}),
    authMethods: (authMethods ?? []).map(authMethodOf),
    ...metaOf(result),
  };
}

function capabilitiesOf(capabilities: AgentCapabilities): v1.AgentCapabilities {
  const { session, auth, providers } = capabilities;
  const { prompt, mcp, ...others } = session ?? {};
  return {
    loadSession: true,
    promptCapabilities: {
      image: flag(prompt?.image),
      audio: flag(prompt?.audio),
      embeddedContext: flag(prompt?.embeddedContext),
    },
    mcpCapabilities: { http: flag(mcp?.http), sse: false },
    // What every agent of draft v2 can do is something to declare in version 1.
    sessionCapabilities: { list: {}, resume: {}, close: {}, ...others },
    auth: { logout: {}, ...auth },
    ...(providers == null ? {} : { providers }),
    ...metaOf(capabilities),
  };
}

function authMethodOf(method: AuthMethod): v1.AuthMethod {
  const { methodId, name, description } = method;
  return {
    id: methodId,
    name,
    ...(typeof description === "string" ? { description } : {}),
    ...metaOf(method as { _meta?: object | null }),
  };
}

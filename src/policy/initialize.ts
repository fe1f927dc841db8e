import type { AgentCapabilities, ClientCapabilities } from "../generated/acp/types.js";
import type { InitializeHandlers } from "../generated/agent/handlers.js";
import { authMethods, capabilities } from "../generated/contract/capabilities.js";
import type { ProviderKind } from "../session/routing/plan.js";
import { capabilitiesWithout } from "./capabilities.js";
import type { Services } from "./services.js";

/** The sign-in methods this client and this environment can use (INIT-06 to INIT-08). */
export function offeredAuthMethods({ host, settings }: Services) {
  return authMethods
    .filter(({ when }) => {
      if (when === "browser") return settings.browser;
      if (when === "url-elicitation") return host.client.capabilities.elicitation?.url != null;
      return true;
    })
    .map(({ methodId, name, description }) => ({ type: "agent" as const, methodId, name, description }));
}

/** An object declares a capability, and nothing else does: what is off schema counts as absent (INIT-14). */
function declaredBy(capabilities: ClientCapabilities | null | undefined): ClientCapabilities {
  const { elicitation, ...others } = { ...capabilities };
  const { form, url } = { ...elicitation };
  return { ...others, elicitation: { form: objectOr(form), url: objectOr(url) } };
}

const objectOr = <T>(value: T | null | undefined): T | null =>
  typeof value === "object" && !Array.isArray(value) ? value : null;

/**
 * What this Codex can do: without gateways where it refuses every provider but its own, and whether it moves sessions
 * between providers or keeps each where it was made.
 */
function capabilitiesWith(kind: ProviderKind): AgentCapabilities {
  const { providers, _meta, ...others } = capabilities;
  return {
    ...others,
    ...(kind === "unsupported" ? {} : { providers }),
    _meta: { ..._meta, codex: { ..._meta.codex, sessionsMove: kind === "moves" } },
  };
}

/**
 * The handshake. Codex must answer its own first: a bridge without Codex is of no use, and a failed handshake leaves
 * the session methods locked (INIT-12). The declared capabilities count only once it has succeeded.
 */
export const initializePolicy = (services: Services): InitializeHandlers => ({
  async initialize(params) {
    await services.codex.ready();
    services.host.client = { capabilities: declaredBy(params.capabilities), info: params.info ?? null };
    services.host.greeted = true;
    return {
      protocolVersion: 2,
      info: services.info,
      capabilities: capabilitiesWithout(capabilitiesWith(services.codex.providers), services.codex.lacking),
      authMethods: offeredAuthMethods(services),
    };
  },
});

import type { CodexClient } from "../../codex/client.js";
import type { Thread, ThreadStartParams } from "../../generated/codex/types.js";
import { errors } from "../../generated/contract/errors.js";
import { type Gateway, gatewayConfig } from "../../session/routing/gateway.js";
import { gatewayOf, gatewaysOf, serves, servingGateway } from "../../session/routing/routing.js";
import type { OpenSession, Services, SessionPlace, ThreadBase } from "../services.js";
import { mergeConfig } from "../thread-config.js";
import { readNative } from "./native.js";

/** Where a thread is to be opened. */
export interface Target {
  /** Null: on a provider of Codex's own. */
  readonly gateway: Gateway | null;
  /** What Codex is told; undefined leaves the provider to it. */
  readonly providerId: string | undefined;
  readonly model: string | undefined;
}

const onGateway = (gateway: Gateway, model: string | undefined): Target => ({
  gateway,
  providerId: gateway.id,
  model: model ?? gateway.model ?? gateway.fallback ?? undefined,
});

/** Where a new session or a fork goes: its provider is its own to choose on every Codex (PROV-04, CAT-16). */
export function targetOfNew({ routing, settings }: Services, model: string | undefined): Target {
  const { route } = routing.committed;
  const gateway = route ?? (model === undefined ? null : servingGateway(routing.committed, model));
  if (gateway) return onGateway(gateway, model);
  return { gateway: null, providerId: settings.modelProvider ?? undefined, model };
}

/**
 * Where a stored thread is opened: on what the host asks for (CAT-17), else where Codex last had it (CAT-18); in route
 * mode on the gateway. A Codex that keeps a thread where it was made cannot do otherwise.
 *
 * @throws {ContractError} `provider_fixed`.
 */
export async function targetOfStored(
  services: Services,
  client: CodexClient,
  threadId: string,
  model: string | undefined,
  open: OpenSession | undefined,
): Promise<Target> {
  const routing = services.routing.committed;
  const moves = services.codex.providers === "moves";
  // What could not be put back is put back now (ROUTE-14).
  if (open?.place.stale && model === undefined) {
    const { gateway, providerId } = open.place;
    const now = gateway && (gatewayOf(routing, gateway.id) ?? gateway);
    return { gateway: now, providerId: now?.id ?? providerId, model: open.settings.held.model };
  }
  if (gatewaysOf(routing).length === 0) return { gateway: null, providerId: undefined, model };
  const { thread } = await client.threadRead({ threadId });
  const recorded = thread.modelProvider;
  const there = gatewayOf(routing, recorded);
  if (routing.route && moves) return onGateway(routing.route, model ?? kept(routing.route, thread));
  const asked = model === undefined || routing.route ? there : servingGateway(routing, model);
  if (asked?.id !== there?.id && !moves) throw errors.providerFixed({ sessionId: threadId, provider: recorded });
  if (asked) return onGateway(asked, model ?? kept(asked, thread));
  if (!there) return { gateway: null, providerId: undefined, model };
  return { gateway: null, providerId: (await readNative(services)).providerId, model };
}

/** The thread's model where the gateway serves it: Codex forgets it once it is told a provider. */
function kept(gateway: Gateway, { model }: Thread): string | undefined {
  if (model == null) return undefined;
  return serves(gateway, model) || (gateway.models.length === 0 && gateway.model === null) ? model : undefined;
}

/** The part of Codex's params that says where a thread runs, over what it is opened with. */
export function routedParams(
  base: ThreadBase,
  { gateway, providerId, model }: Target,
): Pick<ThreadStartParams, "config" | "developerInstructions" | "model" | "modelProvider"> {
  const config = mergeConfig(base.config, gateway ? gatewayConfig(gateway) : {});
  return {
    ...(Object.keys(config).length === 0 ? {} : { config }),
    ...(base.developerInstructions === null ? {} : { developerInstructions: base.developerInstructions }),
    ...(model === undefined ? {} : { model }),
    ...(providerId === undefined ? {} : { modelProvider: providerId }),
  };
}

/** A gateway needs no account of OpenAI's (AUTH-05). */
export async function requireAccount({ codex }: Services, { gateway }: Target): Promise<void> {
  if (gateway === null && !(await codex.signedIn())) throw errors.authRequired();
}

/** The place of a session whose thread Codex has opened there. */
export const placeOf = ({ gateway }: Target, providerId: string): SessionPlace => ({
  gateway,
  providerId,
  home: null,
  stale: null,
  moving: false,
});

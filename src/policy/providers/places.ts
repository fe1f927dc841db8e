import type { ThreadResumeParams } from "../../generated/codex/types.js";
import { errors } from "../../generated/contract/errors.js";
import type { NativeProvider } from "../../session/routing/native.js";
import type { Move } from "../../session/routing/plan.js";
import { gatewayOf, serves } from "../../session/routing/routing.js";
import { type ModelSources, sourcesOf } from "../../session/routing/sources.js";
import { modeOfSandbox } from "../../session/settings.js";
import type { OpenSession, Services } from "../services.js";
import { modePolicy } from "../thread-config.js";
import { routedParams, type Target } from "./target.js";

/** The models that a session can have now. */
export const sourcesFor = (services: Services, session: Pick<OpenSession, "place">, native: ModelSources["own"]) =>
  sourcesOf(services.codex.providers, services.routing.committed, session.place.gateway, native);

/** Refuses a prompt where nobody knows who would get it, or nobody is there to get it (ROUTE-14, R-09). */
export function requirePlace({ routing }: Services, { id: sessionId, place }: OpenSession): void {
  if (place.stale) throw errors.routingStale({ sessionId });
  const { gateway } = place;
  if (gateway && gatewayOf(routing.committed, gateway.id) === null) {
    throw errors.gatewayRemoved({ sessionId, gateway: gateway.id });
  }
}

/** Where a session is, as a target to go back to. */
export const whereItIs = ({ place, settings }: OpenSession): Target => ({
  gateway: place.gateway,
  providerId: place.providerId,
  model: settings.held.model,
});

/**
 * Where a move takes a session. It keeps its model where that is served; `select` prefers the one that the host selected
 * with the gateway (PROV-18).
 */
export function targetOfMove(
  { place, settings }: OpenSession,
  { to }: Move,
  select: boolean,
  native: NativeProvider,
  catalog: ModelSources["own"],
): Target {
  const { model } = settings.wanted;
  if (to) {
    const served = to.models.length === 0 || serves(to, model) ? model : null;
    const chosen = select ? (to.model ?? served) : (served ?? to.model);
    return { gateway: to, providerId: to.id, model: chosen ?? to.models[0]?.id };
  }
  const home = place.home ?? (place.gateway ? null : { providerId: place.providerId, model });
  const fallback = native.model ?? catalog.find(({ isDefault }) => isDefault)?.model;
  return {
    gateway: null,
    providerId: home?.providerId ?? native.providerId,
    model: home?.model ?? fallback,
  };
}

/** What a session may do, in the words of an opening: as it was opened, or as its mode has it since. */
export function heldPolicy({ settings }: OpenSession): ReturnType<typeof modePolicy> {
  const { held, workspace, approvalPolicy } = settings;
  if (workspace === null || modeOfSandbox(workspace) !== held.mode) return modePolicy(held.mode);
  const sandbox = sandboxModes[workspace.type];
  return { approvalPolicy, ...(sandbox ? { sandbox } : {}) };
}

/**
 * Opens a session's thread anew, elsewhere or where it is. Codex forgets config, instructions and, before 0.171, the
 * sandbox of a thread that is resumed with another config, so all of it goes along.
 */
export function reopenParams(session: OpenSession, target: Target): ThreadResumeParams {
  return {
    threadId: session.id,
    ...routedParams(session.base, target),
    ...heldPolicy(session),
    excludeTurns: true,
  };
}

/** Codex has no name for one that was set up outside it. */
const sandboxModes = {
  readOnly: "read-only",
  workspaceWrite: "workspace-write",
  dangerFullAccess: "danger-full-access",
  externalSandbox: null,
} as const;

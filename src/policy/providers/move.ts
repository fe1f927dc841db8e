import { errors } from "../../generated/contract/errors.js";
import { serves, servingGateway } from "../../session/routing/routing.js";
import type { Catalog } from "../../session/settings.js";
import type { OpenSession, Services } from "../services.js";
import { isBusy } from "./checks.js";
import { readNative } from "./native.js";
import { relocate } from "./relocate.js";
import { tellOptions } from "./settle.js";

/**
 * Takes one session to what serves a model, and no other session (CAT-09, CAT-11). Returns its new options; null when
 * the model is of the source that the session is on, or of none.
 *
 * @throws {ContractError} `provider_turn_running`, `provider_fixed`, `provider_switch_failed`.
 */
export async function moveToModel(services: Services, session: OpenSession, catalog: Catalog, value: unknown) {
  const { codex, routing } = services;
  const { place } = session;
  if (typeof value !== "string" || routing.committed.route !== null) return null;
  const gateway = servingGateway(routing.committed, value);
  const native = gateway === null ? catalog.find(({ id, hidden }) => id === value && !hidden) : undefined;
  // What a session may be on is its own even when the gateway is gone.
  if (gateway === null && (!native || (place.gateway && serves(place.gateway, value)))) return null;
  if (gateway?.id === place.gateway?.id && !place.stale) return null;
  const sessionId = session.id;
  if (isBusy(services, session)) throw errors.providerTurnRunning({ sessionId });
  if (codex.providers !== "moves" && gateway?.id !== place.gateway?.id)
    throw errors.providerFixed({ sessionId, provider: place.providerId });
  const home = place.home?.providerId ?? (gateway ? undefined : (await readNative(services)).providerId);
  const target = {
    gateway,
    providerId: gateway?.id ?? home,
    model: native?.model ?? value,
  };
  await relocate(services, [{ session, target, whenEmpty: "materialise" }], () => undefined);
  return tellOptions(services, session, true);
}

import { errors } from "../../generated/contract/errors.js";
import type { NativeProvider } from "../../session/routing/native.js";
import { planSwitch } from "../../session/routing/plan.js";
import { gatewayOf, nativeRouting, type Routing } from "../../session/routing/routing.js";
import type { Services } from "../services.js";
import { hasHistory, isBusy } from "./checks.js";
import { targetOfMove } from "./places.js";
import { relocate } from "./relocate.js";
import { tellOptions } from "./settle.js";

export interface Change {
  readonly to: Routing;
  /** The gateway whose entry is new or gone; null: every one. */
  readonly changed: string | null;
  /** Sessions without stored history: refused in route mode, else given one. */
  readonly whenEmpty: "refuse" | "materialise";
}

/**
 * Makes `to` the routing, once every session that it concerns is where it shall be. Returns the sessions that this Codex
 * cannot move.
 *
 * @throws {ContractError} What the contract has for a switch that cannot begin, or failed; then the routing is as before.
 */
export async function changeRouting(services: Services, change: Change, native: NativeProvider): Promise<string[]> {
  const { admission, codex, routing } = services;
  const { to, changed, whenEmpty } = change;
  const from = routing.committed;
  const commit = (): void => {
    routing.committed = to;
  };
  // Only a gateway that is new and routes nothing can come in while others work (CAT-01).
  const quiet = changed !== null && to.route === null && from.route === null && gatewayOf(from, changed) === null;
  const end = quiet ? () => undefined : admission.beginSwitch();
  try {
    const sessions = [...services.openSessions()];
    // Back to native first; what was routed does not go on in the catalog by itself.
    const back = codex.providers === "moves" && from.route !== null && to.route === null;
    const plan = planSwitch(
      codex.providers,
      back ? nativeRouting : to,
      back ? null : changed,
      sessions.map(({ id, place }) => ({ id, gateway: place.gateway?.id ?? null, maybe: place.stale?.maybe })),
    );
    const moving = new Map(plan.moves.map((move) => [move.id, move]));
    const concerned = new Set(to.route ? sessions.map(({ id }) => id) : [...moving.keys(), ...plan.untouched]);
    for (const session of sessions) {
      const { id: sessionId } = session;
      if (concerned.has(sessionId) && isBusy(services, session)) throw errors.providerTurnRunning({ sessionId });
    }
    const catalog = codex.knownModels();
    const relocations = sessions.flatMap((session) => {
      const move = moving.get(session.id);
      return move
        ? [{ session, target: targetOfMove(session, move, to.route !== null, native, catalog), whenEmpty }]
        : [];
    });
    // In route mode an empty session is refused even where it would stay: it is made anew in a moment, elsewhere.
    const staying = to.route ? sessions.filter(({ id }) => !moving.has(id)) : [];
    for (const { id: sessionId } of staying) {
      if (!(await hasHistory(services, sessionId))) throw errors.providerSessionEmpty({ sessionId });
    }
    await relocate(services, relocations, commit);
    for (const session of sessions) tellOptions(services, session, moving.has(session.id));
    return [...plan.untouched];
  } finally {
    end();
  }
}

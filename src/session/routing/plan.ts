import type { Gateway } from "./gateway.js";
import { gatewayOf, type Routing } from "./routing.js";

/**
 * What a Codex does with the provider of a thread that exists: changes it on a cold resume, keeps it for good, or runs on
 * nothing but the provider it was started with.
 */
export type ProviderKind = "moves" | "fixed" | "unsupported";

/** What is known of an open session's place. */
export interface Placed {
  readonly id: string;
  /** The gateway's id; null on a provider of Codex's own. */
  readonly gateway: string | null;
  /** Where it may be instead, after a failed switch; undefined when its place is certain. */
  readonly maybe?: string | null | undefined;
}

export interface Move {
  readonly id: string;
  /** Null: back to Codex's own provider. */
  readonly to: Gateway | null;
}

export interface Plan {
  readonly moves: readonly Move[];
  /** Sessions that should move and cannot. */
  readonly untouched: readonly string[];
}

/**
 * Which sessions a change of routing moves. `changed` names the gateway whose entry is new or gone; null when all of them
 * are. A session that may be elsewhere is put in its place with every change that concerns where it may be.
 */
export function planSwitch(kind: ProviderKind, to: Routing, changed: string | null, sessions: Iterable<Placed>): Plan {
  const moves: Move[] = [];
  const untouched: string[] = [];
  for (const session of sessions) {
    const { id, gateway } = session;
    const target = targetOf(to, session, kind);
    const concerned =
      to.route !== null ||
      changed === null ||
      gateway === changed ||
      session.maybe === changed ||
      (gateway !== null && gatewayOf(to, gateway) === null);
    if (!concerned) continue;
    if (target === undefined) untouched.push(id);
    else if (target !== null || gateway !== null || session.maybe !== undefined) moves.push({ id, to: target });
  }
  return { moves, untouched };
}

/** Undefined: it would have to go where this Codex cannot take it. */
function targetOf(to: Routing, { gateway }: Placed, kind: ProviderKind): Gateway | null | undefined {
  const same = gateway === null ? null : gatewayOf(to, gateway);
  if (kind === "moves") return to.route ?? same;
  if (gateway === null) return to.route === null ? null : undefined;
  return same ?? undefined;
}

import type { ChangeKind, Direction } from "./change.js";
import type { Drift } from "./compare.js";
import type { Message } from "./surface.js";

/**
 * What a change is to this bridge. `breaks`: what the bridge does today can fail by it. `undecided`: there is something
 * new that Codex may send, or that may be asked of it, and no disposition says what becomes of it. `used`: it touches
 * what the bridge uses, and harms nothing. `other`: the bridge uses nothing of it.
 */
export type Mark = "breaks" | "undecided" | "used" | "other";

export const marks: readonly Mark[] = ["breaks", "undecided", "used", "other"];

/** What the contract has decided. */
export interface Decisions {
  /** Whether the bridge uses a message; null when nothing is decided about it. */
  uses(message: Message): boolean | null;
  /** Whether something is decided about an item, by its type. */
  knowsItem(type: string): boolean;
}

/** What breaks a peer that goes on as before. Whoever reads stands in another place than whoever writes. */
const breaking: Readonly<Record<Direction, readonly ChangeKind[]>> = {
  // Less is taken, or more is asked for.
  sent: ["removed", "renamed", "required", "narrowed", "retyped"],
  // Less is certain.
  received: ["removed", "renamed", "optional", "widened", "retyped"],
};

export function markOf(drift: Drift, decisions: Decisions): Mark {
  if (drift.directions.length === 0) return markOfMessage(drift, decisions);
  const uses = drift.carriers.filter(({ message }) => decisions.uses(message) === true);
  if (uses.length === 0) return "other";
  const ways = new Set(uses.flatMap(({ directions }) => directions));
  const each = [...ways].map((way) => markOnTheWay(drift, way, decisions));
  return marks.find((mark) => each.includes(mark)) ?? "other";
}

function markOfMessage({ change, carriers }: Drift, decisions: Decisions): Mark {
  const uses = carriers.map(({ message }) => decisions.uses(message));
  // What is gone has no row any more: nobody uses it.
  if (uses.includes(true)) return change === "removed" || change === "renamed" ? "breaks" : "used";
  return uses.includes(null) && change !== "removed" ? "undecided" : "other";
}

function markOnTheWay({ subject, change, at, needed }: Drift, way: Direction, decisions: Decisions): Mark {
  const isKind = subject === "value" || subject === "variant" || subject === "item";
  if (way === "received") {
    // The reader of a value or variant never meets one that is gone, and has no word for one that is new.
    if (isKind && change === "removed") return "used";
    if (subject === "item" && change === "added") return decisions.knowsItem(typeIn(at)) ? "used" : "undecided";
    if (isKind && change === "added") return "undecided";
  }
  if (subject === "field" && change === "added") return way === "sent" && needed === true ? "breaks" : "used";
  return breaking[way].includes(change) ? "breaks" : "used";
}

/** `sleep` of `ThreadItem(sleep)`. */
const typeIn = (at: string): string => /\(([^()]*)\)$/.exec(at)?.[1] ?? at;

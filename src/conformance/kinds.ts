import { agentNotifications } from "../generated/contract/methods.js";
import { isObject } from "../runtime/index.js";
import type { LoggedFrame, Wire } from "../testing/frames.js";
import { type Mismatch, mismatches } from "./pattern.js";
import type { Kind, Pattern, Template } from "./step-format.js";
import { type Bindings, fill } from "./template.js";

/** Which frames of the agent a step means, and how much of one is compared and bound. */
export interface Meant {
  readonly wire: Wire;
  /** For people: what is awaited. */
  readonly what: string;
  /** The part of the frame that the pattern is about; undefined when the frame is of another kind. */
  partOf(frame: Readonly<Record<string, unknown>>): unknown;
  readonly pattern: Pattern;
}

const updateMethod = agentNotifications.sessionUpdate.method;
const usualSession = `\${session.sessionId}`;

const short = (value: unknown): string => {
  const text = JSON.stringify(value) ?? "";
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
};

const paramsOf = (frame: Readonly<Record<string, unknown>>): unknown => frame["params"] ?? {};

export function meantUpdate(update: Pattern, of: Template, bindings: Bindings): Meant {
  const sessionId = fill(of ?? usualSession, bindings);
  const pattern = fill(update, bindings);
  return {
    wire: "host",
    what: `an update like ${short(pattern)}`,
    pattern,
    partOf(frame) {
      const params = frame["params"];
      if (frame["method"] !== updateMethod || !isObject(params)) return undefined;
      return mismatches(params["sessionId"], sessionId).length === 0 ? (params["update"] ?? null) : undefined;
    },
  };
}

/** `method` may be a rule. */
export function meantCall(wire: Wire, method: Pattern, params: Pattern, bindings: Bindings): Meant {
  const name = typeof method === "string" ? method : `a method that is ${short(method)}`;
  const pattern = params === undefined ? {} : fill(params, bindings);
  return {
    wire,
    what: `${wire === "host" ? "" : "Codex to get "}${name}${params === undefined ? "" : ` with ${short(pattern)}`}`,
    pattern,
    partOf: (frame) =>
      typeof frame["method"] === "string" && mismatches(frame["method"], method).length === 0
        ? paramsOf(frame)
        : undefined,
  };
}

/** The answer of the agent under this id. */
export function meantAnswer(
  wire: Wire,
  id: unknown,
  what: string,
  wanted: { readonly result?: Pattern | undefined; readonly error?: Pattern | undefined },
  bindings: Bindings,
): Meant {
  const [member, other] = wanted.error === undefined ? (["result", "error"] as const) : (["error", "result"] as const);
  const pattern = {
    [other]: { $absent: true },
    [member]: wanted[member] === undefined ? "$any" : fill(wanted[member], bindings),
  };
  return {
    wire,
    what: `${what}: ${short(pattern)}`,
    pattern,
    partOf: (frame) => ("method" in frame || frame["id"] !== id ? undefined : frame),
  };
}

/** What `never` and `count` speak of. Throws when it says nothing. */
export function meantKind(kind: Kind, bindings: Bindings): Meant {
  if (kind.update !== undefined) return meantUpdate(kind.update, kind.of, bindings);
  if (kind.sees !== undefined) return meantCall("host", kind.sees, kind.params, bindings);
  if (kind.codexSees !== undefined) return meantCall("codex", kind.codexSees, kind.params, bindings);
  const { textTo, text } = kind;
  if (textTo === undefined || text === undefined) throw new Error("says no kind of frame");
  const needle = String(fill(text, bindings));
  return {
    wire: textTo,
    what: `a frame with ${short(needle)}`,
    pattern: "$any",
    partOf: (frame) => (JSON.stringify(frame).includes(needle) ? frame : undefined),
  };
}

export interface Hit {
  readonly entry: LoggedFrame;
  readonly part: unknown;
}

/** Frames of the right kind, and what keeps each from being the one. */
export interface Look {
  readonly hit?: Hit;
  /** Of those that are not it, the one that comes nearest. */
  readonly nearest?: { readonly entry: LoggedFrame; readonly mismatches: readonly Mismatch[] };
}

/** The first frame among `frames` that is meant, by the pattern. */
export function look(meant: Meant, frames: readonly LoggedFrame[]): Look {
  let nearest: Look["nearest"];
  for (const entry of frames) {
    if (!isObject(entry.frame)) continue;
    const part = meant.partOf(entry.frame);
    if (part === undefined) continue;
    const found = mismatches(part, meant.pattern);
    if (found.length === 0) return { hit: { entry, part } };
    if (nearest === undefined || found.length < nearest.mismatches.length) nearest = { entry, mismatches: found };
  }
  return nearest === undefined ? {} : { nearest };
}

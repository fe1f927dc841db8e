import { type BehaviourChange, behaviourChanges, type StoredBehaviour } from "./behaviour.js";
import type { Change, Direction } from "./change.js";
import { compareSurfaces, type Drift } from "./compare.js";
import type { Protocol, Surface } from "./surface.js";
import { type Decisions, type Mark, markOf, marks } from "./verdict.js";

/** What separates two versions of a protocol, and what each difference is to this bridge. Plain JSON. */
export interface DriftReport {
  readonly protocol: Protocol;
  readonly old: string;
  readonly now: string;
  /** True when something breaks: a change of the schema, or another answer to a probe. */
  readonly breaking: boolean;
  readonly counts: Readonly<Record<Mark, number>>;
  /** By mark, what breaks first. */
  readonly changes: readonly ReportedChange[];
  /** Probes that the two versions answer differently. */
  readonly behaviour: readonly BehaviourChange[];
  /** Versions whose answers to the probes are not stored: nothing is known of how their behaviour differs. */
  readonly unprobed: readonly string[];
}

export interface ReportedChange extends Change {
  readonly mark: Mark;
  readonly directions: readonly Direction[];
  /** The methods that carry it; those that the bridge uses, where it uses any. */
  readonly methods: readonly string[];
}

/** A version to compare. */
export interface Side {
  readonly surface: Surface;
  /** Null when the version was never probed. */
  readonly behaviour: StoredBehaviour | null;
}

export function reportDrift(old: Side, now: Side, decisions: Decisions): DriftReport {
  const all = compareSurfaces(old.surface, now.surface).map((drift) => reported(drift, decisions));
  const changes = marks.flatMap((mark) => all.filter((it) => it.mark === mark));
  const count = (mark: Mark): number => changes.filter((it) => it.mark === mark).length;
  const behaviour = old.behaviour && now.behaviour ? behaviourChanges(old.behaviour, now.behaviour) : [];
  const { protocol } = now.surface;
  return {
    protocol,
    old: old.surface.version,
    now: now.surface.version,
    breaking: count("breaks") + behaviour.length > 0,
    counts: { breaks: count("breaks"), undecided: count("undecided"), used: count("used"), other: count("other") },
    changes,
    behaviour,
    // ACP is a schema: there is no program behind it that could be probed.
    unprobed: protocol === "acp" ? [] : [old, now].filter((it) => !it.behaviour).map((it) => it.surface.version),
  };
}

const reported = (drift: Drift, decisions: Decisions): ReportedChange => {
  const { carriers, ...change } = drift;
  const used = carriers.filter(({ message }) => decisions.uses(message) === true);
  const methods = (used.length > 0 ? used : carriers).map(({ message }) => message.method);
  return { mark: markOf(drift, decisions), ...change, methods: [...methods].sort() };
};

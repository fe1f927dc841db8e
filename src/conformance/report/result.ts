import { isFrame, type Party, type Wire } from "../../testing/frames.js";
import { type Blame, describeMismatch } from "../outcome.js";
import type { CaseRun } from "../play-case.js";
import type { CaseHead, Level } from "../suite.js";

/**
 * `failed` breaks a MUST, `warned` a SHOULD or a MAY. `skipped`: the subject does not claim what the case needs.
 * `broken`: the suite itself went wrong, or what stands between it and the subject.
 */
export type Status = "passed" | "failed" | "warned" | "skipped" | "broken";

export interface ReportedFrame {
  readonly seq: number;
  /** Milliseconds from the start of the case. */
  readonly at: number;
  readonly wire: Wire;
  readonly from: Party;
  readonly frame: unknown;
}

export interface ReportedNote {
  readonly seq: number;
  readonly at: number;
  readonly note: string;
}

export type ReportedEntry = ReportedFrame | ReportedNote;

export interface ReportedFault {
  readonly blame: Blame;
  readonly message: string;
  readonly expected: string;
  /** What of the nearest frame was wrong, one line each. */
  readonly differences: readonly string[];
  /** Number of the step from 1, and the step itself. */
  readonly step: number | null;
  readonly stepText: string | null;
  /** The entry that it is about. */
  readonly seq: number | null;
}

export interface CaseResult {
  readonly name: string;
  readonly area: string;
  readonly title: string;
  readonly level: Level;
  readonly clauses: readonly string[];
  readonly status: Status;
  /** Why it was skipped. */
  readonly reason: string | null;
  /** What a list says of it. */
  readonly expected: { readonly list: "known-failing" | "known-flaky"; readonly reason: string } | null;
  readonly fault: ReportedFault | null;
  readonly ms: number;
  readonly entries: readonly ReportedEntry[];
}

/** Who was under test, as it describes itself. */
export interface Subject {
  readonly command: readonly string[];
  readonly name: string;
  readonly version: string;
  readonly capabilities: unknown;
}

/** The three of a case from left to right: each neighbour has a wire to the next. */
export type Actors = readonly [Actor, Actor, Actor];

export interface Actor {
  readonly party: Party;
  readonly name: string;
}

export interface SuiteDescription {
  /** The command that ran it. */
  readonly name: string;
  /** Version of this package. */
  readonly version: string;
  /** What stood around the subject, as `scripted Codex 0.171.0`. */
  readonly around: string;
  readonly actors: Actors;
}

export interface Report {
  readonly suite: SuiteDescription;
  readonly subject: Subject;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly ms: number;
  readonly exitCode: number;
  /** Entries of the lists that no longer hold. */
  readonly stale: readonly string[];
  readonly totals: Readonly<Record<Status, number>>;
  readonly results: readonly CaseResult[];
}

function statusOf({ fault }: CaseRun, level: Level): Status {
  if (fault === null) return "passed";
  if (fault.blame !== "tested") return "broken";
  return level === "MUST" ? "failed" : "warned";
}

const head = ({ name, area, title, level, clauses }: CaseHead) => ({ name, area, title, level, clauses });

export function skippedResult(given: CaseHead, reason: string): CaseResult {
  return { ...head(given), status: "skipped", reason, expected: null, fault: null, ms: 0, entries: [] };
}

export function resultOf(
  given: CaseHead & { readonly steps: readonly unknown[] },
  run: CaseRun,
  expected: CaseResult["expected"],
): CaseResult {
  const { fault, step, timeline, ms } = run;
  const one = step === null ? undefined : given.steps[step];
  return {
    ...head(given),
    status: statusOf(run, given.level),
    reason: null,
    expected,
    ms: Math.round(ms),
    fault: fault && {
      blame: fault.blame,
      message: fault.message,
      expected: fault.expected,
      differences: fault.mismatches.map(describeMismatch),
      step: step === null ? null : step + 1,
      stepText: one === undefined ? null : JSON.stringify(one),
      seq: fault.seq,
    },
    entries: timeline.log.entries.map((entry): ReportedEntry => {
      const at = Math.round(timeline.at(entry.seq));
      if (!isFrame(entry)) return { seq: entry.seq, at, note: entry.note };
      return { seq: entry.seq, at, wire: entry.wire, from: entry.from, frame: entry.frame };
    }),
  };
}

export function totalsOf(results: readonly CaseResult[]): Record<Status, number> {
  const totals: Record<Status, number> = { passed: 0, failed: 0, warned: 0, skipped: 0, broken: 0 };
  for (const { status } of results) totals[status] += 1;
  return totals;
}

import type { DriftReport, ReportedChange } from "./report.js";
import { type Mark, marks } from "./verdict.js";

/** What each mark is called. */
export const markTitles: Readonly<Record<Mark, string>> = {
  breaks: "breaks us",
  undecided: "new, undecided",
  used: "we use it",
  other: "not ours",
};

const protocolNames = { codex: "Codex", acp: "ACP SDK" } as const;

export const titleOf = ({ protocol, old, now }: DriftReport): string => `${protocolNames[protocol]} ${old} → ${now}`;

/** `2 breaks us, 7 new, undecided; 3 probes answered differently`. */
export function summaryOf({ counts, behaviour, unprobed }: DriftReport): string {
  const parts = marks.map((mark) => `${counts[mark]} ${markTitles[mark]}`).join("; ");
  if (unprobed.length > 0) return `${parts}. Behaviour not compared: ${unprobed.join(" and ")} was not probed.`;
  return `${parts}. Probes answered differently: ${behaviour.length}.`;
}

/** Changes that read alike but for the variant they stand in, as one. */
export interface ChangeLine {
  readonly change: ReportedChange;
  /** How many changes it stands for. */
  readonly count: number;
}

/** The lines for the changes of a mark. */
export function linesOf({ changes }: DriftReport, mark: Mark): ChangeLine[] {
  const alike = new Map<string, ReportedChange[]>();
  for (const change of changes.filter((it) => it.mark === mark)) {
    const key = JSON.stringify([change.subject, change.change, withoutVariant(change.at), change.was, change.now]);
    alike.set(key, [...(alike.get(key) ?? []), change]);
  }
  return [...alike.values()].flatMap((group): ChangeLine[] => {
    const [first] = group;
    if (first === undefined) return [];
    if (group.length < 3) return group.map((change) => ({ change, count: 1 }));
    return [{ change: { ...first, at: withoutVariant(first.at) }, count: group.length }];
  });
}

/** `ThreadItem(sleep).startedAtMs` as `ThreadItem(…).startedAtMs`; a variant that is itself the place stays. */
const withoutVariant = (at: string): string => at.replaceAll(/\([^()]*\)(?=.)/g, "(…)");

/** What changed, in words: `made required`. */
export function wordsFor({ change, subject, needed }: ReportedChange): string {
  if (change === "required" || change === "optional") return `made ${change}`;
  if (change === "experimental" || change === "stable") return `became ${change}`;
  const field = subject === "field" && needed !== undefined ? `${needed ? "required" : "optional"} ` : "";
  return `${field}${subject} ${change}`;
}

/** `string → string | null`; empty when the place says it all. */
export function turnOf({ was, now }: ReportedChange): string {
  if (was !== undefined && now !== undefined) return `${was} → ${now}`;
  return was ?? now ?? "";
}

/** `sent in turn/start`, `received in turn/started and 11 more`. */
export function routeOf({ directions, methods }: ReportedChange): string {
  const [first, ...others] = methods;
  if (directions.length === 0 || first === undefined) return "";
  return `${directions.join(" and ")} in ${first}${others.length > 0 ? ` and ${others.length} more` : ""}`;
}

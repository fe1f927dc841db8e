import type { CaseResult } from "./report/result.js";
import { fits } from "./select.js";

/** A list of cases, `*` for anything, with the reason of each: `{"cancel/*": "it cannot be stopped"}`. */
export type ReasonList = Readonly<Record<string, string>>;

export interface Expectations {
  readonly knownFailing: ReasonList;
  readonly knownFlaky: ReasonList;
}

const lists = [
  ["known-failing", "knownFailing"],
  ["known-flaky", "knownFlaky"],
] as const;

/** What the lists say of a case. */
export function expectationOf(name: string, expectations: Expectations): CaseResult["expected"] {
  for (const [list, key] of lists) {
    for (const [pattern, reason] of Object.entries(expectations[key])) {
      if (fits(pattern, name)) return { list, reason };
    }
  }
  return null;
}

/** Entries that no longer hold, among the cases that ran: all that a known-failing one means passes, or it means none. */
export function staleEntries(
  results: readonly CaseResult[],
  known: readonly string[],
  { knownFailing, knownFlaky }: Expectations,
): string[] {
  const failing = Object.keys(knownFailing).flatMap((pattern) => {
    if (!known.some((name) => fits(pattern, name))) return [`known-failing ${pattern}: there is no such case`];
    const ran = results.filter(({ name, status }) => fits(pattern, name) && status !== "skipped");
    const passed = ran.filter(({ status }) => status === "passed");
    // One entry for many cases holds as long as one of them fails; one for a single case must be right.
    return ran.length > 0 && passed.length === ran.length ? [`known-failing ${pattern}: it passes`] : [];
  });
  const flaky = Object.keys(knownFlaky)
    .filter((pattern) => !known.some((name) => fits(pattern, name)))
    .map((pattern) => `known-flaky ${pattern}: there is no such case`);
  return [...failing, ...flaky];
}

export const exitCodes = {
  asExpected: 0,
  caseFailed: 1,
  wrongUse: 2,
  notStarted: 3,
  staleEntry: 4,
  suiteBroken: 5,
} as const;

/** What the run as a whole comes to. A broken suite says nothing of the agent, so it goes before all. */
export function exitCodeOf(results: readonly CaseResult[], stale: readonly string[]): number {
  if (results.some(({ status }) => status === "broken")) return exitCodes.suiteBroken;
  if (results.some(({ status, expected }) => status === "failed" && expected === null)) return exitCodes.caseFailed;
  return stale.length > 0 ? exitCodes.staleEntry : exitCodes.asExpected;
}

import { type Expectations, exitCodeOf, expectationOf, staleEntries } from "./expectations.js";
import type { CaseRun } from "./play-case.js";
import { type CaseResult, type Report, resultOf, skippedResult, totalsOf } from "./report/result.js";
import type { CaseHead } from "./suite.js";

export interface CasesOptions<C> {
  /** Those that run, of all. */
  readonly cases: readonly C[];
  readonly all: readonly CaseHead[];
  /** Cases that run at once, each with a subject of its own. */
  readonly workers: number;
  readonly expectations: Expectations;
  readonly head: Pick<Report, "suite" | "subject" | "startedAt">;
  run(one: C): Promise<CaseRun>;
  /** Why the case cannot be asked of this subject; null when it can. */
  whySkipped(one: C): string | null;
  onResult(result: CaseResult): void;
}

/** Runs `task` over the items, `workers` at once. */
async function pooled<T>(items: readonly T[], workers: number, task: (item: T, index: number) => Promise<void>) {
  let next = 0;
  const work = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) await task(items[index] as T, index);
  };
  await Promise.all(Array.from({ length: Math.min(workers, items.length) }, work));
}

/** Runs the cases and reports of them in their order. */
export async function runCases<C extends CaseHead & { readonly steps: readonly unknown[] }>(
  options: CasesOptions<C>,
): Promise<Report> {
  const { cases, all, workers, expectations, head } = options;
  const results: CaseResult[] = [];
  await pooled(cases, workers, async (one, index) => {
    const why = options.whySkipped(one);
    const result =
      why === null
        ? resultOf(one, await options.run(one), expectationOf(one.name, expectations))
        : skippedResult(one, why);
    results[index] = result;
    options.onResult(result);
  });
  const stale = staleEntries(
    results,
    all.map(({ name }) => name),
    expectations,
  );
  return {
    ...head,
    ms: Date.now() - Date.parse(head.startedAt),
    exitCode: exitCodeOf(results, stale),
    stale,
    totals: totalsOf(results),
    results,
  };
}

import type { Curve } from "./growth.js";
import { type Target, targets } from "./targets.js";
import type { Measured, WorkloadName } from "./workloads.js";

/** All rounds of all contenders, by workload and contender. */
export type Results = { readonly [Workload in WorkloadName]?: { readonly [contender: string]: readonly Measured[] } };

export function median(values: readonly (number | null | undefined)[]): number | null {
  const sorted = values.filter((it) => typeof it === "number").sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle];
  if (upper === undefined) return null;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2;
}

const medianOf = (results: Results, workload: WorkloadName, contender: string, metric: string): number | null =>
  median((results[workload]?.[contender] ?? []).map((measured) => measured[metric]));

const ratioOf = (results: Results, { workload, metric }: Target, contender: string): number | null => {
  const mine = medianOf(results, workload, contender, metric);
  const floor = medianOf(results, workload, "floor", metric);
  return mine === null || floor === null || floor === 0 ? null : mine / floor;
};

function figure(value: number | null): string {
  if (value === null) return "-";
  if (value >= 1000) return Math.round(value).toLocaleString("en-US");
  return value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2);
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, ["---", ...head.slice(1).map(() => "---:")], ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

/** Ratios to the floor beside what they should be, and whether ours is there. */
export function targetTable(results: Results, contenders: readonly string[]): string {
  const others = contenders.filter((name) => name !== "floor" && name !== "ours");
  const rows = targets.flatMap((target) => {
    if (results[target.workload] === undefined) return [];
    const ours = ratioOf(results, target, "ours");
    const met =
      ours === null ? "-" : (target.bound === "at most" ? ours <= target.ratio : ours >= target.ratio) ? "yes" : "no";
    const wanted = `${target.bound} ${target.ratio}`;
    return [[target.label, figure(ours), wanted, met, ...others.map((name) => figure(ratioOf(results, target, name)))]];
  });
  return table(["÷ floor", "ours", "target", "met", ...others], rows);
}

/** Medians of every metric, a table for each workload. */
export function medianTables(results: Results, contenders: readonly string[]): string {
  const parts = Object.entries(results).map(([workload, of]) => {
    const metrics = [...new Set(Object.values(of).flatMap((rounds) => rounds.flatMap((it) => Object.keys(it))))];
    const rows = contenders
      .filter((name) => of[name] !== undefined)
      .map((name) => [name, ...metrics.map((it) => figure(median((of[name] ?? []).map((round) => round[it]))))]);
    return `### ${workload}\n\n${table(["", ...metrics], rows)}`;
  });
  return parts.join("\n\n");
}

/** CPU and memory at each point of the curves, ours and the floor's. */
export function growthTables(curves: readonly Curve[]): string {
  const axes = [...new Set(curves.map(({ axis }) => axis))];
  return axes
    .map((axis) => {
      const own = curves.filter((curve) => curve.axis === axis);
      const head = [axis, ...own.flatMap(({ contender }) => [`${contender} cpuUs`, `${contender} peakMb`])];
      const counts = own[0]?.points.map(({ count }) => count) ?? [];
      const rows = counts.map((count, index) => [
        count.toLocaleString("en-US"),
        ...own.flatMap(({ points }) => [figure(points[index]?.cpuUs ?? null), figure(points[index]?.peakMb ?? null)]),
      ]);
      return table(head, rows);
    })
    .join("\n\n");
}

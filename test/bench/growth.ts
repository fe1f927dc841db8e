import { prepareField } from "./contenders.js";
import { median } from "./tables.js";
import { fullSizes, measure, type Sizes, type WorkloadName } from "./workloads.js";

/** What grows, and what must not grow with it: CPU for each unit of work, and memory. */
export interface Axis {
  readonly name: "sessions at once" | "deltas of a message" | "turns of a history";
  readonly workload: WorkloadName;
  readonly sizes: (count: number) => Sizes;
  readonly counts: readonly number[];
}

/**
 * Each session has as many deltas as the next, but for few sessions, which share enough for their code to get warm: what a
 * session and its turn cost by themselves must not weigh more the more there are.
 */
const deltasEach = 1000;

export const axes: readonly Axis[] = [
  {
    name: "sessions at once",
    workload: "sessions",
    sizes: (sessions) => ({
      ...fullSizes,
      sessions,
      sessionDeltas: Math.max(fullSizes.sessionDeltas, sessions * deltasEach),
    }),
    counts: [1, 10, 50, 100, 200],
  },
  {
    name: "deltas of a message",
    workload: "text",
    sizes: (text) => ({ ...fullSizes, text }),
    counts: [1000, 10_000, 100_000, 1_000_000],
  },
  {
    name: "turns of a history",
    workload: "replay",
    sizes: (replay) => ({ ...fullSizes, replay }),
    counts: [10, 100, 1000, 10_000],
  },
];

export interface Point {
  readonly count: number;
  /** µs for each delta or turn; null where the system does not tell. */
  readonly cpuUs: number | null;
  /** MiB at most. */
  readonly peakMb: number | null;
}

export interface Curve {
  readonly axis: Axis["name"];
  readonly contender: string;
  readonly points: readonly Point[];
}

export interface GrowthOptions {
  readonly rounds: number;
  readonly axes: readonly Axis[];
  progress(line: string): void;
}

/** Measures the bridge and the floor along each axis; each point is the median of the rounds. */
export async function runGrowth({ rounds, axes: chosen, progress }: GrowthOptions): Promise<readonly Curve[]> {
  const field = await prepareField({ peers: false });
  const contenders = field.contenders.filter(({ name }) => name === "floor" || name === "ours");
  const curves: Curve[] = [];
  try {
    for (const { name: axis, workload, sizes, counts } of chosen) {
      const points = new Map(contenders.map(({ name }): [string, Point[]] => [name, []]));
      for (const count of counts) {
        for (const { name, command } of contenders) {
          const cpu: (number | null)[] = [];
          const peak: (number | null)[] = [];
          for (let round = 0; round < rounds; round += 1) {
            const options = { command, env: field.env, cwd: field.cwd, isCodex: field.isCodex };
            const { cpuUs, peakMb } = await measure(workload, options, sizes(count));
            cpu.push(cpuUs ?? null);
            peak.push(peakMb ?? null);
          }
          const point = { count, cpuUs: median(cpu), peakMb: median(peak) };
          points.get(name)?.push(point);
          progress(`${axis} ${count} ${name} cpuUs=${point.cpuUs?.toFixed(2)} peakMb=${point.peakMb?.toFixed(1)}`);
        }
      }
      for (const [contender, list] of points) curves.push({ axis, contender, points: list });
    }
  } finally {
    await field.close();
  }
  return curves;
}

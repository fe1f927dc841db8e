import { type Field, prepareField } from "./contenders.js";
import type { Results } from "./tables.js";
import { type Measured, measure, type Sizes, type WorkloadName, workloadNames } from "./workloads.js";

export interface BenchOptions {
  readonly rounds: number;
  readonly sizes: Sizes;
  /** Names of workloads and of contenders; of a kind that is not named, all. */
  readonly only: readonly string[];
  readonly peers: boolean;
  /** Our agent once more, spoken to in version 1 of ACP. */
  readonly v1?: boolean;
  /** The script of our agent; default: the bundled one. */
  readonly agent?: string;
  /** One line for each measurement. */
  progress(line: string): void;
}

export interface BenchReport {
  readonly contenders: readonly string[];
  readonly results: Results;
  /** Measurements that failed, in words. */
  readonly failures: readonly string[];
}

/**
 * Measures all contenders interleaved, each time in a process of its own: round by round, workload by workload, one
 * contender after the other. So what else the machine does meets all of them alike.
 */
export async function runBench(options: BenchOptions): Promise<BenchReport> {
  const field = await prepareField(options);
  try {
    return await play(field, options);
  } finally {
    await field.close();
  }
}

async function play(field: Field, { rounds, sizes, only, progress }: BenchOptions): Promise<BenchReport> {
  const names = field.contenders.map(({ name }) => name);
  const unknown = only.filter((name) => !names.includes(name) && !workloadNames.some((it) => it === name));
  if (unknown.length > 0)
    throw new Error(`unknown: ${unknown.join(", ")}; known: ${[...names, ...workloadNames].join(", ")}`);
  const contenders = chosen(field.contenders, ({ name }) => only.includes(name));
  const results: { [Workload in WorkloadName]?: { [contender: string]: Measured[] } } = {};
  const failures: string[] = [];
  for (let round = 1; round <= rounds; round++) {
    for (const workload of chosen(workloadNames, (name) => only.includes(name))) {
      for (const { name, command, version = 2, without } of contenders) {
        if (without?.includes(workload)) continue;
        const about = `${round} ${workload} ${name}`;
        try {
          const measured = await measure(
            workload,
            { command, env: field.env, cwd: field.cwd, isCodex: field.isCodex, version },
            sizes,
          );
          results[workload] ??= {};
          results[workload][name] ??= [];
          results[workload][name].push(measured);
          progress(`${about} ${inWords(measured)}`);
        } catch (error) {
          failures.push(`${about}: ${error instanceof Error ? error.message : String(error)}`);
          progress(`${about} failed`);
        }
      }
    }
  }
  return { contenders: contenders.map(({ name }) => name), results, failures };
}

const chosen = <T>(all: readonly T[], wanted: (it: T) => boolean): readonly T[] =>
  all.some(wanted) ? all.filter(wanted) : all;

const inWords = (measured: Measured): string =>
  Object.entries(measured)
    .flatMap(([name, value]) => (value === null ? [] : `${name}=${value.toFixed(2)}`))
    .join(" ");

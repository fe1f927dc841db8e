import type { WorkloadName } from "./workloads.js";

/** A figure to reach, as a ratio to the floor in the same run. */
export interface Target {
  readonly label: string;
  readonly workload: WorkloadName;
  readonly metric: string;
  readonly bound: "at most" | "at least";
  readonly ratio: number;
}

const atMost = (label: string, workload: WorkloadName, metric: string, ratio: number): Target => ({
  label,
  workload,
  metric,
  bound: "at most",
  ratio,
});

export const targets: readonly Target[] = [
  atMost("CPU per text delta", "text", "cpuUs", 1.5),
  { label: "text deltas per second", workload: "text", metric: "perSecond", bound: "at least", ratio: 0.7 },
  atMost("CPU per command-output delta", "output", "cpuUs", 1.5),
  atMost("latency p50 at 200 deltas/s", "latency", "p50Ms", 1.15),
  atMost("replay of a history, CPU per turn", "replay", "cpuUs", 2),
  atMost("process start to `initialize` answer", "start", "initializeMs", 1.15),
  atMost("`session/new`", "start", "newMs", 2),
  atMost("memory at rest", "start", "restMb", 1.3),
  atMost("peak memory, host stalled", "stall", "peakMb", 1.3),
  atMost("many sessions at once, CPU per delta", "sessions", "cpuUs", 1.6),
];

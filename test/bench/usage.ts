import { readdirSync, readFileSync } from "node:fs";

/** What an agent and its helpers used, Codex and what it started left out. Null where the system does not tell. */
export interface Usage {
  /** Seconds of CPU, user and system, all threads. */
  readonly cpu: number | null;
  /** MiB of memory now, and at most so far. */
  readonly rssMb: number | null;
  readonly peakMb: number | null;
}

/** The file's text; empty when the process has ended meanwhile. */
function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ESRCH")) return "";
    throw error;
  }
}

const threads = (pid: number): string[] => (read(`/proc/${pid}/stat`) === "" ? [] : readdirSync(`/proc/${pid}/task`));

const children = (pid: number): number[] =>
  threads(pid).flatMap((thread) =>
    read(`/proc/${pid}/task/${thread}/children`)
      .split(" ")
      .filter((word) => word.trim() !== "")
      .map(Number),
  );

/** The process and all below it. */
export const family = (pid: number): number[] => [pid, ...children(pid).flatMap(family)];

function cpuOf(pid: number): number {
  const fine = threads(pid).reduce(
    (sum, it) => sum + Number(read(`/proc/${pid}/task/${it}/schedstat`).split(" ")[0]),
    0,
  );
  // Threads that have ended count in the coarse figure only.
  const stat = read(`/proc/${pid}/stat`);
  const [user = 0, system = 0] = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 13)
    .map(Number);
  const coarse = (user + system) / 100;
  return Math.abs(fine / 1e9 - coarse) < 0.05 ? fine / 1e9 : coarse;
}

const mb = (pid: number, field: string): number =>
  Number(new RegExp(`${field}:\\s+(\\d+)`).exec(read(`/proc/${pid}/status`))?.[1] ?? 0) / 1024;

/** `isCodex` tells a process by its command line. */
export function usageOf(pid: number, isCodex: (commandLine: string) => boolean): Usage {
  if (process.platform !== "linux") return { cpu: null, rssMb: null, peakMb: null };
  const own = family(pid).filter((it) => it === pid || !isCodex(read(`/proc/${it}/cmdline`).replaceAll("\0", " ")));
  const sum = (of: (pid: number) => number): number => own.reduce((all, it) => all + of(it), 0);
  return { cpu: sum(cpuOf), rssMb: sum((it) => mb(it, "VmRSS")), peakMb: sum((it) => mb(it, "VmHWM")) };
}

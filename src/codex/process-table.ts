import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/** One running process, as far as ending a tree needs it. */
export interface ProcessEntry {
  readonly pid: number;
  readonly ppid: number;
  readonly pgid: number;
  /** When it started, in a unit of the platform's own: with `pid` it names a process for good, as pids are reused. */
  readonly started: string;
}

/** `/proc/<pid>/stat`; null for a process that is dead and only waits to be reaped. */
export function parseProcStat(text: string): ProcessEntry | null {
  // The name stands in parentheses and may hold spaces and parentheses itself.
  const name = text.lastIndexOf(")");
  const [state, ppid, pgid, ...more] = text.slice(name + 2).split(" ");
  const started = more[16];
  if (name < 0 || state === undefined || started === undefined || state === "Z" || state === "X") return null;
  return { pid: Number.parseInt(text, 10), ppid: Number(ppid), pgid: Number(pgid), started };
}

/** One line of `ps -axo pid=,ppid=,pgid=,stat=,lstart=`. */
export function parsePsLine(line: string): ProcessEntry | null {
  const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.+?)\s*$/.exec(line);
  if (match === null) return null;
  const [, pid, ppid, pgid, state, started] = match;
  if (started === undefined || state?.startsWith("Z") === true) return null;
  return { pid: Number(pid), ppid: Number(ppid), pgid: Number(pgid), started };
}

/** Every running process; empty where the platform cannot tell. Synchronous, so that it can run while we exit. */
export function listProcesses(platform: NodeJS.Platform = process.platform): ProcessEntry[] {
  if (platform === "win32") return [];
  const entries: ProcessEntry[] = [];
  if (platform === "linux") {
    for (const name of readdirSync("/proc")) {
      if (!/^\d+$/.test(name)) continue;
      const entry = readProcStat(name);
      if (entry !== null) entries.push(entry);
    }
    return entries;
  }
  const { stdout } = spawnSync("ps", ["-axo", "pid=,ppid=,pgid=,stat=,lstart="], { encoding: "utf8" });
  for (const line of (stdout ?? "").split("\n")) {
    const entry = parsePsLine(line);
    if (entry !== null) entries.push(entry);
  }
  return entries;
}

function readProcStat(pid: string): ProcessEntry | null {
  try {
    return parseProcStat(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    // It ended since the folder was listed.
    return null;
  }
}

/**
 * The members of a tree among `all`: the group `root`, the descendants of `root`, those of `known` that still run, and
 * the descendants of all of these. A command of Codex may have a session, hence a group, of its own; and once Codex is
 * gone its children are nobody's: that is what `known`, an earlier answer of this function, is for.
 */
export function selectTree(
  all: readonly ProcessEntry[],
  root: number,
  known: readonly ProcessEntry[] = [],
): ProcessEntry[] {
  const identity = (entry: ProcessEntry): string => `${entry.pid} ${entry.started}`;
  const knownIds = new Set(known.map(identity));
  const members = new Map<number, ProcessEntry>();
  for (const entry of all) {
    if (entry.pid === root || entry.pgid === root || knownIds.has(identity(entry))) members.set(entry.pid, entry);
  }
  for (let before = -1; before !== members.size; ) {
    before = members.size;
    for (const entry of all) if (members.has(entry.ppid)) members.set(entry.pid, entry);
  }
  return [...members.values()];
}

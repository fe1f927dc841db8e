import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { listProcesses, selectTree } from "../../src/codex/process-table.js";

/** Kinds of what holds a port or a process open, as Node names them. */
const watched = ["ProcessWrap", "TCPServerWrap", "TCPSocketWrap"] as const;

export type OpenResources = Readonly<Record<(typeof watched)[number], number>>;

/** What this process holds open now. */
export function openResources(): OpenResources {
  const open = process.getActiveResourcesInfo();
  const count = (kind: string): number => open.filter((name) => name === kind).length;
  return {
    ProcessWrap: count("ProcessWrap"),
    TCPServerWrap: count("TCPServerWrap"),
    TCPSocketWrap: count("TCPSocketWrap"),
  };
}

/** What is open beyond `before`, in words: child processes with their command lines, servers, sockets. */
export function leaksSince(before: OpenResources): string[] {
  const now = openResources();
  const more = watched.flatMap((kind) => (now[kind] > before[kind] ? [`${now[kind] - before[kind]} ${kind}`] : []));
  if (now.ProcessWrap === before.ProcessWrap) return more;
  const children = selectTree(listProcesses(), process.pid).filter(({ pid }) => pid !== process.pid);
  return [...more, ...children.map(({ pid }) => `process ${pid}: ${commandOf(pid)}`)];
}

/** Handles take a few turns of the event loop to close, and a killed process a moment; `graceMs` at most. */
export async function settledLeaks(before: OpenResources, graceMs = 1_000): Promise<string[]> {
  const end = performance.now() + graceMs;
  let leaks = leaksSince(before);
  while (leaks.length > 0 && performance.now() < end) {
    await new Promise((resolve) => setImmediate(resolve));
    leaks = leaksSince(before);
  }
  return leaks;
}

function read(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    // The process ended, or is another user's.
    return "";
  }
}

function folderOf(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    // As above.
    return "";
  }
}

const commandOf = (pid: number | string): string => read(`/proc/${pid}/cmdline`).replaceAll("\0", " ").trim();

/**
 * Processes that a run left behind: those with `mark` in their environment, or that work in a folder under `scratch`.
 * Linux only; elsewhere none is found.
 */
export function leftProcesses(mark: string, scratch: string, except: (command: string) => boolean): string[] {
  if (process.platform !== "linux") return [];
  const alive = new Set(listProcesses().map(({ pid }) => pid));
  return readdirSync("/proc")
    .filter((pid) => /^\d+$/.test(pid) && Number(pid) !== process.pid && alive.has(Number(pid)))
    .filter((pid) => read(`/proc/${pid}/environ`).split("\0").includes(mark) || folderOf(pid).startsWith(scratch))
    .map((pid) => `process ${pid}: ${commandOf(pid)}`)
    .filter((line) => !except(line));
}

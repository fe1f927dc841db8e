import { spawnSync } from "node:child_process";
import { listProcesses, type ProcessEntry, selectTree } from "./process-table.js";

/** The processes that one child started, itself included. */
export interface ProcessTree {
  /** Looks again, so that members are still known once their parent is gone. */
  remember(): void;
  /** Whether anything of it runs. On Windows: false, as `kill` there leaves nothing. */
  alive(): boolean;
  /** Signals all of it. On Windows every signal ends it by force. */
  kill(signal: "SIGTERM" | "SIGKILL"): void;
}

/** The tree under `root`, which leads a process group of its own (POSIX). */
export function processTree(root: number, platform: NodeJS.Platform = process.platform): ProcessTree {
  let known: ProcessEntry[] = [];
  const look = (): ProcessEntry[] => {
    known = selectTree(listProcesses(platform), root, known);
    return known;
  };
  if (platform === "win32") {
    return {
      remember: () => undefined,
      alive: () => false,
      kill: () => void spawnSync("taskkill", ["/PID", String(root), "/T", "/F"], { windowsHide: true }),
    };
  }
  return {
    remember: () => void look(),
    alive: () => look().length > 0,
    kill(signal) {
      const members = look();
      if (members.some((entry) => entry.pgid === root)) send(-root, signal);
      for (const entry of members) if (entry.pgid !== root) send(entry.pid, signal);
    },
  };
}

function send(pid: number, signal: "SIGTERM" | "SIGKILL"): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended meanwhile (ESRCH), or became another user's (EPERM): neither is ours to end.
  }
}

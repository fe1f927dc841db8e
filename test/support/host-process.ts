import { spawn } from "node:child_process";
import { createLineSplitter } from "../../src/codex/line-splitter.js";
import type { FrameLog } from "../../src/testing/frames.js";
import type { HostWire } from "./host.js";

export interface AgentProcess {
  readonly wire: HostWire;
  readonly pid: number;
  /** What the agent wrote to stderr so far. */
  readonly stderr: string;
  /** Exit code, or the signal that ended it. */
  readonly exited: Promise<number | string>;
  kill(signal: NodeJS.Signals): void;
}

export interface AgentCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** Starts an agent as a host does: on stdio. */
export function startAgentProcess({ command, args, env, cwd }: AgentCommand, log: FrameLog): AgentProcess {
  const child = spawn(command, args, { env, stdio: "pipe", ...(cwd === undefined ? {} : { cwd }) });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
    log.note(`agent's stderr: ${text.trimEnd()}`);
  });
  // An agent that is gone does not read: that shows in `exited`.
  child.stdin.on("error", () => undefined);
  const exited = new Promise<number | string>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => {
      log.note(`the agent ended: ${signal ?? code}`);
      resolve(signal ?? code ?? "unknown");
    });
  });
  return {
    pid: child.pid ?? -1,
    exited,
    get stderr() {
      return stderr;
    },
    kill: (signal) => void child.kill(signal),
    wire: {
      write: (text) => void child.stdin.write(text),
      onLine(line) {
        const splitter = createLineSplitter({
          maxBytes: 256 * 1024 * 1024,
          line,
          tooLong: (bytes) => log.note(`the agent sent a line of ${bytes} bytes`),
        });
        child.stdout.on("data", (chunk: Buffer) => splitter.push(chunk));
        child.stdout.on("end", () => splitter.end());
      },
      close: () => void child.stdin.end(),
    },
  };
}

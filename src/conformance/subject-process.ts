import { spawn } from "node:child_process";
import { createLineSplitter } from "../codex/line-splitter.js";
import type { FrameLog } from "../testing/frames.js";
import type { Agent } from "./ground.js";

export interface SubjectCommand {
  /** For the log: `agent`. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Its whole environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly log: FrameLog;
}

/** The longest line that is taken from it, in bytes. */
const longestLine = 256 * 1024 * 1024;

/** Starts what is under test, or what speaks for it, as a process with a line protocol on its stdio. */
export function startSubject({ name, command, args, env, cwd, log }: SubjectCommand): Agent {
  const child = spawn(command, args, { env, cwd, stdio: "pipe" });
  child.stderr
    .setEncoding("utf8")
    .on("data", (text: string) => log.note(`${name}'s stderr: ${text.trimEnd().slice(0, 2000)}`));
  // One that is gone does not read: that shows in `ended`.
  child.stdin.on("error", () => undefined);
  const ended = new Promise<number | string>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => {
      log.note(`the ${name} ended: ${signal ?? code}`);
      resolve(signal ?? code ?? "unknown");
    });
  });
  // Whoever asks hears of it.
  ended.catch(() => undefined);
  return {
    ended,
    write: (text) => void child.stdin.write(text),
    onLine(line) {
      const tooLong = (bytes: number): void => log.note(`the ${name} sent a line of ${bytes} bytes`);
      const splitter = createLineSplitter({ maxBytes: longestLine, line, tooLong });
      child.stdout.on("data", (chunk: Buffer) => splitter.push(chunk));
      child.stdout.on("end", () => splitter.end());
    },
    reads: (on) => void (on ? child.stdout.resume() : child.stdout.pause()),
    closeInput: () => void child.stdin.end(),
    async dispose() {
      child.kill("SIGKILL");
      await ended.catch(() => undefined);
    },
  };
}

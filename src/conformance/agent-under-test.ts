import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { createLineSplitter } from "../codex/line-splitter.js";
import type { Clock } from "../runtime/clock.js";
import type { FrameLog } from "../testing/frames.js";
import { serveStandIn } from "../testing/scripted-codex/serve-stand-in.js";
import type { CaseCodex } from "./codex.js";

/** One run of the agent: a case starts it, and its end ends the case. */
export interface Agent {
  /** Writes text to it as it is. */
  write(text: string): void;
  /** Takes each of its lines. Called once, before anything is written. */
  onLine(take: (line: string) => void): void;
  /** Has the host stop reading, or go on. */
  reads(on: boolean): void;
  /** The host goes away. */
  closeInput(): void;
  /** How it ended: exit code or signal. Rejects when it could not be started. */
  readonly ended: Promise<number | string>;
  /** Ends what still runs, and what was started for it. */
  dispose(): Promise<void>;
}

export interface AgentStart {
  readonly codex: CaseCodex;
  readonly log: FrameLog;
  /** Over the environment that the agent gets anyway; null takes a variable away. */
  readonly env: Readonly<Record<string, string | null>>;
}

/** Where a case runs: how the agent is started, and what time is. */
export interface Ground {
  readonly clock: Clock;
  start(options: AgentStart): Promise<Agent>;
}

export interface AgentCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** Its whole environment, but for what leads it to Codex. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Where each run of it gets a home for Codex and for its own state. */
  readonly folder: string;
  /** Variable through which it finds Codex. Default `CODEX_PATH`. */
  readonly codexVariable?: string;
  /** A program to be named to it in place of the stand-in itself; it shall run `$SCRIPTED_CODEX_PATH "$@"`. */
  readonly wrapper?: string;
}

/** The longest line that is taken from an agent, in bytes. */
const longestLine = 256 * 1024 * 1024;

/** What would change an agent's behaviour under a case that does not say so. */
const withheld = [
  "APP_SERVER_LOGS",
  "CODEX_API_KEY",
  "CODEX_CONFIG",
  "INITIAL_AGENT_MODE",
  "MODEL_PROVIDER",
  "NO_BROWSER",
  "OPENAI_API_KEY",
];

/** The environment of the user without what cases set themselves. */
export const agentEnvironment = (env: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      value === undefined || withheld.includes(name) ? [] : [[name, value]],
    ),
  );

/** Starts the agent as a host does, with our scripted Codex where it looks for Codex. Time is real. */
export function processGround(run: AgentCommand, clock: Clock): Ground {
  return {
    clock,
    async start({ codex, log, env }) {
      const standIn = await serveStandIn(codex.core);
      const home = await mkdtemp(join(run.folder, "run-"));
      const { CODEX_PATH: standInPath = "", ...others } = standIn.env;
      const { codexVariable = "CODEX_PATH", wrapper = standInPath } = run;
      const whole = {
        ...run.env,
        ...others,
        SCRIPTED_CODEX_PATH: standInPath,
        CODEX_HOME: home,
        XDG_STATE_HOME: home,
        [codexVariable]: wrapper,
        ...env,
      };
      const set = Object.entries(whole).flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]));
      const child = spawn(run.command, run.args, { env: Object.fromEntries(set), cwd: run.cwd, stdio: "pipe" });
      child.stderr
        .setEncoding("utf8")
        .on("data", (text: string) => log.note(`agent's stderr: ${text.trimEnd().slice(0, 2000)}`));
      // An agent that is gone does not read: that shows in `ended`.
      child.stdin.on("error", () => undefined);
      const ended = new Promise<number | string>((resolve, reject) => {
        child.once("error", reject);
        child.once("close", (code, signal) => {
          log.note(`the agent ended: ${signal ?? code}`);
          resolve(signal ?? code ?? "unknown");
        });
      });
      // Whoever asks hears of it.
      ended.catch(() => undefined);
      return {
        ended,
        write: (text) => void child.stdin.write(text),
        onLine(line) {
          const tooLong = (bytes: number): void => log.note(`the agent sent a line of ${bytes} bytes`);
          const splitter = createLineSplitter({ maxBytes: longestLine, line, tooLong });
          child.stdout.on("data", (chunk: Buffer) => splitter.push(chunk));
          child.stdout.on("end", () => splitter.end());
        },
        reads: (on) => void (on ? child.stdout.resume() : child.stdout.pause()),
        closeInput: () => void child.stdin.end(),
        async dispose() {
          child.kill("SIGKILL");
          await ended.catch(() => undefined);
          await standIn.close();
          await rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
        },
      };
    },
  };
}

import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { createLineSplitter } from "../codex/line-splitter.js";
import { serveStandIn } from "../testing/scripted-codex/serve-stand-in.js";
import type { Ground } from "./ground.js";

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

/** Starts the agent as a host does, with what `behind` makes where it looks for Codex. Time is real. */
export function processGround(run: AgentCommand, parts: Pick<Ground, "clock" | "codexIsHeld" | "behind">): Ground {
  return {
    ...parts,
    async start({ behind, log, env }) {
      const standIn = await serveStandIn(behind.side);
      const home = await mkdtemp(join(run.folder, "run-"));
      const { CODEX_PATH: standInPath = "", ...others } = standIn.env;
      const { codexVariable = "CODEX_PATH", wrapper = standInPath } = run;
      const whole = {
        ...run.env,
        ...others,
        SCRIPTED_CODEX_PATH: standInPath,
        CODEX_HOME: home,
        XDG_STATE_HOME: home,
        ...behind.env,
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

import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { serveStandIn } from "../testing/scripted-codex/serve-stand-in.js";
import type { Ground } from "./ground.js";
import { startSubject } from "./subject-process.js";

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
      const { command, args, cwd } = run;
      const agent = startSubject({ name: "agent", command, args, env: Object.fromEntries(set), cwd, log });
      return {
        ...agent,
        async dispose() {
          await agent.dispose();
          await standIn.close();
          await rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
        },
      };
    },
  };
}

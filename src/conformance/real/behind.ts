import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { resolveCodex, systemHost } from "../../codex/resolve.js";
import { makeCodexHome } from "../../testing/real-codex.js";
import type { MakeBehind } from "../ground.js";
import { startCaseModel } from "./model.js";
import { promptsIn } from "./prompts.js";
import { createRelay } from "./relay.js";

/** The `codex` that cases on the real ground run. */
export interface RealCodex {
  readonly command: string;
  readonly args: readonly string[];
  /** As in `0.171.0`. */
  readonly version: string;
}

const run = promisify(execFile);

/** The Codex that our own agent would start. Rejects when there is none, or it cannot be started, or tells no version. */
export async function findCodex(env: Readonly<Record<string, string | undefined>>): Promise<RealCodex> {
  const { command, args } = resolveCodex(systemHost(env));
  const { stdout } = await run(command, [...args, "--version"]);
  const version = /\d+\.\d+\.\d+\S*/.exec(stdout)?.[0];
  if (version === undefined) throw new Error(`${command} --version gives no version: ${stdout.trim()}`);
  return { command, args, version };
}

/** The real Codex with a home of its own, whose model says what the case says. `folder`: where homes are made. */
export const realBehind =
  (codex: RealCodex, folder: string): MakeBehind =>
  async ({ log, waits }) => {
    const model = await startCaseModel({
      expected(texts) {
        const prompts = promptsIn(log);
        return texts.some((text) => prompts.has(text));
      },
      asked: (body) => log.note(`codex asks the model: ${JSON.stringify(Object(body).input?.at?.(-1))}`),
    });
    const home = await makeCodexHome({ under: folder, modelUrl: model.url }).catch(async (error: unknown) => {
      await model.close();
      throw error;
    });
    const { CODEX_HOME, HOME } = { CODEX_HOME: home.codexHome, HOME: home.home };
    // The agent keeps its user's home; Codex must see nothing of it.
    const relay = createRelay({ log, waits, command: codex.command, args: codex.args, env: { CODEX_HOME, HOME } });
    return {
      side: relay,
      codex: null,
      model,
      env: { CODEX_HOME, SCRIPTED_CODEX_VERSION: codex.version },
      cwd: home.workspace,
      async dispose() {
        await relay.close();
        await model.close();
        await home.remove();
      },
    };
  };

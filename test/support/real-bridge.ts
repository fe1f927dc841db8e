import { createFrameLog, type FrameLog } from "../../src/testing/frames.js";
import { type CodexHome, type CodexHomeOptions, makeCodexHome } from "../../src/testing/real-codex.js";
import { type ModelRequest, type ScriptedModel, startScriptedModel } from "../../src/testing/scripted-model/server.js";
import type { ModelScript } from "../../src/testing/scripted-model/steps.js";
import { type BridgeWires, createStrictChecker, type StrictChecker } from "../../src/testing/strict.js";
import { createWaits, type Waits } from "../../src/testing/waits.js";
import { bundledAgent } from "./bridge.js";
import { type CodexUnderTest, onlyCodex } from "./codexes.js";
import { createHost, type Host } from "./host.js";
import { type AgentCommand, type AgentProcess, startAgentProcess } from "./host-process.js";
import { scratch } from "./places.js";
import { schemas } from "./schemas.js";

/** The agent's process, the real Codex and a scripted model; the host is whoever uses the agent's wire. */
export interface RealGround {
  readonly agent: AgentProcess;
  readonly model: ScriptedModel;
  readonly home: CodexHome;
  /** The host's side; what passes between the agent and Codex is not seen. */
  readonly log: FrameLog;
  readonly waits: Waits;
  readonly checker: StrictChecker;
  /** Sends the host away, waits for the agent to end, removes the folders, and throws the first fault. */
  close(): Promise<void>;
}

/** The whole of it, with a played host. */
export interface RealBridge extends RealGround {
  readonly host: Host;
}

export interface RealBridgeOptions extends Omit<CodexHomeOptions, "under" | "modelUrl"> {
  readonly scripts: readonly ModelScript[];
  /** Told of each request that Codex makes of the model. */
  readonly asked?: (request: ModelRequest) => void;
  readonly env?: Readonly<Record<string, string>>;
  /** Default: the bundled `dist/cli.js`. */
  readonly command?: AgentCommand;
  /** Default: the installed `@openai/codex`. Stands in `home.env`, so that a second agent runs it too. */
  readonly codex?: CodexUnderTest;
  /** What every frame is held to. Default: the contract. */
  readonly held?: BridgeWires;
}

/** A wait covers a real model turn, on a machine that may be busy. */
const deadlineMs = 20_000;

export async function startRealBridge(given: RealBridgeOptions): Promise<RealBridge> {
  const ground = await startRealGround(given);
  return { ...ground, host: createHost(ground.agent.wire, ground.log, ground.waits) };
}

export async function startRealGround(given: RealBridgeOptions): Promise<RealGround> {
  const { scripts, asked, env, command, codex = onlyCodex, held = schemas, ...options } = given;
  const model = await startScriptedModel({ scripts, ...(asked === undefined ? {} : { log: asked }) });
  const made = await makeCodexHome({ ...options, under: scratch, modelUrl: model.url });
  const home = codex ? { ...made, env: { ...made.env, CODEX_PATH: codex.path } } : made;
  const log = createFrameLog();
  const waits = createWaits(log, deadlineMs);
  const checker = createStrictChecker({ log, schemas: held, onFault: (fault) => waits.fail(fault) });
  const run = command ?? bundledAgent;
  const agent = startAgentProcess({ ...run, cwd: home.workspace, env: { ...run.env, ...home.env, ...env } }, log);
  return {
    agent,
    model,
    home,
    log,
    waits,
    checker,
    async close() {
      log.note("the host goes away");
      agent.wire.close();
      try {
        await waits.within("the agent to end", agent.exited);
        checker.assertClean();
        if (waits.failure !== undefined) throw waits.failure;
      } finally {
        agent.kill("SIGKILL");
        await agent.exited;
        await model.close();
        await home.remove();
      }
    },
  };
}

import { join } from "node:path";
import { type AgentOptions, createAgent } from "../../src/agent/create-agent.js";
import { settingsFromEnv } from "../../src/agent/settings.js";
import { createFrameSink } from "../../src/log/frame-sink.js";
import { createWireLog, withWireLog } from "../../src/log/wire-log.js";
import { type BridgeInProcess, type ServeAgent, type ServedOptions, startServed } from "./bridge.js";

/** The bridge itself, with ids that count up; `options` go over what the ports give. It logs where the environment says. */
export const bridgeAgent =
  (options: Partial<AgentOptions> = {}): ServeAgent =>
  async ({ transport, codex, clock, env, note }) => {
    let lastId = 0;
    const newId = (): string => {
      lastId += 1;
      return `id-${lastId}`;
    };
    const settings = settingsFromEnv(env);
    const given = { clock, settings, newId, note, warn: note };
    const folder = env["APP_SERVER_LOGS"];
    if (folder === undefined) return createAgent({ ...given, codex, ...options }).connect(transport).closed;
    const path = join(folder, "wire.jsonl");
    // What waits for a file to open would miss the host's first line.
    const log = createWireLog(path, createFrameSink(path), { clock, warn: note });
    const onFrame: AgentOptions["onFrame"] = (direction, frame) => log.frame(direction, frame);
    const logged = { ...given, codex: () => withWireLog(codex(), log), onFrame, ...options };
    await createAgent(logged).connect(transport).closed;
    await log.close();
  };

export interface BridgeOptions extends Omit<ServedOptions, "serve"> {
  /** Over the defaults of the test: `policies`, `openBrowser`, … */
  readonly agent?: Partial<AgentOptions>;
}

/** The bridge in this process, under a virtual clock on which only timers wait for `clock.advance`. */
export const startBridge = ({ agent, ...options }: BridgeOptions = {}): BridgeInProcess =>
  startServed({ ...options, serve: bridgeAgent(agent) });

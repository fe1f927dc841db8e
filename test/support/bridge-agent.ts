import { type AgentOptions, createAgent } from "../../src/agent/create-agent.js";
import { settingsFromEnv } from "../../src/agent/settings.js";
import { type BridgeInProcess, type ServeAgent, type ServedOptions, startServed } from "./bridge.js";

/** The bridge itself, with ids that count up; `options` go over what the ports give. */
export const bridgeAgent =
  (options: Partial<AgentOptions> = {}): ServeAgent =>
  ({ transport, codex, clock, env, note }) => {
    let lastId = 0;
    const newId = (): string => {
      lastId += 1;
      return `id-${lastId}`;
    };
    const settings = settingsFromEnv(env);
    return createAgent({ codex, clock, settings, newId, note, warn: note, ...options }).connect(transport).closed;
  };

export interface BridgeOptions extends Omit<ServedOptions, "serve"> {
  /** Over the defaults of the test: `policies`, `openBrowser`, … */
  readonly agent?: Partial<AgentOptions>;
}

/** The bridge in this process, under a virtual clock on which only timers wait for `clock.advance`. */
export const startBridge = ({ agent, ...options }: BridgeOptions = {}): BridgeInProcess =>
  startServed({ ...options, serve: bridgeAgent(agent) });

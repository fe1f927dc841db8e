import { hostRequests } from "../../src/generated/contract/methods.js";
import { createFrameLog } from "../../src/testing/frames.js";
import { createStrictChecker } from "../../src/testing/strict.js";
import { createWaits } from "../../src/testing/waits.js";
import { bundledAgent } from "./bridge.js";
import { createHost, type Host } from "./host.js";
import { startAgentProcess } from "./host-process.js";
import type { RealBridge } from "./real-bridge.js";
import { schemas } from "./schemas.js";

export interface SecondAgent {
  readonly host: Host;
  close(): Promise<void>;
}

/** Another bridge with a Codex of its own, on the same home, greeted. */
export async function startSecondAgent({ home }: Pick<RealBridge, "home">): Promise<SecondAgent> {
  const log = createFrameLog();
  const waits = createWaits(log, 20_000);
  const checker = createStrictChecker({ log, schemas, onFault: (fault) => waits.fail(fault) });
  const env = { ...bundledAgent.env, ...home.env };
  const agent = startAgentProcess({ ...bundledAgent, cwd: home.workspace, env }, log);
  const host = createHost(agent.wire, log, waits);
  await greet(host);
  return {
    host,
    async close() {
      host.close();
      await waits.within("the second agent to end", agent.exited);
      checker.assertClean();
    },
  };
}

export const greet = (host: Host) =>
  host.request(hostRequests.initialize, { protocolVersion: 2, info: { name: "test", version: "0" }, capabilities: {} });

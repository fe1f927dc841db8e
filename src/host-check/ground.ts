import type { Agent } from "../conformance/ground.js";
import { startSubject } from "../conformance/subject-process.js";
import type { Clock } from "../runtime/clock.js";
import type { FrameLog } from "../testing/frames.js";
import { serveStandIn } from "../testing/scripted-codex/serve-stand-in.js";
import type { ScriptedAgent } from "./agent.js";
import type { AgentCommand } from "./driver-format.js";

/** One run of a driver with the host in it. */
export interface Driver extends Agent {
  /** What the driver has to start as the agent. */
  readonly agentCommand: AgentCommand;
}

export interface DriverStart {
  readonly agent: ScriptedAgent;
  readonly log: FrameLog;
}

/** Where a case runs: how the driver is started, how the host in it finds the agent, and what time is. */
export interface HostGround {
  readonly clock: Clock;
  start(options: DriverStart): Promise<Driver>;
}

export interface DriverCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** Its whole environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** Starts the driver as a process; the agent that it starts is another one, which leads back here. */
export const processHostGround = (driver: DriverCommand, clock: Clock): HostGround => ({
  clock,
  async start({ agent, log }) {
    const standIn = await serveStandIn(agent);
    const { CODEX_PATH: path = "", ...env } = standIn.env;
    const subject = startSubject({ name: "driver", ...driver, log });
    return {
      ...subject,
      agentCommand: { command: process.execPath, args: [path], env, cwd: driver.cwd },
      async dispose() {
        await subject.dispose();
        await standIn.close();
      },
    };
  },
});

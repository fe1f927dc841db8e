import { fileURLToPath } from "node:url";
import type { CodexTransport } from "../../src/codex/transport.js";
import type { HostTransport } from "../../src/host/transport.js";
import type { Clock } from "../../src/runtime/clock.js";
import { type Cut, connectInProcess } from "../../src/testing/scripted-codex/in-process.js";
import { type StandIn, serveStandIn } from "../../src/testing/scripted-codex/serve-stand-in.js";
import { createGround, type Ground, type GroundOptions } from "./codex-rig.js";
import { createHost, type Host } from "./host.js";
import { createHostPipe } from "./host-pipe.js";
import { type AgentCommand, type AgentProcess, startAgentProcess } from "./host-process.js";

/** What an agent gets in order to serve one host. */
export interface AgentPorts {
  readonly transport: HostTransport;
  /** Starts one Codex. */
  readonly codex: () => CodexTransport;
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Something for the log that is no frame. */
  readonly note: (text: string) => void;
}

/** Serves the host at `transport`; the promise resolves when the host is gone and all is cleared away. */
export type ServeAgent = (ports: AgentPorts) => Promise<void>;

/** A bridge with a host before it and a scripted Codex behind it, all under the test's hand. */
export interface Bridge extends Ground {
  readonly host: Host;
  /** Sends the host away, waits until all is quiet, and throws the first fault that a wait has not shown. */
  close(): Promise<void>;
}

export interface ServedOptions extends GroundOptions {
  readonly serve: ServeAgent;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Has what either side writes arrive in pieces. Default: whole. */
  readonly cut?: Cut;
}

/** A bridge in this process. */
export interface BridgeInProcess extends Bridge {
  /** Has the host stop reading, or go on. */
  hostReads(on: boolean): void;
  /** The host's end of the agent's output closes, as when the host dies. */
  hostBreaks(): void;
}

/** Throws what the test has not been told yet. */
function assertGood({ waits, checker }: Ground): void {
  checker.assertClean();
  if (waits.failure !== undefined) throw waits.failure;
}

/** Any agent in this process (`startBridge` has the real one), under a virtual clock on which only timers wait for `clock.advance`. */
export function startServed({ serve, cut, env = {}, ...options }: ServedOptions): BridgeInProcess {
  const ground = createGround(options);
  const { clock, codex, log, waits } = ground;
  const pipe = createHostPipe(clock, cut);
  const { transport, wire } = pipe;
  const host = createHost(wire, log, waits);
  const note = (text: string): void => {
    log.note(text);
    if (text.startsWith("Unexpected error")) waits.fail(new Error(text));
  };
  const served = serve({ transport, clock, env, note, codex: () => connectInProcess(codex, clock, cut) });
  return {
    ...ground,
    host,
    hostReads: pipe.read,
    hostBreaks: pipe.break,
    async close() {
      host.close();
      await clock.settle();
      assertGood(ground);
      await waits.within("the agent to be done with its host", served);
      assertGood(ground);
    },
  };
}

export interface BridgeProcess extends Bridge {
  readonly agent: AgentProcess;
  readonly standIn: StandIn;
}

export interface BridgeProcessOptions {
  /** Default: the bundled `dist/cli.js`. */
  readonly command?: AgentCommand;
  readonly env?: Readonly<Record<string, string>>;
  readonly defaults?: boolean;
  /** What every frame is held to. Default: the contract. */
  readonly held?: NonNullable<GroundOptions["held"]>;
}

/** `node dist/cli.js`, as a host starts it. */
export const bundledAgent: AgentCommand = {
  command: process.execPath,
  args: [fileURLToPath(new URL("../../dist/cli.js", import.meta.url))],
  env: { PATH: process.env["PATH"] ?? "" },
};

/** A bridge as a host starts it, with the scripted Codex behind `CODEX_PATH`. Time is real: its `clock` only stamps. */
export async function startBridgeProcess(options: BridgeProcessOptions = {}): Promise<BridgeProcess> {
  const ground = createGround({ defaults: options.defaults ?? true, ...(options.held ? { held: options.held } : {}) });
  const standIn = await serveStandIn(ground.codex);
  const command = options.command ?? bundledAgent;
  const env = { ...command.env, ...standIn.env, ...options.env };
  const agent = startAgentProcess({ ...command, env }, ground.log);
  const host = createHost(agent.wire, ground.log, ground.waits);
  return {
    ...ground,
    agent,
    standIn,
    host,
    async close() {
      host.close();
      try {
        await ground.waits.within("the agent to end", agent.exited);
        assertGood(ground);
      } finally {
        agent.kill("SIGKILL");
        await agent.exited;
        await standIn.close();
      }
    },
  };
}

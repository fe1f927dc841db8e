/** However a host goes, or its agent, looked up in the table of processes (Linux: `/proc`). */

import { fileURLToPath } from "node:url";
import { afterEach, expect, test, vi } from "vitest";
import { hostRequests } from "../../src/generated/contract/methods.js";
import { execCommand, stall } from "../../src/testing/scripted-model/steps.js";
import { bundledAgent } from "../support/bridge.js";
import type { AgentCommand } from "../support/host-process.js";
import { leftProcesses } from "../support/leaks.js";
import { tinyMcpServerOfHost } from "../support/mcp.js";
import { type RealBridge, startRealBridge } from "../support/real-bridge.js";

let bridge: RealBridge;

afterEach(() => bridge.close());

const relay = fileURLToPath(new URL("../support/children/relay.mjs", import.meta.url));
const withHost: AgentCommand = { ...bundledAgent, args: [relay, bundledAgent.command, ...bundledAgent.args] };

/** What the test itself started is not counted. */
const running = (): string[] => {
  const { home, agent } = bridge;
  return leftProcesses(`HOME=${home.home}`, home.workspace, (line) => line.startsWith(`process ${agent.pid}:`));
};

const commands = {
  "sleep 611": "sleep 611",
  "sleep 612": "trap '' TERM HUP INT; while true; do sleep 612; done",
  "sleep 613": "sleep 613 & sleep 614",
};
/** In a session of its own it is out of the reach of everybody but a living agent. */
const daemon = { "sleep 615": "setsid sleep 615 & sleep 616" };

test.each([
  { name: "a host that closes its pipe", run: { ...commands, ...daemon }, end: () => bridge.host.close() },
  {
    name: "a host that is killed",
    command: withHost,
    run: { ...commands, ...daemon },
    end: () => bridge.agent.kill("SIGKILL"),
  },
  { name: "an agent that is told to end", run: { ...commands, ...daemon }, end: () => bridge.agent.kill("SIGTERM") },
  { name: "an agent that is killed", run: commands, end: () => bridge.agent.kill("SIGKILL") },
])("$name leaves nothing of what it started within 5 s", async ({ run, end, ...options }) => {
  const steps = Object.values(run).map((cmd) => execCommand(cmd, { yield_time_ms: 250 }));
  bridge = await startRealBridge({
    ...options,
    env: { INITIAL_AGENT_MODE: "agent-full-access" },
    scripts: [{ key: "RUN", steps: [...steps, stall()] }],
  });
  const { host, home, agent } = bridge;
  await host.request(hostRequests.initialize, {
    protocolVersion: 2,
    info: { name: "test", version: "0" },
    capabilities: {},
  });
  const mcpServers = [tinyMcpServerOfHost()];
  const { sessionId } = await host.request(hostRequests.sessionNew, { cwd: home.workspace, mcpServers });
  await host.request(hostRequests.sessionPrompt, { sessionId, prompt: [{ type: "text", text: "RUN" }] });
  // A shell has the command that it is about to start in its own line, too.
  const commandsStarted = Object.keys(run).map((command) => new RegExp(`: ${command}$`));
  const wanted = [/codex app-server/, /mcp-server\.mjs/, ...commandsStarted];
  await vi.waitFor(() => {
    const all = running();
    expect(wanted.filter((part) => !all.some((line) => part.test(line)))).toEqual([]);
  }, 20_000);
  end();
  await vi.waitFor(() => expect(running()).toEqual([]), 5000);
  await agent.exited;
});

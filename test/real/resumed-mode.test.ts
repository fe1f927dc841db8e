/** What a session may do after it was resumed, here or by another agent, whatever servers the host brings. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { capturedCodex } from "../../src/generated/codex/version.js";
import { hostRequests } from "../../src/generated/contract/methods.js";
import { execCommand, message } from "../../src/testing/scripted-model/steps.js";
import { codexes } from "../support/codexes.js";
import { type Host, isUpdate } from "../support/host.js";
import { tinyMcpServerOfHost } from "../support/mcp.js";
import { type RealBridge, startRealBridge } from "../support/real-bridge.js";
import { greet, type SecondAgent, startSecondAgent } from "../support/second-agent.js";

let bridge: RealBridge;
let second: SecondAgent | null = null;

afterEach(async () => {
  await second?.close();
  second = null;
  await bridge.close();
});

const modes = ["read-only", "agent", "agent-full-access"] as const;
type Mode = (typeof modes)[number];

const modeOf = (result: unknown): unknown =>
  Object(result).configOptions.find(({ configId }: { configId: string }) => configId === "mode").currentValue;

/** An older Codex may forget the sandbox with its process; a session then has that of a new one. */
const keeps = (version: string): boolean => version === capturedCodex;

describe.each(codexes)("Codex $version", (codex) => {
  test("keeps what a session may do, or says what it may now, and takes the mode of a resume", async () => {
    bridge = await startRealBridge({
      codex,
      git: true,
      scripts: [
        { key: "HELLO", steps: [message("Hello.")] },
        { key: "TOUCH", steps: [execCommand("touch made"), message("Done.")] },
      ],
    });
    await greet(bridge.host);
    const { workspace: cwd } = bridge.home;
    const mcpServers = [tinyMcpServerOfHost()];
    const turn = async (host: Host, sessionId: string, text: string) => {
      await host.request(hostRequests.sessionPrompt, { sessionId, prompt: [{ type: "text", text }] });
      await host.update(sessionId, (it) => isUpdate("state_update")(it) && "stopReason" in it);
    };
    const sessions = new Map<Mode, string>();
    for (const mode of modes) {
      const _meta = { codex: { mode } };
      const { sessionId } = await bridge.host.request(hostRequests.sessionNew, { cwd, mcpServers: [], _meta });
      await turn(bridge.host, sessionId, "HELLO");
      sessions.set(mode, sessionId);
    }
    /** The mode of each session, opened by this host with a server that it did not have. */
    const resumed = async (host: Host, asked: boolean): Promise<Record<string, unknown>> => {
      const found: Record<string, unknown> = {};
      for (const [mode, sessionId] of sessions) {
        const meta = asked ? { _meta: { codex: { mode } } } : {};
        const result = await host.request(hostRequests.sessionResume, { sessionId, cwd, mcpServers, ...meta });
        found[mode] = modeOf(result);
      }
      return found;
    };
    const all = Object.fromEntries(modes.map((mode) => [mode, mode]));
    expect(await resumed(bridge.host, false)).toEqual(all);
    bridge.host.close();
    await bridge.waits.within("the first agent to end", bridge.agent.exited);

    second = await startSecondAgent(bridge);
    const { host } = second;
    const after = await resumed(host, false);
    const allowed = (mode: Mode): readonly Mode[] => (keeps(codex.version) ? [mode] : [mode, "agent"]);
    expect(modes.filter((mode) => !allowed(mode).some((it) => it === after[mode]))).toEqual([]);
    // What it says is what holds.
    const reader = sessions.get("read-only") ?? "";
    await turn(host, reader, "TOUCH");
    expect(existsSync(join(cwd, "made"))).toBe(after["read-only"] !== "read-only");
    for (const sessionId of sessions.values()) await host.request(hostRequests.sessionClose, { sessionId });
    expect(await resumed(host, true)).toEqual(all);
  });
});

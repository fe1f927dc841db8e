import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { agentRequests, hostRequests } from "../../src/generated/contract/methods.js";
import type { SessionNewParams } from "../../src/generated/contract/types.js";
import { functionCall, message } from "../../src/testing/scripted-model/steps.js";
import { tinyMcpServer } from "../support/mcp.js";
import { type RealBridge, type RealBridgeOptions, startRealBridge } from "../support/real-bridge.js";
import { greet } from "../support/second-agent.js";

let bridge: RealBridge;

afterEach(() => bridge.close());

async function start(options: RealBridgeOptions): Promise<void> {
  bridge = await startRealBridge({ git: true, ...options });
  await greet(bridge.host);
}

const open = (params: Partial<SessionNewParams> = {}) =>
  bridge.host.request(hostRequests.sessionNew, { cwd: bridge.home.workspace, mcpServers: [], ...params });

const config = (): Promise<string> => readFile(join(bridge.home.codexHome, "config.toml"), "utf8");

const readOnly = { _meta: { codex: { mode: "read-only" } } } as const;

/** What a host shows as the mode of a session. */
const modeOf = ({ configOptions }: Awaited<ReturnType<typeof open>>) =>
  configOptions?.find(({ configId }) => configId === "mode")?.currentValue;

describe("what the real Codex writes down for good", () => {
  test("trust in a project, by a session that may write there, which widens no session that may not", async () => {
    await start({ scripts: [] });
    const before = await config();
    expect(modeOf(await open(readOnly))).toBe("read-only");
    expect(await config()).toBe(before);
    expect(modeOf(await open())).toBe("agent");
    expect(await config()).toContain(`[projects."${bridge.home.workspace}"]\ntrust_level = "trusted"`);
    expect(modeOf(await open(readOnly))).toBe("read-only");
  });

  test("an MCP tool that is always allowed: by that answer alone, and no session asks again", async () => {
    const keys = ["ONE", "TWO", "THREE", "FOUR"];
    const scripts = keys.map((key) => ({
      key,
      steps: [functionCall("mutate", { text: key }, { namespace: "mcp__tiny" }), message("Done.")],
    }));
    await start({ scripts, tables: tinyMcpServer() });
    const { host } = bridge;
    let asked = 0;
    let answer = "";
    host.on(agentRequests.requestPermission, ({ options }) => {
      asked += 1;
      expect(options.map(({ optionId }) => optionId)).toContain(answer);
      return { outcome: { outcome: "selected", optionId: answer } };
    });
    const first = await open();
    const turn = async (sessionId: string, key: string, nth: number, optionId: string): Promise<void> => {
      answer = optionId;
      await host.request(hostRequests.sessionPrompt, { sessionId, prompt: [{ type: "text", text: key }] });
      await host.idle(sessionId, nth);
    };
    await turn(first.sessionId, "ONE", 1, "allow_once");
    await turn(first.sessionId, "TWO", 2, "allow_session");
    expect(asked).toBe(2);
    expect(await config()).not.toContain("approval_mode");
    const second = await open();
    await turn(second.sessionId, "THREE", 1, "allow_always");
    expect(asked).toBe(3);
    expect(await config()).toContain('[mcp_servers.tiny.tools.mutate]\napproval_mode = "approve"');
    const third = await open();
    await turn(third.sessionId, "FOUR", 1, "decline");
    expect(asked).toBe(3);
  });
});

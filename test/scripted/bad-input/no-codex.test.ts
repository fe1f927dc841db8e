import { afterEach, describe, expect, test } from "vitest";
import { requests } from "../../../src/generated/codex/methods.js";
import { hostRequests } from "../../../src/generated/contract/methods.js";
import { CodexFailure, type ScriptedCodex } from "../../../src/testing/scripted-codex/core.js";
import { recorded } from "../../../src/testing/scripted-codex/recorded.js";
import { type Bridge, type BridgeProcess, startBridgeProcess } from "../../support/bridge.js";
import { startBridge } from "../../support/bridge-agent.js";
import { initialize } from "../handshake/rig.js";

let bridge: Bridge;

afterEach(() => bridge.close());

const open = () => bridge.host.request(hostRequests.sessionNew, { cwd: "/home/user/project", mcpServers: [] });
const goodAgain = (): void => bridge.codex.on(requests.initialize, () => recorded(requests.initialize));

async function fails(reason: string, message: RegExp): Promise<void> {
  await expect(initialize(bridge)).rejects.toMatchObject({ code: -32603, message, data: { reason } });
  await expect(open()).rejects.toMatchObject({ code: -32600, data: { reason: "not_initialized" } });
}

const succeeds = async (): Promise<void> => {
  expect(await initialize(bridge)).toMatchObject({ protocolVersion: 2 });
  expect(await open()).toHaveProperty("sessionId");
};

describe("a Codex that does not start fails initialize, and the next one starts another", () => {
  test("refusing the handshake", async () => {
    bridge = startBridge();
    bridge.codex.on(requests.initialize, () => {
      throw new CodexFailure(-32603, "the state database is locked");
    });
    await fails("codex_failed_to_start", /the state database is locked.*doctor/);
    goodAgain();
    await succeeds();
    expect(bridge.codex.starts).toBe(2);
  });

  test("dying in the handshake", async () => {
    bridge = startBridge();
    const { codex } = bridge;
    codex.hold(requests.initialize);
    const first = fails("codex_failed_to_start", /exited with code 101/);
    await codex.received(requests.initialize);
    codex.die({ code: 101, stderr: "thread 'main' panicked at key=secret" });
    await first;
    expect(JSON.stringify(bridge.host.frames())).not.toContain("secret");
    await succeeds();
  });

  test("saying nothing", async () => {
    const silent = startBridge();
    bridge = silent;
    silent.codex.hold(requests.initialize);
    const first = fails("codex_no_answer", /did not answer initialize within 30 s/);
    await silent.codex.received(requests.initialize);
    await silent.clock.advance(30_000);
    await first;
    await succeeds();
  });

  test("speaking something else", async () => {
    bridge = startBridge();
    const { codex } = bridge;
    codex.on(requests.initialize, () => {
      codex.rawText("Welcome to codex!\n[1,2]\n5\n");
      return recorded(requests.initialize);
    });
    await succeeds();
  });

  const old = (codex: ScriptedCodex, methods: readonly string[]): void => {
    codex.on(requests.initialize, () => ({ ...recorded(requests.initialize), userAgent: "codex/0.99.0 (Linux)" }));
    const names = methods.map((name) => `\`${name}\``).join(", ");
    codex.on({ method: "codex-acp-kit/methods" }, () => {
      throw new CodexFailure(
        -32600,
        `Invalid request: unknown variant \`codex-acp-kit/methods\`, expected one of ${names}`,
      );
    });
  };

  test("lacking a method the agent cannot do without", async () => {
    bridge = startBridge();
    old(bridge.codex, ["initialize", "thread/start"]);
    await fails("codex_too_old", /Codex 0\.99\.0 lacks .*turn\/start.*Install @openai\/codex/);
    goodAgain();
    await succeeds();
  });

  test("but an old one that lacks nothing will do", async () => {
    bridge = startBridge();
    old(
      bridge.codex,
      Object.values(requests).map(({ method }) => method),
    );
    await succeeds();
    expect(bridge.log.tail(100)).toContain("outside of what this bridge is tested with");
  });
});

describe("as a process", () => {
  const start = async (env: Readonly<Record<string, string>>): Promise<BridgeProcess> => {
    const started = await startBridgeProcess({ env });
    bridge = started;
    return started;
  };

  test.each([
    ["CODEX_PATH", "/nowhere/codex", "codex_not_found", /CODEX_PATH|\/nowhere\/codex/],
    ["CODEX_PATH", "/etc/hostname", "codex_", /Codex|CODEX_PATH/],
    ["CODEX_PATH", "/bin/false", "codex_failed_to_start", /exited with code 1/],
    ["CODEX_PATH", "/bin/true", "codex_failed_to_start", /exited with code 0/],
    ["CODEX_CONFIG", '{"token": "secret-1"', "environment_invalid", /^CODEX_CONFIG is not a JSON object$/],
    ["CODEX_CONFIG", '["secret-1"]', "environment_invalid", /^CODEX_CONFIG is not a JSON object$/],
    [
      "INITIAL_AGENT_MODE",
      "secret-1",
      "environment_invalid",
      /^INITIAL_AGENT_MODE is none of read-only, agent, agent-full-access$/,
    ],
  ])("%s=%s is told with the request and in one line, again each time", async (name, value, reason, message) => {
    const { agent, host } = await start({ [name]: value });
    for (let tries = 1; tries <= 2; tries += 1) {
      await expect(initialize(bridge)).rejects.toMatchObject({
        code: -32603,
        message,
        data: { reason: expect.stringContaining(reason) },
      });
      await expect(open()).rejects.toMatchObject({ code: -32600 });
    }
    host.close();
    expect(await bridge.waits.within("the agent to end", agent.exited)).toBe(0);
    const lines = agent.stderr.split("\n").filter((line) => line !== "");
    expect(lines).toHaveLength(2);
    for (const line of lines) expect(line).toMatch(/^codex-acp-kit: /);
    expect(agent.stderr).not.toMatch(/secret-1|^\s+at /m);
  });

  test("an empty variable is none", async () => {
    const { agent } = await start({ CODEX_CONFIG: "", INITIAL_AGENT_MODE: "", MODEL_PROVIDER: "", CODEX_API_KEY: "" });
    await succeeds();
    await expect(bridge.host.call(hostRequests.authLogin.method, { methodId: "api-key" })).rejects.toMatchObject({
      code: -32602,
      data: { path: "/_meta/api-key/apiKey" },
    });
    expect(agent.stderr).toBe("");
  });
});

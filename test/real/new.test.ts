import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect } from "vitest";
import { hostRequests } from "../../src/generated/contract/methods.js";
import { execCommand, functionCall, message } from "../../src/testing/scripted-model/steps.js";
import { clause } from "../support/clause.js";
import { codexes } from "../support/codexes.js";
import { isUpdate } from "../support/host.js";
import { tinyMcpServer, tinyMcpServerOfHost } from "../support/mcp.js";
import { type RealBridge, type RealBridgeOptions, startRealBridge } from "../support/real-bridge.js";

let bridge: RealBridge;

afterEach(() => bridge.close());

describe.each(codexes)("Codex $version", (codex) => {
  async function start(options: RealBridgeOptions): Promise<void> {
    bridge = await startRealBridge({ codex, git: true, ...options });
    await bridge.host.request(hostRequests.initialize, {
      protocolVersion: 2,
      info: { name: "test", version: "0" },
      capabilities: {},
    });
  }

  /** Opens a session with `params` and runs one turn in it. */
  async function turnIn(params: object, text: string): Promise<string> {
    const { host, home } = bridge;
    const { sessionId } = await host.request(hostRequests.sessionNew, {
      cwd: home.workspace,
      mcpServers: [],
      ...params,
    });
    await host.request(hostRequests.sessionPrompt, { sessionId, prompt: [{ type: "text", text }] });
    expect(await host.idle(sessionId)).toMatchObject({ stopReason: "end_turn" });
    return sessionId;
  }

  /** What the model was told, as text. */
  const modelSaw = (key: string): string =>
    JSON.stringify(Object(bridge.model.requests.find((request) => request.key === key)?.body).input);

  clause(["SESS-03"], "the real Codex writes to the directories that were added", async () => {
    const more = "more-room";
    await start({
      scripts: [{ key: "WRITE", steps: [execCommand(`touch ../${more}/there`), message("Written.")] }],
      env: { INITIAL_AGENT_MODE: "agent" },
    });
    const path = join(bridge.home.workspace, "..", more);
    await mkdir(path);
    await turnIn({ additionalDirectories: [path] }, "WRITE");
    expect(existsSync(join(path, "there"))).toBe(true);
  });

  clause(
    ["SESS-04", "SESS-05"],
    "the real Codex starts the host's server, and the user's own of that name",
    async () => {
      const call = (server: string) => functionCall("echo", { text: "hello" }, { namespace: `mcp__${server}` });
      await start({
        tables: tinyMcpServer(),
        scripts: [
          { key: "THEIRS", steps: [call("mine"), message("Done.")] },
          { key: "USERS", steps: [call("tiny"), message("Done.")] },
        ],
      });
      const { host } = bridge;
      const called = async (servers: object[], key: string) => {
        const sessionId = await turnIn({ mcpServers: servers }, key);
        return host
          .updates(sessionId)
          .filter(isUpdate("tool_call_update"))
          .map(({ status }) => status)
          .at(-1);
      };
      expect(await called([tinyMcpServerOfHost("mine")], "THEIRS")).toBe("completed");
      // Were the host's taken, there would be no tool: its program ends at once.
      expect(await called([{ ...tinyMcpServerOfHost(), command: "/bin/false" }], "USERS")).toBe("completed");
    },
  );

  clause(["SESS-24"], "the model of the real Codex sees a seeded history before the first prompt", async () => {
    await start({ scripts: [{ key: "AFTER", steps: [message("I remember.")] }] });
    const seedHistory = [
      { role: "user", text: "My number is 4711." },
      { role: "assistant", text: "I shall keep 4711 in mind." },
    ];
    await turnIn({ _meta: { codex: { seedHistory } } }, "AFTER: which number?");
    const input = modelSaw("AFTER");
    const places = ["My number is 4711.", "I shall keep 4711 in mind.", "AFTER: which number?"].map((it) =>
      input.indexOf(it),
    );
    expect(places.every((place) => place >= 0)).toBe(true);
    expect(places).toEqual([...places].sort((a, b) => a - b));
  });

  clause(["SESS-22", "SESS-25"], "a bad open leaves the open session of the real Codex as it was", async () => {
    await start({
      scripts: [
        { key: "FIRST", steps: [message("One.")] },
        { key: "AGAIN", steps: [message("Two.")] },
      ],
    });
    const { host, home } = bridge;
    const sessionId = await turnIn({}, "FIRST");
    const good = { sessionId, cwd: home.workspace, mcpServers: [] };
    for (const [params, path] of [
      [{ ...good, replayFrom: { type: "_x" } }, "/replayFrom"],
      [{ ...good, additionalDirectories: ["here"] }, "/additionalDirectories/0"],
      [{ ...good, cwd: "here" }, "/cwd"],
    ] as const) {
      const answer = host.call(hostRequests.sessionResume.method, params);
      await expect(answer).rejects.toMatchObject({ code: -32602, data: { path: expect.stringContaining(path) } });
    }
    const option = { sessionId, configId: "mode", type: "id" as const, value: "read-only" };
    const { configOptions } = await host.request(hostRequests.sessionSetConfigOption, option);
    const broadcast = host.updates(sessionId).filter(isUpdate("config_option_update")).at(-1);
    expect(broadcast?.configOptions).toEqual(configOptions);
    expect(configOptions.find(({ configId }) => configId === "mode")).toMatchObject({ currentValue: "read-only" });
    await host.request(hostRequests.sessionPrompt, { sessionId, prompt: [{ type: "text", text: "AGAIN" }] });
    expect(await host.idle(sessionId, 2)).toMatchObject({ stopReason: "end_turn" });
  });
});

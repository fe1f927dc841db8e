import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect } from "vitest";
import { hostRequests } from "../../src/generated/contract/methods.js";
import { message } from "../../src/testing/scripted-model/steps.js";
import { clause } from "../support/clause.js";
import { type RealBridge, startRealBridge } from "../support/real-bridge.js";

let bridge: RealBridge;

afterEach(() => bridge.close());

clause(["AUTH-04", "AUTH-06"], "the real Codex opens sessions between a login and a logout only", async () => {
  bridge = await startRealBridge({
    scripts: [{ key: "HELLO", steps: [message("Hello.")] }],
    provider: ["requires_openai_auth = true"],
  });
  const { host, home } = bridge;
  await host.request(hostRequests.initialize, {
    protocolVersion: 2,
    info: { name: "test", version: "0" },
    capabilities: {},
  });
  const open = () => host.request(hostRequests.sessionNew, { cwd: home.workspace, mcpServers: [] });
  await expect(open()).rejects.toMatchObject({ code: -32000 });
  const apiKey = "sk-of-this-test-alone";
  const login = { methodId: "api-key", _meta: { "api-key": { apiKey } } };
  expect(await host.request(hostRequests.authLogin, login)).toEqual({});
  expect(await readFile(join(home.codexHome, "auth.json"), "utf8")).toContain(apiKey);
  const { sessionId } = await open();
  await host.request(hostRequests.sessionPrompt, { sessionId, prompt: [{ type: "text", text: "HELLO" }] });
  expect(await host.idle(sessionId)).toMatchObject({ stopReason: "end_turn" });
  const options = () => host.updates(sessionId).filter(({ sessionUpdate }) => sessionUpdate === "config_option_update");
  expect(options()).toEqual([]);
  expect(await host.request(hostRequests.authLogout, {})).toEqual({});
  // Codex tells of its account, and what depends on it is read anew for the sessions that are open.
  await host.update(sessionId, ({ sessionUpdate }) => sessionUpdate === "config_option_update");
  await expect(open()).rejects.toMatchObject({ code: -32000 });
  expect(JSON.stringify(host.frames())).not.toContain(apiKey);
});

import { afterEach, describe, expect, test } from "vitest";
import { notifications, requests } from "../../../src/generated/codex/methods.js";
import { hostRequests } from "../../../src/generated/contract/methods.js";
import { CodexFailure } from "../../../src/testing/scripted-codex/core.js";
import { recorded } from "../../../src/testing/scripted-codex/recorded.js";
import type { Bridge } from "../../support/bridge.js";
import { startBridge } from "../../support/bridge-agent.js";
import { clause } from "../../support/clause.js";
import { initialize } from "../handshake/rig.js";
import { apiKey, ended, givenUp, login, serveLogins, started } from "./rig.js";

let bridge: Bridge;

afterEach(() => bridge.close());

const both = { CODEX_API_KEY: "key-of-codex", OPENAI_API_KEY: "key-of-openai" };

async function start(env: Readonly<Record<string, string>>, capabilities: object = {}, pages: string[] = []) {
  bridge = startBridge({ env, agent: { openBrowser: async (url: string) => void pages.push(url) } });
  serveLogins(bridge);
  await initialize(bridge, capabilities);
  await bridge.clock.settle();
}

describe("with a key", () => {
  clause(["AUTH-01"], "the one in the request comes first", async () => {
    await start(both);
    expect(await login(bridge, "api-key", { "api-key": { apiKey: "key-of-the-host" } })).toEqual({});
    expect(started(bridge)).toEqual([{ type: "apiKey", apiKey: "key-of-the-host" }]);
  });

  clause(["AUTH-02"], "then Codex's own variable", async () => {
    await start(both);
    expect(await login(bridge, "api-key")).toEqual({});
    expect(started(bridge)).toEqual([{ type: "apiKey", apiKey: "key-of-codex" }]);
  });

  clause(["AUTH-03"], "then OpenAI's", async () => {
    await start({ OPENAI_API_KEY: "key-of-openai" });
    expect(await login(bridge, "api-key", {})).toEqual({});
    expect(started(bridge)).toEqual([{ type: "apiKey", apiKey: "key-of-openai" }]);
  });

  test("without any it fails, and Codex hears nothing", async () => {
    await start({});
    await expect(login(bridge, "api-key")).rejects.toMatchObject({ code: -32602 });
    await expect(login(bridge, "api-key", { "api-key": { apiKey: "" } })).rejects.toMatchObject({ code: -32602 });
    await expect(login(bridge, "api-key", { "api-key": { apiKey: 5 } })).rejects.toMatchObject({
      code: -32602,
      data: { path: "/_meta/api-key/apiKey" },
    });
    expect(started(bridge)).toEqual([]);
  });

  test("a key that Codex refuses is Codex's error, without the key", async () => {
    await start(both);
    bridge.codex.on(requests.accountLoginStart, () => {
      throw new CodexFailure(-32600, "API key login is disabled");
    });
    await expect(login(bridge, "api-key")).rejects.toMatchObject({
      code: -32600,
      message: "API key login is disabled",
    });
    expect(JSON.stringify(bridge.host.frames())).not.toContain("key-of-codex");
  });
});

test("only what was offered can be used", async () => {
  await start({ NO_BROWSER: "1" });
  for (const methodId of ["chat-gpt", "chat-gpt-device-code", "other", ""])
    await expect(login(bridge, methodId)).rejects.toMatchObject({ code: -32602 });
  expect(started(bridge)).toEqual([]);
});

describe("with ChatGPT", () => {
  test("opens the page, and succeeds once Codex says so", async () => {
    const pages: string[] = [];
    await start({}, {}, pages);
    const answer = login(bridge, "chat-gpt");
    await bridge.codex.answered(requests.accountLoginStart);
    await bridge.clock.settle();
    expect(pages).toEqual(["https://auth.openai.com/authorize?state=1&b=%20"]);
    ended(bridge, true, null, "another");
    await bridge.clock.settle();
    ended(bridge, true);
    expect(await answer).toEqual({});
  });

  test("fails with Codex's reason", async () => {
    await start({});
    const answer = expect(login(bridge, "chat-gpt")).rejects.toMatchObject({ code: -32603, message: /expired/ });
    await bridge.codex.answered(requests.accountLoginStart);
    await bridge.clock.settle();
    ended(bridge, false, "the code expired");
    await answer;
  });

  test("is ended at Codex when the host cancels it", async () => {
    await start({});
    const answer = expect(login(bridge, "chat-gpt")).rejects.toMatchObject({ code: -32800 });
    const requestId = bridge.host.lastId;
    await bridge.codex.answered(requests.accountLoginStart);
    await bridge.clock.settle();
    bridge.host.rawFrames({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId } });
    await answer;
    expect(givenUp(bridge)).toEqual([{ loginId: "login-1" }]);
  });
});

test("a sign-in that was cancelled before Codex began it opens no page", async () => {
  const pages: string[] = [];
  await start({}, {}, pages);
  let begin = (): void => undefined;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  bridge.codex.on(requests.accountLoginStart, async () => {
    await begun;
    return { type: "chatgpt" as const, loginId: "login-1", authUrl: "https://auth.openai.com/authorize" };
  });
  const answer = expect(login(bridge, "chat-gpt")).rejects.toMatchObject({ code: -32800 });
  const requestId = bridge.host.lastId;
  await bridge.codex.received(requests.accountLoginStart);
  bridge.host.rawFrames({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId } });
  await bridge.clock.settle();
  begin();
  await answer;
  expect(givenUp(bridge)).toEqual([{ loginId: "login-1" }]);
  expect(pages).toEqual([]);
});

test("resuming and forking need an account too", async () => {
  await start({});
  const { host, codex } = bridge;
  codex.on(requests.accountRead, () => ({
    ...recorded(requests.accountRead),
    account: null,
    requiresOpenaiAuth: true,
  }));
  codex.on(requests.accountLogout, () => ({}));
  await host.request(hostRequests.authLogout, {});
  const params = { sessionId: "stored", cwd: "/home/user", mcpServers: [] };
  for (const { method } of [hostRequests.sessionResume, hostRequests.sessionFork])
    await expect(host.call(method, params), method).rejects.toMatchObject({ code: -32000 });
  expect([...codex.calls(requests.threadResume), ...codex.calls(requests.threadFork)]).toEqual([]);
});

test("a session needs an account, and what was known of it is asked again after a login", async () => {
  await start({ OPENAI_API_KEY: "key" });
  const { host, codex } = bridge;
  const none = { ...recorded(requests.accountRead), account: null, requiresOpenaiAuth: true };
  // The account is lost behind the bridge's back: Codex says so.
  codex.on(requests.accountRead, () => none);
  codex.on(requests.accountLogout, () => ({}));
  const open = () => host.request(hostRequests.sessionNew, { cwd: "/home/user", mcpServers: [] });
  expect(await host.request(hostRequests.authLogout, {})).toEqual({});
  await expect(open()).rejects.toMatchObject({ code: -32000 });
  expect(codex.calls(requests.threadStart)).toEqual([]);
  await login(bridge, "api-key");
  codex.on(requests.accountRead, () => ({ ...none, account: apiKey }));
  expect(await open()).toHaveProperty("sessionId");
});

test("what Codex tells of the account holds for the next session: lost elsewhere, and there again", async () => {
  await start({});
  const { host, codex, clock } = bridge;
  const account = (it: typeof apiKey | null) =>
    codex.on(requests.accountRead, () => ({
      ...recorded(requests.accountRead),
      account: it,
      requiresOpenaiAuth: true,
    }));
  const open = () => host.request(hostRequests.sessionNew, { cwd: "/home/user", mcpServers: [] });
  expect(await open()).toHaveProperty("sessionId");
  account(null);
  // Codex has not said so: what is known holds.
  expect(await open()).toHaveProperty("sessionId");
  codex.notify(notifications.accountUpdated, { authMode: null, planType: null });
  await clock.settle();
  await expect(open()).rejects.toMatchObject({ code: -32000 });
  account(apiKey);
  codex.notify(notifications.accountUpdated, { authMode: "apikey", planType: null });
  await clock.settle();
  expect(await open()).toHaveProperty("sessionId");
});

test("a browser that cannot be opened fails the sign-in, and Codex gives it up", async () => {
  bridge = startBridge();
  serveLogins(bridge);
  await initialize(bridge);
  await expect(login(bridge, "chat-gpt")).rejects.toMatchObject({
    code: -32603,
    message: "Sign-in failed: no browser can be opened here",
  });
  expect(givenUp(bridge)).toEqual([{ loginId: "login-1" }]);
});

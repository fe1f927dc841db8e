import { afterEach, describe, expect, test } from "vitest";
import { notifications, requests } from "../../../src/generated/codex/methods.js";
import type { LoginAccountResponse } from "../../../src/generated/codex/types.js";
import { agentNotifications, agentRequests, hostRequests } from "../../../src/generated/contract/methods.js";
import { CodexFailure } from "../../../src/testing/scripted-codex/core.js";
import { recorded } from "../../../src/testing/scripted-codex/recorded.js";
import type { Bridge } from "../../support/bridge.js";
import { startBridge } from "../../support/bridge-agent.js";
import { clause } from "../../support/clause.js";
import { initialize } from "../handshake/rig.js";

let bridge: Bridge;

afterEach(() => bridge.close());

const both = { CODEX_API_KEY: "key-of-codex", OPENAI_API_KEY: "key-of-openai" };

async function start(env: Readonly<Record<string, string>>, capabilities: object = {}, pages: string[] = []) {
  bridge = startBridge({ env, agent: { openBrowser: async (url: string) => void pages.push(url) } });
  bridge.codex.on(requests.accountLoginStart, ({ type }) => logins[type] ?? apiKey);
  bridge.codex.on(requests.accountLoginCancel, () => ({ status: "canceled" as const }));
  await initialize(bridge, capabilities);
  await bridge.clock.settle();
}

const apiKey = { type: "apiKey" as const };

const logins: { readonly [type: string]: LoginAccountResponse } = {
  apiKey,
  chatgpt: { type: "chatgpt", loginId: "login-1", authUrl: "https://auth.openai.com/authorize?state=1" },
  chatgptDeviceCode: {
    type: "chatgptDeviceCode",
    loginId: "login-1",
    userCode: "ABCD-1234",
    verificationUrl: "https://auth.openai.com/codex/device",
  },
};

const login = (methodId: string, _meta?: object) =>
  bridge.host.call(hostRequests.authLogin.method, { methodId, ...(_meta === undefined ? {} : { _meta }) });
const started = () => bridge.codex.calls(requests.accountLoginStart).map(({ params }) => params);
const ended = (success: boolean, error: string | null = null, loginId = "login-1") =>
  bridge.codex.notify(notifications.accountLoginCompleted, { loginId, success, error });

describe("with a key", () => {
  clause(["AUTH-01"], "the one in the request comes first", async () => {
    await start(both);
    expect(await login("api-key", { "api-key": { apiKey: "key-of-the-host" } })).toEqual({});
    expect(started()).toEqual([{ type: "apiKey", apiKey: "key-of-the-host" }]);
  });

  clause(["AUTH-02"], "then Codex's own variable", async () => {
    await start(both);
    expect(await login("api-key")).toEqual({});
    expect(started()).toEqual([{ type: "apiKey", apiKey: "key-of-codex" }]);
  });

  clause(["AUTH-03"], "then OpenAI's", async () => {
    await start({ OPENAI_API_KEY: "key-of-openai" });
    expect(await login("api-key", {})).toEqual({});
    expect(started()).toEqual([{ type: "apiKey", apiKey: "key-of-openai" }]);
  });

  test("without any it fails, and Codex hears nothing", async () => {
    await start({});
    await expect(login("api-key")).rejects.toMatchObject({ code: -32602 });
    await expect(login("api-key", { "api-key": { apiKey: "" } })).rejects.toMatchObject({ code: -32602 });
    await expect(login("api-key", { "api-key": { apiKey: 5 } })).rejects.toMatchObject({
      code: -32602,
      data: { path: "/_meta/api-key/apiKey" },
    });
    expect(started()).toEqual([]);
  });

  test("a key that Codex refuses is Codex's error, without the key", async () => {
    await start(both);
    bridge.codex.on(requests.accountLoginStart, () => {
      throw new CodexFailure(-32600, "API key login is disabled");
    });
    await expect(login("api-key")).rejects.toMatchObject({ code: -32600, message: "API key login is disabled" });
    expect(JSON.stringify(bridge.host.frames())).not.toContain("key-of-codex");
  });
});

test("only what was offered can be used", async () => {
  await start({ NO_BROWSER: "1" });
  for (const methodId of ["chat-gpt", "chat-gpt-device-code", "other", ""])
    await expect(login(methodId)).rejects.toMatchObject({ code: -32602 });
  expect(started()).toEqual([]);
});

describe("with ChatGPT", () => {
  test("opens the page, and succeeds once Codex says so", async () => {
    const pages: string[] = [];
    await start({}, {}, pages);
    const answer = login("chat-gpt");
    await bridge.codex.answered(requests.accountLoginStart);
    await bridge.clock.settle();
    expect(pages).toEqual(["https://auth.openai.com/authorize?state=1"]);
    ended(true, null, "another");
    await bridge.clock.settle();
    ended(true);
    expect(await answer).toEqual({});
  });

  test("fails with Codex's reason", async () => {
    await start({});
    const answer = expect(login("chat-gpt")).rejects.toMatchObject({ code: -32603, message: /expired/ });
    await bridge.codex.answered(requests.accountLoginStart);
    await bridge.clock.settle();
    ended(false, "the code expired");
    await answer;
  });

  test("is ended at Codex when the host cancels it", async () => {
    await start({});
    const answer = expect(login("chat-gpt")).rejects.toMatchObject({ code: -32800 });
    const requestId = bridge.host.lastId;
    await bridge.codex.answered(requests.accountLoginStart);
    await bridge.clock.settle();
    bridge.host.rawFrames({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId } });
    await answer;
    expect(await bridge.codex.received(requests.accountLoginCancel)).toEqual({ loginId: "login-1" });
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
    return logins["chatgpt"] ?? apiKey;
  });
  const answer = expect(login("chat-gpt")).rejects.toMatchObject({ code: -32800 });
  const requestId = bridge.host.lastId;
  await bridge.codex.received(requests.accountLoginStart);
  bridge.host.rawFrames({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId } });
  await bridge.clock.settle();
  begin();
  await answer;
  expect(await bridge.codex.received(requests.accountLoginCancel)).toEqual({ loginId: "login-1" });
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

clause(["AUTH-07"], "a device code is shown as a page of the request, and told of when it is done", async () => {
  await start({ NO_BROWSER: "1" }, { elicitation: { url: {} } });
  const { host, codex } = bridge;
  const shown: unknown[] = [];
  host.on(agentRequests.elicitationCreate, (params) => {
    shown.push(params);
    return { action: "accept" };
  });
  const answer = login("chat-gpt-device-code");
  const requestId = host.lastId;
  await codex.answered(requests.accountLoginStart);
  await bridge.clock.settle();
  ended(true);
  expect(await answer).toEqual({});
  expect(shown).toEqual([
    {
      mode: "url",
      requestId,
      elicitationId: "login-1",
      url: "https://auth.openai.com/codex/device",
      message: expect.stringContaining("ABCD-1234"),
    },
  ]);
  expect(host.notifications(agentNotifications.elicitationComplete)).toEqual([{ elicitationId: "login-1" }]);
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
  await login("api-key");
  codex.on(requests.accountRead, () => ({ ...none, account: apiKey }));
  expect(await open()).toHaveProperty("sessionId");
});

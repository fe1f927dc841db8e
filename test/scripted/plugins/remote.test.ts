import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { requests } from "../../../src/generated/codex/methods.js";
import type { GetAccountResponse, GetAuthStatusResponse } from "../../../src/generated/codex/types.js";
import { agentNotifications } from "../../../src/generated/contract/methods.js";
import { CodexFailure } from "../../../src/testing/scripted-codex/core.js";
import { clause } from "../../support/clause.js";
import { redirectTls } from "../../support/tls/redirect.mjs";
import { account, authStatus, confirming, installed, type PluginsRig, routing, startPlugins, tokens } from "./rig.js";

let rig: PluginsRig;

beforeEach(async () => {
  rig = await startPlugins();
});
afterEach(() => rig.close());

const enable = { pluginId: "a@b", enabled: true, remotePluginId: "plugin/1 é" };
const told = (): number => rig.bridge.host.notifications(agentNotifications.codexSkillsChanged).length;

/** The change fails so, and the host is not told that anything changed (PLUG-27). */
async function fails(message: string, params: Readonly<Record<string, unknown>> = enable): Promise<void> {
  const before = told();
  await expect(rig.set(params)).rejects.toMatchObject({ message });
  expect(told()).toBe(before);
}

describe("a change that is made", () => {
  clause(
    ["PLUG-11", "PLUG-14", "PLUG-15", "PLUG-17", "PLUG-25", "PLUG-26", "PLUG-27", "PLUG-28"],
    "asks the service with Codex's credentials, has Codex take it over and sees that it did",
    async () => {
      const { codex, host, log } = rig.bridge;
      rig.service.serve(confirming(enable.remotePluginId, true));
      codex.on(requests.pluginInstalled, () => installed(["other", false], [enable.remotePluginId, true]));
      const from = log.frames().length;
      expect(await rig.set(enable)).toEqual({ enabled: true });
      expect(rig.service.calls).toHaveLength(1);
      expect(rig.service.calls[0]).toMatchObject({
        origin: "https://eu.chatgpt.com",
        method: "POST",
        path: "/backend-api/ps/plugins/plugin%2F1%20%C3%A9/enable",
        body: "",
        headers: {
          authorization: `Bearer ${tokens[0]}`,
          "chatgpt-account-id": "account-1",
          "openai-product-sku": "codex",
        },
      });
      const since = log
        .frames()
        .slice(from)
        .flatMap(({ frame }) => {
          const { method, params } = Object(frame);
          return method === undefined ? [] : [[method, params]];
        });
      expect(since.slice(1)).toEqual([
        [requests.accountRead.method, { refreshToken: false }],
        [requests.getAuthStatus.method, { includeToken: true, refreshToken: false }],
        [requests.pluginReconcile.method, { reason: "plugin-enabled-changed" }],
        [requests.pluginInstalled.method, {}],
        [agentNotifications.codexSkillsChanged.method, {}],
      ]);
      expect(codex.calls(requests.configValueWrite)).toEqual([]);
      expect(host.frames().at(-1)).toMatchObject({ result: { enabled: true } });
    },
  );

  clause(["PLUG-14"], "goes to `disable` when it disables", async () => {
    rig.service.serve(confirming("p", false));
    rig.bridge.codex.on(requests.pluginInstalled, () => installed(["p", false]));
    expect(await rig.set({ pluginId: "a", enabled: false, remotePluginId: "p" })).toEqual({ enabled: false });
    expect(rig.service.calls.map(({ path }) => path)).toEqual(["/backend-api/ps/plugins/p/disable"]);
  });

  clause(["PLUG-15", "PLUG-21", "PLUG-29"], "tries once more with a fresh token", async () => {
    const { codex } = rig.bridge;
    rig.service.serve((response, nth) =>
      nth === 1 ? response.writeHead(401).end("expired") : confirming(enable.remotePluginId, true)(response),
    );
    codex.on(requests.pluginInstalled, () => installed([enable.remotePluginId, true]));
    expect(await rig.set(enable)).toEqual({ enabled: true });
    expect(codex.calls(requests.getAuthStatus).map(({ params }) => params)).toEqual([
      { includeToken: true, refreshToken: false },
      { includeToken: true, refreshToken: true },
    ]);
    expect(rig.service.calls.map(({ headers }) => headers.authorization)).toEqual(
      tokens.map((token) => `Bearer ${token}`),
    );
  });
});

describe("who may ask", () => {
  const accounts: readonly [string, GetAccountResponse][] = [
    ["no account", { ...account, account: null }],
    ["an API key", { ...account, account: { type: "apiKey" } }],
    ["no workspace", { ...account, workspaceRouting: null }],
  ];
  clause(["PLUG-12"], "only an account of ChatGPT with a workspace", async () => {
    const { codex } = rig.bridge;
    for (const [, answer] of accounts) {
      codex.on(requests.accountRead, () => answer);
      await fails("Sign in to ChatGPT to change remote plugins");
    }
    expect(codex.calls(requests.getAuthStatus)).toEqual([]);
  });

  clause(["PLUG-13"], "only of ChatGPT's own backend", async () => {
    const { codex } = rig.bridge;
    for (const backendOrigin of [
      "http://chatgpt.com",
      "https://evilchatgpt.com",
      "https://chatgpt.com.example.org",
      "https://chatgpt.com@example.org",
      "ftp://chatgpt.com",
      "chatgpt.com",
      "",
    ]) {
      codex.on(requests.accountRead, () => ({ ...account, workspaceRouting: { ...routing, backendOrigin } }));
      await fails("Unsupported ChatGPT backend for remote plugins");
    }
    expect(codex.calls(requests.getAuthStatus)).toEqual([]);
    expect(rig.service.calls).toEqual([]);
  });

  clause(["PLUG-16"], "only with a token", async () => {
    const answers: GetAuthStatusResponse[] = [
      { ...authStatus(false), authMethod: "apikey" },
      { ...authStatus(false), authMethod: null },
      { ...authStatus(false), authToken: null },
      { ...authStatus(false), authToken: "" },
    ];
    for (const answer of answers) {
      rig.bridge.codex.on(requests.getAuthStatus, () => answer);
      await fails("ChatGPT credentials are unavailable; sign in again to change remote plugins");
    }
    expect(rig.service.calls).toEqual([]);
  });

  clause(["PLUG-14"], "only for an id that stays the last part of the address", async () => {
    const { calls } = rig.service;
    for (const remotePluginId of [".", "..", "a\ud800", "\udc00"]) {
      await fails("Remote plugin enable failed: no plugin can have this id", { ...enable, remotePluginId });
    }
    expect(calls).toEqual([]);
    expect(rig.bridge.codex.calls(requests.getAuthStatus)).toEqual([]);
    rig.service.serve((response) => response.writeHead(403).end());
    for (const remotePluginId of ["../../me", "%2e%2e", "a?b#c", "//evil.example", "\\\\evil", "...", "a\nb", "@x:y"]) {
      await fails("Remote plugin enable failed (HTTP 403)", { ...enable, remotePluginId });
      const path = `/backend-api/ps/plugins/${encodeURIComponent(remotePluginId)}/enable`;
      expect(calls.at(-1)).toMatchObject({ origin: "https://eu.chatgpt.com", path });
    }
  });

  test("credentials that are no header are not sent, nor shown", async () => {
    const secret = "token\r\nX-Other: 1";
    rig.bridge.codex.on(requests.getAuthStatus, () => ({ ...authStatus(false), authToken: secret }));
    await fails("Remote plugin enable failed: the service cannot be reached or redirects");
    expect(rig.service.calls).toEqual([]);
    expect(JSON.stringify(rig.bridge.host.frames())).not.toContain("X-Other");
  });

  test("no server that the system does not trust", async () => {
    const stop = redirectTls(rig.service.port, false);
    await fails("Remote plugin enable failed: the service cannot be reached or redirects");
    stop();
    expect(rig.service.calls).toEqual([]);
  });

  test("a Codex without the request is too old for it", async () => {
    rig.bridge.codex.on(requests.getAuthStatus, () => {
      throw new CodexFailure(-32600, "Invalid request: unknown variant `getAuthStatus`, expected one of `initialize`");
    });
    await fails("This Codex cannot change remote plugins: install a newer @openai/codex");
  });
});

describe("what the service answers", () => {
  clause(["PLUG-18", "PLUG-27"], "is not followed elsewhere", async () => {
    rig.service.serve((response) => response.writeHead(302, { location: "/elsewhere" }).end());
    await fails("Remote plugin enable failed: the service cannot be reached or redirects");
    expect(rig.service.calls).toHaveLength(1);
  });

  clause(["PLUG-22", "PLUG-23", "PLUG-27"], "is a failure with its status and without its text", async () => {
    const { host } = rig.bridge;
    for (const [status, tries] of [
      [401, 2],
      [403, 1],
      [404, 1],
      [500, 1],
    ] as const) {
      for (const enabled of [true, false]) {
        const before = rig.service.calls.length;
        rig.service.serve((response) => response.writeHead(status).end("the text of the failure"));
        const message = `Remote plugin ${enabled ? "enable" : "disable"} failed (HTTP ${status})`;
        await fails(message, { ...enable, enabled });
        expect(rig.service.calls.length - before).toBe(tries);
      }
    }
    expect(JSON.stringify(host.frames())).not.toContain("the text of the failure");
  });

  clause(["PLUG-24", "PLUG-27"], "must confirm the plugin and its state", async () => {
    const { codex } = rig.bridge;
    const bodies = ["null", "[]", "true", "", "{", `{"id":"other","enabled":true}`];
    bodies.push(JSON.stringify({ id: enable.remotePluginId, enabled: false }), `{"enabled":true}`);
    bodies.push(JSON.stringify({ id: enable.remotePluginId, enabled: true, more: "x".repeat(70_000) }));
    for (const body of bodies) {
      rig.service.serve((response) => response.end(body));
      await fails("Remote plugin service did not confirm the requested enabled state");
    }
    expect(codex.calls(requests.pluginReconcile)).toEqual([]);
  });

  clause(["PLUG-26", "PLUG-27"], "must be what Codex then has", async () => {
    rig.service.serve(confirming(enable.remotePluginId, true));
    for (const found of [installed(), installed(["other", true]), installed([enable.remotePluginId, false])]) {
      rig.bridge.codex.on(requests.pluginInstalled, () => found);
      await fails("Remote plugin state could not be synchronized; refresh the plugin catalog");
    }
  });
});

describe("a call without an answer", () => {
  clause(["PLUG-19", "PLUG-27"], "ends after 30 s, each try by itself", async () => {
    const { clock } = rig.bridge;
    rig.service.serve(() => undefined);
    const failed = fails("Remote plugin enable failed: no answer within 30 s");
    await rig.service.called;
    await clock.advance(29_999);
    expect(rig.bridge.host.frames().at(-1)).not.toHaveProperty("error");
    await clock.advance(1);
    await failed;
  });

  clause(["PLUG-19", "PLUG-27"], "is one whose body never ends, too, however steadily it comes", async () => {
    const { clock } = rig.bridge;
    for (const begin of ["", '{"id":']) {
      const { calls } = rig.service;
      const nth = calls.length;
      const begun = new Promise<ServerResponse>((resolve) => rig.service.serve(resolve));
      const failed = fails("Remote plugin enable failed: no answer within 30 s");
      const response = await begun;
      response.writeHead(200, { "content-type": "application/json" }).write(`${begin} `);
      for (let second = 0; second < 29; second++) {
        response.write(" ");
        await clock.advance(1000);
      }
      expect(rig.bridge.host.frames().filter(({ id }) => id === rig.bridge.host.lastId)).toEqual([]);
      await clock.advance(1000);
      await failed;
      await calls[nth]?.over;
    }
  });

  clause(["PLUG-20", "PLUG-27", "PLUG-29"], "ends with Codex", async () => {
    rig.service.serve(() => undefined);
    const failed = expect(rig.set(enable)).rejects.toMatchObject({ message: expect.stringContaining("Codex") });
    await rig.service.called;
    rig.bridge.codex.die({ code: 1 });
    await failed;
    expect(told()).toBe(0);
  });

  test("ends when the host cancels it", async () => {
    const { host } = rig.bridge;
    rig.service.serve(() => undefined);
    const cancelled = expect(rig.set(enable)).rejects.toMatchObject({ code: -32800 });
    await rig.service.called;
    host.rawFrames({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId: host.lastId } });
    await cancelled;
    expect(told()).toBe(0);
  });
});

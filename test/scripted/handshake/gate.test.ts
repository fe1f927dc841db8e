import { afterEach, describe, expect } from "vitest";
import contract from "../../../schemas/contract/methods.json" with { type: "json" };
import { requests } from "../../../src/generated/codex/methods.js";
import { agentRequests, hostNotifications, hostRequests } from "../../../src/generated/contract/methods.js";
import { CodexFailure } from "../../../src/testing/scripted-codex/core.js";
import { recorded } from "../../../src/testing/scripted-codex/recorded.js";
import type { Bridge } from "../../support/bridge.js";
import { startBridge } from "../../support/bridge-agent.js";
import { clause } from "../../support/clause.js";
import { initialize } from "./rig.js";

let bridge: Bridge;

afterEach(() => bridge.close());

const methods = Object.values(hostRequests).map(({ method }) => method);
const cwd = "/home/user/project";
const open = () => bridge.host.request(hostRequests.sessionNew, { cwd, mcpServers: [] });
const asked = (): number => bridge.codex.log.frames("codex", "bridge").length;

describe("before initialize", () => {
  clause(["INIT-09", "INIT-10"], "nothing is served, standard or extension", async () => {
    bridge = startBridge();
    await bridge.clock.settle();
    const before = asked();
    const others = methods.filter((method) => method !== hostRequests.initialize.method);
    expect(others.filter((method) => method.startsWith("_codex/"))).toHaveLength(20);
    for (const method of [...others, "nope"])
      await expect(bridge.host.call(method, {})).rejects.toMatchObject({ code: -32600 });
    expect(asked()).toBe(before);
  });
});

describe("initialize again", () => {
  clause(["INIT-11"], "at once: both succeed, and Codex is greeted once", async () => {
    bridge = startBridge();
    const [first, second] = await Promise.all([initialize(bridge), initialize(bridge)]);
    expect(second).toEqual(first);
    expect(bridge.codex.calls(requests.initialize)).toHaveLength(1);
    expect(await open()).toHaveProperty("sessionId");
  });

  clause(["INIT-12", "INIT-13"], "after a failure: locked until it succeeds", async () => {
    bridge = startBridge();
    const { codex } = bridge;
    codex.on(requests.initialize, () => {
      throw new CodexFailure(-32603, "not today");
    });
    for (let tries = 0; tries < 2; tries += 1) {
      await expect(initialize(bridge)).rejects.toMatchObject({ code: -32603 });
      await expect(open()).rejects.toMatchObject({ code: -32600 });
    }
    codex.on(requests.initialize, () => recorded(requests.initialize));
    expect(await initialize(bridge)).toMatchObject({ protocolVersion: 2 });
    expect(await open()).toHaveProperty("sessionId");
  });
});

describe("after initialize", () => {
  clause(["INIT-16"], "session/cancel is never answered, whatever it names", async () => {
    bridge = startBridge();
    await initialize(bridge);
    const { sessionId } = await open();
    await bridge.clock.settle();
    const before = bridge.host.frames().length;
    for (const params of [{ sessionId }, { sessionId: "unknown" }, {}, [], 7])
      bridge.host.rawFrames({ jsonrpc: "2.0", method: hostNotifications.sessionCancel.method, params });
    await bridge.clock.settle();
    expect(bridge.host.frames().slice(before)).toEqual([]);
  });

  clause(["INIT-20"], "a method outside the contract is not served", async () => {
    bridge = startBridge();
    await initialize(bridge);
    const names = ["session/nope", "_codex/nope", "_other/x", "session/update", "thread/start", "toString", ""];
    for (const method of names) await expect(bridge.host.call(method, {})).rejects.toMatchObject({ code: -32601 });
  });

  clause(["INIT-15"], "the standard requests are served", async () => {
    bridge = startBridge();
    await initialize(bridge);
    const served = [
      ...["auth/login", "auth/logout", "providers/list", "providers/set", "providers/disable", "session/new"],
      ...["session/resume", "session/fork", "session/list", "session/close", "session/delete"],
      ...["session/set_config_option", "session/prompt"],
    ];
    for (const method of served) {
      const answer: unknown = await bridge.host.call(method, []).catch((error: unknown) => error);
      expect(Object(answer).code, method).toBe(-32602);
    }
    const rows = Object.values(contract.methods).filter(({ method }) => served.includes(method));
    expect(rows.map(({ implemented }) => implemented)).toEqual(served.map(() => true));
  });

  clause(["INIT-17"], "twenty extension requests are served", async () => {
    bridge = startBridge();
    await initialize(bridge);
    const served = methods.filter((method) => method.startsWith("_codex/"));
    expect(served).toHaveLength(20);
    for (const method of served) {
      // A list is no params: each method is there, and says so itself.
      const answer = bridge.host.call(method, []);
      await expect(answer, method).rejects.toMatchObject({ code: -32602 });
    }
    // The contract's table is built without the answer for methods that are not there yet.
    expect(
      Object.values(contract.methods).filter(({ method, implemented }) => served.includes(method) && !implemented),
    ).toEqual([]);
  });

  clause(["INIT-19"], "a pass-through asks for an object and nothing more", async () => {
    bridge = startBridge();
    await initialize(bridge);
    await bridge.clock.settle();
    const before = asked();
    const loose = methods.filter(
      (method) => /^_codex\/(skills|plugin|marketplace|account|rate)/.test(method) && !method.endsWith("set_enabled"),
    );
    expect(loose).toHaveLength(12);
    for (const method of loose)
      for (const params of [null, [], [{}], "x", 1, false])
        await expect(bridge.host.call(method, params)).rejects.toMatchObject({
          code: -32602,
          data: { path: "", expected: "an object" },
        });
    expect(asked()).toBe(before);
  });
});

describe("params that the bridge reads itself", () => {
  clause(["INIT-18"], "are checked before Codex sees anything", async () => {
    bridge = startBridge();
    await initialize(bridge);
    await bridge.clock.settle();
    const before = asked();
    for (const [descriptor, params, path] of [
      [hostRequests.codexSessionList, { cursor: 7 }, "/cursor"],
      [hostRequests.codexSessionHistory, { sessionId: 1 }, "/sessionId"],
      [hostRequests.codexSessionHistoryItems, { sessionId: "s", turnId: 1 }, "/turnId"],
      [hostRequests.codexSessionArchive, {}, ""],
      [hostRequests.codexSessionArchive, { sessionId: null }, "/sessionId"],
      [hostRequests.codexSessionUnarchive, { sessionId: [] }, "/sessionId"],
      [hostRequests.codexSessionRename, { sessionId: "s" }, ""],
      [hostRequests.codexSessionRename, { sessionId: "s", name: 5 }, "/name"],
      [hostRequests.codexFuzzyFileSearch, { query: 1, roots: [] }, "/query"],
    ] as const) {
      const answer = bridge.host.call(descriptor.method, params);
      await expect(answer, descriptor.method).rejects.toMatchObject({ code: -32602, data: { path } });
    }
    // This one has words of its own (PLUG-02 to PLUG-04).
    const answer = bridge.host.call(hostRequests.codexPluginSetEnabled.method, { pluginId: 1, enabled: true });
    await expect(answer).rejects.toMatchObject({ code: -32602 });
    expect(asked()).toBe(before);
  });
});

describe("requests that can be cancelled", () => {
  clause(["INIT-22"], "settle at once, though Codex has not answered", async () => {
    bridge = startBridge();
    await initialize(bridge);
    const { host, codex, clock } = bridge;
    const { sessionId } = await open();
    const threadId = "11111111-1111-7111-8111-111111111111";
    const rows = [
      [hostRequests.sessionNew, requests.threadStart, { cwd, mcpServers: [] }],
      [hostRequests.sessionResume, requests.threadResume, { sessionId: threadId, cwd, mcpServers: [] }],
      [hostRequests.sessionFork, requests.threadFork, { sessionId, cwd, mcpServers: [] }],
      [hostRequests.codexSessionHistory, requests.threadRead, { sessionId: threadId, mode: "browse" }],
      [
        hostRequests.codexSessionHistoryItems,
        requests.threadRead,
        { sessionId: threadId, turnId: "t", mode: "browse" },
      ],
    ] as const;
    for (const [descriptor, native, params] of rows) {
      const calls = codex.calls(native).length;
      // History has an answer of its own (HIST-70).
      const code = native === requests.threadRead ? -32600 : -32800;
      codex.hold(native);
      const pending = expect(host.call(descriptor.method, params)).rejects.toMatchObject({ code });
      await codex.received(native, calls + 1);
      await clock.settle();
      host.rawFrames({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId: host.lastId } });
      await pending;
    }
  });

  clause(["INIT-23"], "a sign-in's page names the request that it is for", async () => {
    bridge = startBridge();
    await initialize(bridge, { elicitation: { url: {} } });
    const { host, codex } = bridge;
    codex.on(requests.accountLoginStart, () => ({
      type: "chatgptDeviceCode" as const,
      loginId: "login-1",
      userCode: "ABCD-1234",
      verificationUrl: "https://auth.openai.com/codex/device",
    }));
    codex.on(requests.accountLoginCancel, () => ({ status: "canceled" as const }));
    const shown: unknown[] = [];
    host.on(agentRequests.elicitationCreate, (params) => {
      shown.push(params);
      return { action: "decline" };
    });
    const login = host.request(hostRequests.authLogin, { methodId: "chat-gpt-device-code" });
    const id = host.lastId;
    await expect(login).rejects.toMatchObject({ code: expect.any(Number) });
    expect(shown).toEqual([expect.objectContaining({ mode: "url", requestId: id })]);
  });
});

import { describe, expect, test } from "vitest";
import { hostRequests } from "../../../src/generated/acp-v1/methods.js";
import { requests } from "../../../src/generated/codex/methods.js";
import { hostRequests as draft } from "../../../src/generated/contract/methods.js";
import { CodexFailure } from "../../../src/testing/scripted-codex/core.js";
import { recorded } from "../../../src/testing/scripted-codex/recorded.js";
import { type Bridge, startBridgeProcess } from "../../support/bridge.js";
import { clause } from "../../support/clause.js";
import { schemasV1 } from "../../support/schemas-v1.js";
import { startBridgeV1 } from "./rig.js";

const cwd = "/home/user/project";

/** From the sources, and from the bundle, which loads version 1 from a file of its own. */
const agents: readonly (readonly [string, () => Promise<Bridge>])[] = [
  ["the sources", async () => startBridgeV1()],
  ["the bundle", () => startBridgeProcess({ held: schemasV1 })],
];

describe.each(agents)("a host that asks for version 1, from %s", (_name, start) => {
  clause(["INIT-01"], "is answered with 1, and served in the words of version 1", async () => {
    const bridge = await start();
    try {
      const { host } = bridge;
      const answer = await host.request(hostRequests.initialize, {
        protocolVersion: 1,
        clientInfo: { name: "old", version: "1" },
        clientCapabilities: { fs: { readTextFile: true, writeTextFile: true }, terminal: true },
      });
      expect(answer).toMatchObject({
        protocolVersion: 1,
        agentInfo: { name: "codex-acp-kit" },
        agentCapabilities: {
          loadSession: true,
          promptCapabilities: { image: true, audio: false, embeddedContext: true },
          mcpCapabilities: { http: true, sse: false },
          sessionCapabilities: { list: {}, resume: {}, close: {}, fork: {}, delete: {} },
          auth: { logout: {} },
          _meta: { codex: { sessionHistory: { version: 2 } } },
        },
      });
      expect(answer.authMethods?.map((method) => "id" in method && method.id)).toContain("api-key");
      const opened = await host.request(hostRequests.sessionNew, { cwd, mcpServers: [] });
      expect(opened.modes?.currentModeId).toBe(opened.configOptions?.find(({ id }) => id === "mode")?.currentValue);
      expect(opened.modes?.availableModes.map(({ id }) => id)).toEqual(["read-only", "agent", "agent-full-access"]);
      expect(opened.configOptions?.map(({ id }) => id)).toContain("model");
    } finally {
      await bridge.close();
    }
  });
});

describe("the choice of a version", () => {
  test("what follows in the same read waits for the code of version 1", async () => {
    const bridge = startBridgeV1();
    const { host } = bridge;
    host.rawFrames(
      { jsonrpc: "2.0", id: "a", method: "initialize", params: { protocolVersion: 1 } },
      { jsonrpc: "2.0", id: "b", method: "session/new", params: { cwd, mcpServers: [] } },
    );
    await host.frame("the session", (frame) => frame["id"] === "b" && "result" in frame);
    const answers = host.frames().filter((frame) => "id" in frame);
    expect(answers.map(({ id }) => id)).toEqual(["a", "b"]);
    await bridge.close();
  });

  test("a request before it is refused as ever, and nothing is settled by it", async () => {
    const bridge = startBridgeV1();
    const { host } = bridge;
    await expect(host.call("session/new", { cwd, mcpServers: [] })).rejects.toMatchObject({
      code: -32600,
      data: { reason: "not_initialized" },
    });
    expect(await host.request(hostRequests.initialize, { protocolVersion: 1 })).toMatchObject({ protocolVersion: 1 });
    await bridge.close();
  });

  clause(["INIT-12"], "one that failed leaves it open, whichever it was", async () => {
    const bridge = startBridgeV1();
    const { host, codex } = bridge;
    codex.on(requests.initialize, () => {
      throw new CodexFailure(-32603, "not yet");
    });
    await expect(host.call("initialize", { protocolVersion: 1 })).rejects.toThrow();
    await expect(host.call("initialize", { protocolVersion: 2, info: {} })).rejects.toMatchObject({ code: -32602 });
    await expect(host.call("initialize", { protocolVersion: 1, _meta: {}, clientInfo: { name: 1 } })).rejects.toThrow();
    codex.on(requests.initialize, () => recorded(requests.initialize));
    const answer = await host.call(draft.initialize.method, {
      protocolVersion: 2,
      info: { name: "new", version: "0" },
    });
    expect(answer).toMatchObject({ protocolVersion: 2, info: { name: "codex-acp-kit" } });
    bridge.checker.stop();
    await bridge.close();
  });

  test("params off the schema are named in the words of version 1, and unlock nothing", async () => {
    const bridge = startBridgeV1();
    const { host } = bridge;
    await expect(host.call("initialize", { protocolVersion: 1, _meta: 3, clientInfo: null })).resolves.toBeDefined();
    const off = (path: string) => ({ code: -32602, data: { path } });
    await expect(host.call("session/new", { cwd })).rejects.toMatchObject(off(""));
    await expect(host.call("session/new", { cwd: 1, mcpServers: [] })).rejects.toMatchObject(off("/cwd"));
    await expect(
      host.call("session/new", { cwd, mcpServers: [{ name: "a", command: "b", args: 1, env: [] }] }),
    ).rejects.toMatchObject(off("/mcpServers/0/args"));
    await expect(host.call("session/new", { cwd: "rel", mcpServers: [] })).rejects.toMatchObject(off("/cwd"));
    await expect(
      host.call("session/new", { cwd, mcpServers: [], _meta: { codex: { mode: "wild" } } }),
    ).rejects.toMatchObject(off("/_meta/codex/mode"));
    await expect(host.call("session/set_mode", { sessionId: "s" })).rejects.toMatchObject(off(""));
    await bridge.close();
  });

  test("a repeat is answered, and a later one does not change the version", async () => {
    const bridge = startBridgeV1();
    const { host } = bridge;
    await host.request(hostRequests.initialize, { protocolVersion: 1 });
    expect(await host.call("initialize", { protocolVersion: 2 })).toMatchObject({ protocolVersion: 1 });
    expect(await host.request(hostRequests.initialize, { protocolVersion: 1 })).toMatchObject({ protocolVersion: 1 });
    await bridge.close();
  });

  test("methods that version 1 does not have are not found, extensions are as they are", async () => {
    const bridge = startBridgeV1();
    const { host } = bridge;
    await host.request(hostRequests.initialize, { protocolVersion: 1 });
    for (const method of ["auth/login", "terminal/cancel", "session/nothing", "fs/read_text_file"]) {
      await expect(host.call(method, {})).rejects.toMatchObject({ code: -32601 });
    }
    expect(await host.request(draft.codexAccountRead, {})).toMatchObject({ requiresOpenaiAuth: expect.any(Boolean) });
    expect(await host.request(hostRequests.sessionList, {})).toMatchObject({ sessions: expect.any(Array) });
    await bridge.close();
  });

  test("what is no JSON-RPC is refused as ever", async () => {
    const bridge = startBridgeV1();
    const { host } = bridge;
    await host.request(hostRequests.initialize, { protocolVersion: 1 });
    host.rawFrames([{ jsonrpc: "2.0", id: 9, method: "logout" }] as unknown as object, {
      jsonrpc: "2.0",
      id: null,
      method: "logout",
    });
    await host.frame(
      "the second refusal",
      (frame) => frame["id"] === null && host.frames().filter(({ id }) => id === null).length > 1,
    );
    expect(host.frames().filter(({ id }) => id === null)).toMatchObject([
      { error: { code: -32600 } },
      { error: { code: -32600 } },
    ]);
    await bridge.close();
  });
});

import { afterEach, describe, expect } from "vitest";
import { requests } from "../../../src/generated/codex/methods.js";
import { hostRequests } from "../../../src/generated/contract/methods.js";
import { clause } from "../../support/clause.js";
import { cwd, type OpenRig, startOpen } from "../open/rig.js";
import { toolSet } from "./rig.js";

let rig: OpenRig;

afterEach(() => rig.bridge.close());

const opening = (tools: unknown) => ({ cwd, mcpServers: [], _meta: { alwith: { tools } } });

const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => "opened",
    (error: unknown) => error,
  );

const refusal = async (tools: unknown) => {
  const { host, codex } = rig.bridge;
  const error = await failure(host.call(hostRequests.sessionNew.method, opening(tools)));
  expect(codex.calls(requests.threadStart)).toEqual([]);
  return error;
};

describe("a tool set", () => {
  clause(["CTOOL-01", "CTOOL-04", "CTOOL-08"], "goes to Codex with a new thread, under the prefix", async () => {
    rig = await startOpen();
    const { host, codex } = rig.bridge;
    await host.request(hostRequests.sessionNew, {
      cwd,
      mcpServers: [],
      _meta: { alwith: { tools: toolSet(["a", "b-2"], 7) } },
    });
    expect((await codex.received(requests.threadStart)).dynamicTools).toEqual(
      ["a", "b-2"].map((name) => ({
        type: "function",
        name: `alwith_client_${name}`,
        description: `Does ${name}`,
        inputSchema: { type: "object" },
      })),
    );
  });

  clause(["CTOOL-01"], "may be empty, and then nothing is declared", async () => {
    rig = await startOpen();
    const { host, codex } = rig.bridge;
    await host.request(hostRequests.sessionNew, { cwd, mcpServers: [], _meta: { alwith: { tools: toolSet([]) } } });
    expect(await codex.received(requests.threadStart)).not.toHaveProperty("dynamicTools");
  });

  clause(["CTOOL-01", "CTOOL-05"], "is taken on resume, where Codex keeps what it has", async () => {
    rig = await startOpen();
    const { codex } = rig.bridge;
    rig.threads.set("t-1", { turns: [] });
    await rig.resume("t-1", { _meta: { alwith: { tools: toolSet(["other"]) } } });
    expect(await codex.received(requests.threadResume)).not.toHaveProperty("dynamicTools");
  });

  clause(["CTOOL-01"], "of another version is refused by every opening", async () => {
    rig = await startOpen();
    const { host, codex } = rig.bridge;
    const params = { ...opening({ ...toolSet(), version: 2 }), sessionId: "t-1" };
    for (const { method } of [hostRequests.sessionNew, hostRequests.sessionResume, hostRequests.sessionFork]) {
      expect(await failure(host.call(method, params))).toMatchObject({
        code: -32602,
        data: { path: "/_meta/alwith/tools/version" },
      });
    }
    expect(codex.calls(requests.threadResume)).toEqual([]);
  });

  clause(["CTOOL-02"], "has unique names, descriptions and object schemas", async () => {
    rig = await startOpen();
    const [definition] = toolSet().definitions;
    const of = (...definitions: unknown[]) => ({ version: 1, revision: 1, definitions });
    expect(await refusal(toolSet(["a", "b", "a"]))).toMatchObject({
      code: -32602,
      message: expect.stringContaining('"a" is declared twice'),
      data: { path: "/_meta/alwith/tools/definitions/2/name" },
    });
    for (const inputSchema of [{ type: "string" }, "object", null, undefined]) {
      expect(await refusal(of({ ...definition, inputSchema }))).toMatchObject({ code: -32602 });
    }
    expect(await refusal(of({ ...definition, description: undefined }))).toMatchObject({ code: -32602 });
    expect(await refusal(of({ ...definition, name: "a b" }))).toMatchObject({ code: -32602 });
  });

  clause(["CTOOL-03"], "has at most 128 tools", async () => {
    rig = await startOpen();
    const names = Array.from({ length: 129 }, (_, index) => `tool${index}`);
    expect(await refusal(toolSet(names))).toMatchObject({
      code: -32602,
      data: { path: "/_meta/alwith/tools/definitions" },
    });
    const { host, codex } = rig.bridge;
    await host.request(hostRequests.sessionNew, {
      cwd,
      mcpServers: [],
      _meta: { alwith: { tools: toolSet(names.slice(1)) } },
    });
    expect((await codex.received(requests.threadStart)).dynamicTools).toHaveLength(128);
  });
});

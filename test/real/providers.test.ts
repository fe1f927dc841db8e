import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect } from "vitest";
import { compareVersions } from "../../src/codex/version.js";
import { hostRequests } from "../../src/generated/contract/methods.js";
import type { ModelRequest } from "../../src/testing/scripted-model/server.js";
import { message } from "../../src/testing/scripted-model/steps.js";
import { clause } from "../support/clause.js";
import { codexes } from "../support/codexes.js";
import { isUpdate } from "../support/host.js";
import { type GatewayRig, type Place, secrets, startGateways } from "./gateways.js";

let rig: GatewayRig;

afterEach(() => rig.close());

const modelOf = ({ body }: ModelRequest): unknown => Object(body).model;

/** Each gateway has had its own credentials and nobody else's; Codex's own provider none at all. */
function expectOwnKeysOnly(): void {
  for (const [place, { requests }] of Object.entries(rig.models)) {
    for (const { headers } of requests) {
      const given = place === "native" ? null : secrets[place as "a" | "b"];
      expect(headers["x-gateway"]).toBe(given?.header);
      expect(headers.authorization).toBe(given === null ? undefined : `Bearer ${given.bearerToken}`);
    }
  }
}

const everySecret = Object.values(secrets).flatMap((it) => Object.values(it));

/** Nothing that the host was told holds a credential. */
function expectNoSecretTold(): void {
  const told = JSON.stringify(rig.bridge.host.frames());
  expect(everySecret.filter((secret) => told.includes(secret))).toEqual([]);
}

describe.each(codexes)("Codex $version", (codex) => {
  const moves = compareVersions(codex.version, "0.166.0") < 0;

  clause(
    ["PROV-06", "PROV-07", "PROV-21", "PROV-27", "AUTH-05", "ROUTE-03", "ROUTE-04", "ROUTE-05"],
    "a gateway in route mode gets the traffic, with its own keys, and needs no login",
    async () => {
      rig = await startGateways(codex, { provider: ["requires_openai_auth = true"] });
      const { host } = rig.bridge;
      const login = { methodId: "api-key", _meta: { "api-key": { apiKey: "sk-of-the-user" } } };
      await expect(rig.open()).rejects.toMatchObject({ code: -32000 });
      await rig.set("a", { id: "gate" });
      const sessionId = await rig.open();
      // It has no history yet, and cannot go anywhere: the host makes it anew.
      await expect(rig.set("b", { id: "gate" })).rejects.toMatchObject({ code: -32600, data: { sessionId } });
      expect(await rig.turn(sessionId)).toBe("a");
      expect(rig.models.a.requests.map(({ path }) => path)).toEqual(["/v1/responses"]);
      // Another address under the same id: the session follows.
      await rig.set("b", { id: "gate" });
      expect(await rig.turn(sessionId)).toBe("b");
      expect(host.updates(sessionId).filter(isUpdate("config_option_update")).at(-1)?._meta).toEqual({
        codex: { routing: { stale: false } },
      });
      expectOwnKeysOnly();
      await host.request(hostRequests.authLogin, login);
      expect(await rig.turn(sessionId)).toBe("b");
      expectOwnKeysOnly();
      expectNoSecretTold();
    },
  );

  clause(
    ["PROV-08", "PROV-10", "CAT-16", "LIST-03"],
    "route mode takes over what it can, says what it cannot, and a disable gives back",
    async () => {
      rig = await startGateways(codex);
      const { host } = rig.bridge;
      const native = await rig.open();
      expect(await rig.turn(native)).toBe("native");
      const untouched = { _meta: { codex: { untouchedSessions: [native] } } };
      expect(await rig.set("a", { id: "gate" })).toEqual(moves ? {} : untouched);
      expect(await rig.turn(native)).toBe(moves ? "a" : "native");
      const routed = await rig.open();
      expect(await rig.turn(routed)).toBe("a");
      const result = await rig.disable();
      if (moves) {
        expect(result).toEqual({});
        expect(await rig.turn(native)).toBe("native");
        expect(await rig.turn(routed)).toBe("native");
      } else {
        expect(result).toEqual({ _meta: { codex: { untouchedSessions: [routed] } } });
        await expect(rig.turn(routed)).rejects.toMatchObject({
          code: -32600,
          data: { codex: { reason: "gateway_removed", gateway: "gate" } },
        });
        expect(await rig.turn(await rig.fork(routed))).toBe("native");
      }
      const { sessions } = await host.request(hostRequests.sessionList, {});
      expect(sessions.map(({ sessionId }) => sessionId)).toEqual(expect.arrayContaining([native, routed]));
      expectOwnKeysOnly();
      expectNoSecretTold();
    },
  );

  clause(
    ["CAT-09", "CAT-11", "CAT-13", "CAT-19", "CAT-21"],
    "a session goes to what serves its model, where Codex moves it, and else is told how",
    async () => {
      rig = await startGateways(codex);
      await rig.set("a", { id: "one", mode: "catalog" }, { models: [{ id: "m-one" }] });
      await rig.set("b", { id: "two", mode: "catalog" }, { models: [{ id: "m-two" }] });
      const empty = await rig.open();
      const asked = await rig.open("m-two");
      const turn = async (sessionId: string): Promise<[Place, unknown]> => {
        const place = await rig.turn(sessionId);
        return [place, modelOf(rig.models[place].requests.at(-1) as ModelRequest)];
      };
      if (moves) {
        await rig.choose(empty, "m-one");
        expect(await turn(empty)).toEqual(["a", "m-one"]);
        await rig.choose(empty, "m-two");
        expect(await turn(empty)).toEqual(["b", "m-two"]);
        await rig.choose(empty, "gpt-5.5");
        expect(await turn(empty)).toEqual(["native", "gpt-5.5"]);
        await rig.choose(empty, "m-one");
        await rig.bridge.host.request(hostRequests.sessionClose, { sessionId: empty });
        await rig.resume(empty, "m-one");
        expect(await turn(empty)).toEqual(["a", "m-one"]);
        // `asked` has no history: it gets one, and goes home.
        await rig.disable();
        expect(await turn(asked)).toEqual(["native", "gpt-5.5"]);
        expect(await turn(empty)).toEqual(["native", "gpt-5.5"]);
      } else {
        for (const sessionId of [empty, asked]) {
          await expect(rig.choose(sessionId, "m-one")).rejects.toMatchObject({
            code: -32600,
            data: { codex: { reason: "provider_fixed" } },
          });
        }
        expect(await turn(empty)).toEqual(["native", "gpt-5.5"]);
        expect(await turn(await rig.fork(empty, "m-one"))).toEqual(["a", "m-one"]);
        expect(await turn(asked)).toEqual(["b", "m-two"]);
        await rig.bridge.host.request(hostRequests.sessionClose, { sessionId: asked });
        await rig.resume(asked);
        expect(await turn(asked)).toEqual(["b", "m-two"]);
        expect(await turn(await rig.fork(asked))).toEqual(["native", "gpt-5.5"]);
      }
      expectOwnKeysOnly();
      expectNoSecretTold();
    },
  );

  clause(["PROV-09", "CAT-15", "ROUTE-10", "PROV-15"], "a turn that runs keeps its session where it is", async () => {
    let end = (): void => undefined;
    const until = new Promise<void>((resolve) => {
      end = resolve;
    });
    rig = await startGateways(codex, {
      scripts: [
        { key: "WAIT", steps: [[message("Waiting."), { kind: "wait", until }]] },
        { key: "GO", steps: [message("Gone.")] },
      ],
    });
    const { host } = rig.bridge;
    await expect(rig.set("a", { id: "scripted" })).rejects.toMatchObject({ code: -32602 });
    await rig.set("a", { id: "one", mode: "catalog" }, { models: [{ id: "m-one" }] });
    const sessionId = await rig.open();
    await host.request(hostRequests.sessionPrompt, { sessionId, prompt: [{ type: "text", text: "WAIT" }] });
    await host.update(sessionId, isUpdate("agent_message_chunk"));
    const running = { code: -32600, data: { sessionId, codex: { retryable: true } } };
    await expect(rig.choose(sessionId, "m-one")).rejects.toMatchObject(running);
    await expect(rig.set("a", { id: "all" })).rejects.toMatchObject(running);
    const other = await rig.open("m-one");
    expect(await rig.turn(other)).toBe("a");
    end();
    await host.idle(sessionId);
    expect(rig.models.native.requests).toHaveLength(1);
  });

  clause(["PROV-25"], "the catalog file says what the gateway's models can do, and Codex reads the same", async () => {
    rig = await startGateways(codex);
    const file = join(rig.bridge.home.workspace, "models.json");
    const described = {
      slug: "m-one",
      display_name: "Model One",
      description: "Of the gateway.",
      default_reasoning_level: "high",
      supported_reasoning_levels: [
        { effort: "low", description: "Quick" },
        { effort: "high", description: "Thorough" },
      ],
      shell_type: "shell_command",
      visibility: "list",
      supported_in_api: true,
      priority: 1,
      base_instructions: "Be of use.",
      supports_reasoning_summaries: true,
      support_verbosity: false,
      truncation_policy: { mode: "bytes", limit: 10000 },
      supports_parallel_tool_calls: false,
      experimental_supported_tools: [],
      input_modalities: ["text"],
    };
    await writeFile(file, JSON.stringify({ models: [described] }));
    await rig.set(
      "a",
      { id: "one", mode: "catalog", config: { model_catalog_json: file } },
      { models: [{ id: "m-one" }] },
    );
    const { host, home } = rig.bridge;
    const { sessionId, configOptions } = await host.request(hostRequests.sessionNew, {
      cwd: home.workspace,
      mcpServers: [],
      _meta: { alwith: { model: "m-one" } },
    });
    const effort = configOptions?.find(({ configId }) => configId === "effort");
    expect(effort).toMatchObject({ options: [{ value: "low" }, { value: "high" }] });
    await host.request(hostRequests.sessionSetConfigOption, {
      sessionId,
      configId: "effort",
      type: "id",
      value: "low",
    });
    expect(await rig.turn(sessionId)).toBe("a");
    expect(Object(rig.models.a.requests.at(-1)?.body)).toMatchObject({ model: "m-one", reasoning: { effort: "low" } });
  });

  clause(["PROV-20", "LOG-01"], "no credential of a gateway is in the log, in an error or in a frame", async () => {
    rig = await startGateways(codex, { env: { APP_SERVER_LOGS: "logs" } });
    await rig.set("a", { id: "one", mode: "catalog" }, { models: [{ id: "m-one" }] });
    const sessionId = await rig.open("m-one");
    expect(await rig.turn(sessionId)).toBe("a");
    await rig.set("b", { id: "one", mode: "catalog" }, { models: [{ id: "m-one" }] });
    expect(await rig.turn(sessionId)).toBe("b");
    await expect(rig.set("a", { id: "two", mode: "catalog" }, { models: [{ id: "m-one" }] })).rejects.toThrow();
    await rig.bridge.host.request(hostRequests.sessionPrompt, { sessionId, prompt: [{ type: "text", text: "QUOTE" }] });
    expect(await rig.bridge.host.idle(sessionId, 3)).toMatchObject({ stopReason: "error" });
    expect(JSON.stringify(rig.bridge.host.frames())).toContain("Incorrect key: [redacted]");
    expectNoSecretTold();
    const folder = join(rig.bridge.home.workspace, "logs");
    const logs = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), "utf8")));
    expect(logs.join("")).toContain("model_providers");
    expect(everySecret.filter((secret) => logs.join("").includes(secret))).toEqual([]);
  });
});

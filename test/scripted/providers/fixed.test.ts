import { afterEach, describe, expect, test } from "vitest";
import { requests } from "../../../src/generated/codex/methods.js";
import { hostRequests } from "../../../src/generated/contract/methods.js";
import { clause } from "../../support/clause.js";
import { baseUrl, cwd, groups, type ProvidersRig, startProviders } from "./rig.js";

let rig: ProvidersRig;

afterEach(() => rig.close());

const fixed = { version: "0.171.0" };
const models = [{ id: "m-one" }];
const initialized = () =>
  rig.host.request(hostRequests.initialize, {
    protocolVersion: 2,
    info: { name: "test", version: "0" },
    capabilities: {},
  });

describe("a Codex that keeps threads where they were made", () => {
  clause(
    ["CAT-09", "CAT-07"],
    "lists a session's own source alone, and refuses a move before anything changes",
    async () => {
      rig = await startProviders(fixed);
      await rig.catalog({ id: "one" }, models);
      const native = await rig.opened();
      const { sessionId: gateway, configOptions } = await rig.open({ alwith: { model: "m-one" } });
      expect(groups(configOptions)).toEqual(["one: m-one"]);
      const from = rig.mark();
      for (const [sessionId, value, provider] of [
        [native, "m-one", "openai"],
        [gateway, "smart", "one"],
      ] as const) {
        await expect(rig.choose(sessionId, value)).rejects.toMatchObject({
          code: -32600,
          message: expect.stringContaining("fork it with _meta.alwith.model"),
          data: { sessionId, codex: { reason: "provider_fixed", provider } },
        });
      }
      const resume = rig.host.request(hostRequests.sessionResume, {
        sessionId: native,
        cwd,
        mcpServers: [],
        _meta: { alwith: { model: "m-one" } },
      });
      await expect(resume).rejects.toMatchObject({ data: { codex: { reason: "provider_fixed" } } });
      expect(rig.asked(undefined, from).filter((it) => !it.startsWith(requests.threadRead.method))).toEqual([]);
      await rig.prompt(native);
      // The way out.
      await rig.fork(native, { alwith: { model: "m-one" } });
      expect(rig.codex.calls(requests.threadFork).at(-1)?.params).toMatchObject({
        modelProvider: "one",
        model: "m-one",
      });
    },
  );

  clause(["PROV-04", "PROV-08"], "sends new sessions to the gateway, and says which open ones stay", async () => {
    rig = await startProviders(fixed);
    const native = await rig.opened();
    expect(await rig.set({ id: "gate", bearerToken: "token-1" })).toEqual({
      _meta: { codex: { untouchedSessions: [native] } },
    });
    expect(rig.codex.calls(requests.threadUnsubscribe)).toEqual([]);
    const routed = await rig.opened();
    expect(rig.threads.get(routed)?.provider).toBe("gate");
    // The same gateway at another address: its own sessions follow.
    expect(await rig.set({ id: "gate", bearerToken: "token-2" }, { baseUrl: "https://new.example/v1" })).toEqual({
      _meta: { codex: { untouchedSessions: [native] } },
    });
    expect(rig.threads.get(routed)?.entry).toMatchObject({
      base_url: "https://new.example/v1",
      experimental_bearer_token: "token-2",
    });
    expect(rig.optionUpdates(routed).at(-1)?._meta).toEqual({ codex: { routing: { stale: false } } });
    expect(rig.threads.get(native)).toMatchObject({ provider: "openai", entry: null });
    const resume = { sessionId: native, cwd, mcpServers: [] };
    await rig.host.request(hostRequests.sessionClose, { sessionId: native });
    await rig.host.request(hostRequests.sessionResume, resume);
    expect(rig.codex.calls(requests.threadResume).at(-1)?.params).not.toHaveProperty("config");
    await rig.prompt(native);
  });

  clause(["PROV-10", "CAT-20"], "leaves the sessions of a gateway that is gone without it", async () => {
    rig = await startProviders(fixed);
    await rig.catalog({ id: "one" }, models);
    const native = await rig.opened();
    const gone = await rig.opened({ alwith: { model: "m-one" } });
    expect(await rig.disable("one")).toEqual({ _meta: { codex: { untouchedSessions: [gone] } } });
    await expect(rig.prompt(gone)).rejects.toMatchObject({
      code: -32600,
      message: expect.stringContaining("fork"),
      data: { sessionId: gone, codex: { reason: "gateway_removed", gateway: "one" } },
    });
    await rig.prompt(native);
    expect(await rig.fork(gone)).toHaveProperty("sessionId");
    // Back again, its session goes on.
    await rig.catalog({ id: "one" }, models, { baseUrl });
    await rig.prompt(gone);
  });

  clause(["ROUTE-03", "PROV-09"], "refuses route mode over an empty session or a turn all the same", async () => {
    rig = await startProviders(fixed);
    const { sessionId } = await rig.open();
    await expect(rig.set({ id: "gate" })).rejects.toMatchObject({ code: -32600, data: { sessionId } });
    const it = rig.threads.get(sessionId);
    if (it) it.stored = true;
    await rig.begin(sessionId);
    await expect(rig.set({ id: "gate" })).rejects.toMatchObject({ code: -32600, data: { sessionId } });
  });
});

describe("what initialize says", () => {
  test.each([
    { version: "0.161.0", providers: {}, sessionsMove: true },
    { version: "0.171.0", providers: {}, sessionsMove: false },
    { version: "0.166.0", providers: undefined, sessionsMove: false },
  ])("of Codex $version", async ({ version, providers, sessionsMove }) => {
    rig = await startProviders({ version });
    const { capabilities } = await initialized();
    expect(capabilities?.providers).toEqual(providers);
    expect(capabilities?._meta).toMatchObject({ codex: { sessionsMove, providerCatalog: true } });
  });

  test("holds: a Codex that runs threads on its own provider alone takes no gateway", async () => {
    rig = await startProviders({ version: "0.166.0" });
    for (const it of [rig.set({}), rig.catalog({ id: "one" }, models)]) {
      await expect(it).rejects.toMatchObject({
        code: -32600,
        data: { codex: { reason: "gateways_unsupported", version: "0.166.0" } },
      });
    }
    expect(await rig.disable()).toEqual({});
  });
});

import { afterEach, describe, expect, test } from "vitest";
import { requests } from "../../../src/generated/codex/methods.js";
import { hostRequests } from "../../../src/generated/contract/methods.js";
import { clause } from "../../support/clause.js";
import { cwd, groups, option, type ProvidersRig, startProviders } from "./rig.js";

let rig: ProvidersRig;

afterEach(() => rig.close());

const { method: turns } = requests.threadTurnsList;
const { method: leave } = requests.threadUnsubscribe;
const { method: open } = requests.threadResume;
const { method: inject } = requests.threadInjectItems;

const resumes = (sessionId: string) =>
  rig.codex.calls(requests.threadResume).flatMap(({ params }) => (params.threadId === sessionId ? [params] : []));

const entries = (config: unknown): string[] => Object.keys(Object(Object(config).model_providers));

const one = [{ id: "m-one", label: "Model one" }];
const two = [{ id: "m-two" }];

/** Two gateways in the catalog. */
async function withCatalog(options: Parameters<typeof startProviders>[0] = {}): Promise<void> {
  rig = await startProviders(options);
  await rig.catalog({ id: "one", name: "Gate one", bearerToken: "token-one", config: { web_search: "disabled" } }, one);
  await rig.catalog({ id: "two", bearerToken: "token-two" }, two);
}

describe("a session under catalogued gateways", () => {
  clause(["CAT-07", "CAT-08", "CAT-16"], "has a group for each source, and is native unless it asks", async () => {
    rig = await startProviders();
    const before = await rig.opened();
    await rig.catalog({ id: "one", name: "Gate one" }, one);
    const list = option(rig.optionUpdates(before).at(-1)?.configOptions, "model");
    expect(list?.options).toMatchObject([
      { groupId: "chatgpt", name: "ChatGPT", options: [{ value: "smart" }, { value: "quick" }] },
      { groupId: "one", name: "Gate one", options: [{ value: "m-one", name: "Model one" }] },
    ]);
    const opened = await rig.open();
    expect(groups(opened.configOptions)).toEqual(["chatgpt: smart, quick", "one: m-one"]);
    expect(rig.codex.calls(requests.threadStart).at(-1)?.params).not.toHaveProperty("modelProvider");
    const asked = await rig.open({ alwith: { model: "m-one" } });
    expect(rig.codex.calls(requests.threadStart).at(-1)?.params).toMatchObject({
      modelProvider: "one",
      model: "m-one",
    });
    expect(option(asked.configOptions, "model")?.currentValue).toBe("m-one");
    await rig.fork(before);
    expect(rig.codex.calls(requests.threadFork).at(-1)?.params).not.toHaveProperty("modelProvider");
    await rig.fork(before, { alwith: { model: "m-one" } });
    expect(rig.codex.calls(requests.threadFork).at(-1)?.params).toMatchObject({ modelProvider: "one", model: "m-one" });
  });

  test("has no group of a gateway that serves nothing", async () => {
    rig = await startProviders();
    await rig.catalog({ id: "one" }, []);
    expect(groups((await rig.open()).configOptions)).toEqual(["chatgpt: smart, quick"]);
  });

  clause(
    ["PROV-23", "CAT-09", "CAT-10", "CAT-12", "CAT-14", "SESS-22"],
    "moves to the gateway of the model it is set to, alone, and with that gateway's entry and keys only",
    async () => {
      await withCatalog();
      const other = await rig.opened();
      const sessionId = await rig.opened({ alwith: { appendSystemPrompt: "Be brief." } });
      const from = rig.mark();
      const options = await rig.choose(sessionId, "m-one");
      expect(rig.asked(undefined, from)).toEqual([
        `${turns} ${sessionId}`,
        `${leave} ${sessionId}`,
        `${open} ${sessionId}`,
      ]);
      const params = resumes(sessionId).at(-1);
      expect(params).toMatchObject({ modelProvider: "one", model: "m-one", developerInstructions: "Be brief." });
      expect(params?.config).toMatchObject({ web_search: "disabled" });
      expect(entries(params?.config)).toEqual(["one"]);
      expect(option(options, "model")?.currentValue).toBe("m-one");
      expect(option(options, "effort")).toBeUndefined();
      expect(rig.optionUpdates(sessionId).at(-1)).toMatchObject({
        configOptions: options,
        _meta: { codex: { routing: { stale: false } } },
      });
      expect(rig.optionUpdates(other)).toEqual([]);
      await rig.begin(sessionId);
      const turn = JSON.stringify(rig.codex.calls(requests.turnStart).at(-1)?.params);
      expect(turn).not.toMatch(/provider|token-one/i);
      // The keys of its config go with its threads alone.
      await rig.open();
      expect(JSON.stringify(rig.codex.calls(requests.threadStart).at(-1)?.params)).not.toContain("web_search");
    },
  );

  clause(["CAT-11"], "moves back with a native model, and from one gateway to the other", async () => {
    await withCatalog();
    const sessionId = await rig.opened();
    await rig.choose(sessionId, "m-one");
    await rig.choose(sessionId, "m-two");
    expect(entries(resumes(sessionId).at(-1)?.config)).toEqual(["two"]);
    const options = await rig.choose(sessionId, "quick");
    expect(resumes(sessionId).at(-1)).toMatchObject({ modelProvider: "openai", model: "quick" });
    expect(resumes(sessionId).at(-1)).not.toHaveProperty("config");
    expect(option(options, "effort")).toMatchObject({ options: [{ value: "low" }] });
    expect(rig.threads.get(sessionId)).toMatchObject({ provider: "openai", model: "quick", entry: null });
  });

  test("keeps the rights it has: Codex forgets the sandbox of a thread that gets another config", async () => {
    await withCatalog();
    const sessionId = await rig.opened();
    await rig.choose(sessionId, "m-one");
    expect(resumes(sessionId).at(-1)).toMatchObject({ approvalPolicy: "on-request", sandbox: "workspace-write" });
  });

  clause(["CAT-13"], "is given a history first when it has none", async () => {
    await withCatalog();
    const { sessionId } = await rig.open();
    const from = rig.mark();
    await rig.choose(sessionId, "m-one");
    expect(rig.asked(sessionId, from)).toEqual([turns, inject, leave, open]);
    expect(rig.codex.calls(requests.threadInjectItems)[0]?.params.items).toMatchObject([
      { type: "message", role: "developer", content: [{ type: "input_text" }] },
    ]);
  });

  clause(["CAT-15"], "does not move during a turn", async () => {
    await withCatalog();
    const sessionId = await rig.opened();
    const turn = await rig.begin(sessionId);
    const from = rig.mark();
    await expect(rig.choose(sessionId, "m-one")).rejects.toMatchObject({
      code: -32600,
      data: { sessionId, codex: { retryable: true } },
    });
    expect(rig.asked(sessionId, from)).toEqual([]);
    turn.complete();
    await rig.clock.settle();
    await rig.choose(sessionId, "m-one");
    expect(rig.threads.get(sessionId)?.provider).toBe("one");
  });

  test("keeps what the host wanted of it, as far as its new model goes", async () => {
    await withCatalog();
    const sessionId = await rig.opened();
    const { host } = rig;
    await host.request(hostRequests.sessionSetConfigOption, {
      sessionId,
      configId: "mode",
      type: "id",
      value: "agent-full-access",
    });
    const options = await rig.choose(sessionId, "m-one");
    expect(option(options, "mode")?.currentValue).toBe("agent-full-access");
    await rig.begin(sessionId);
    expect(rig.codex.calls(requests.turnStart).at(-1)?.params).toMatchObject({
      sandboxPolicy: { type: "dangerFullAccess" },
    });
  });
});

describe("a stored session", () => {
  const resume = (sessionId: string, model?: string) =>
    rig.host.request(hostRequests.sessionResume, {
      sessionId,
      cwd,
      mcpServers: [],
      ...(model === undefined ? {} : { _meta: { alwith: { model } } }),
    });

  clause(["CAT-17", "CAT-18"], "opens on what is asked for, else on what Codex recorded", async () => {
    await withCatalog();
    const sessionId = await rig.opened();
    await resume(sessionId, "m-two");
    expect(resumes(sessionId).at(-1)).toMatchObject({ modelProvider: "two", model: "m-two" });
    expect(entries(resumes(sessionId).at(-1)?.config)).toEqual(["two"]);
    const { configOptions } = await resume(sessionId);
    expect(resumes(sessionId).at(-1)).toMatchObject({ modelProvider: "two" });
    expect(entries(resumes(sessionId).at(-1)?.config)).toEqual(["two"]);
    expect(option(configOptions, "model")?.currentValue).toBe("m-two");
    await resume(sessionId, "smart");
    expect(resumes(sessionId).at(-1)).toMatchObject({ modelProvider: "openai", model: "smart" });
    await resume(sessionId);
    expect(resumes(sessionId).at(-1)).not.toHaveProperty("modelProvider");
  });

  test("of a gateway that is not there is refused by its name", async () => {
    await withCatalog();
    const sessionId = await rig.opened({ alwith: { model: "m-one" } });
    await rig.host.request(hostRequests.sessionClose, { sessionId });
    await rig.disable();
    await expect(resume(sessionId)).rejects.toMatchObject({
      code: -32600,
      data: { sessionId, codex: { reason: "gateway_missing", gateway: "one" } },
    });
    expect(await rig.fork(sessionId)).toHaveProperty("sessionId");
  });

  test("opens on the gateway of route mode", async () => {
    rig = await startProviders();
    const sessionId = await rig.opened();
    await rig.set({ id: "all" });
    await resume(sessionId);
    expect(resumes(sessionId).at(-1)).toMatchObject({ modelProvider: "all" });
  });

  test("that Codex has lost is opened where it belongs before its next turn", async () => {
    await withCatalog();
    const sessionId = await rig.opened();
    await rig.choose(sessionId, "m-one");
    rig.codex.die();
    await rig.clock.settle();
    const it = rig.threads.get(sessionId);
    if (it) it.subscribed = false;
    await rig.begin(sessionId);
    expect(resumes(sessionId).at(-1)).toMatchObject({ modelProvider: "one" });
    expect(entries(resumes(sessionId).at(-1)?.config)).toEqual(["one"]);
  });
});

describe("providers/disable", () => {
  clause(
    ["CAT-20", "CAT-21", "CAT-22", "PROV-11"],
    "takes the sessions of that gateway home, empty ones too, and its group from every list",
    async () => {
      await withCatalog();
      const native = await rig.opened();
      const moved = await rig.opened();
      await rig.choose(moved, "m-one");
      const { sessionId: empty } = await rig.open({ alwith: { model: "m-one" } });
      const other = await rig.opened({ alwith: { model: "m-two" } });
      const from = rig.mark();
      await rig.disable("one");
      expect(rig.asked(native, from)).toEqual([]);
      expect(rig.asked(other, from)).toEqual([]);
      expect(rig.asked(moved, from)).toEqual([turns, leave, open]);
      expect(rig.asked(empty, from)).toEqual([turns, inject, leave, open]);
      for (const id of [moved, empty]) {
        expect(rig.threads.get(id)).toMatchObject({ provider: "openai", model: "smart", entry: null });
        expect(rig.optionUpdates(id).at(-1)?._meta).toEqual({ codex: { routing: { stale: false } } });
      }
      for (const id of [native, moved, empty, other]) {
        expect(groups(rig.optionUpdates(id).at(-1)?.configOptions)).toEqual(["chatgpt: smart, quick", "two: m-two"]);
      }
      await rig.disable();
      expect(rig.threads.get(other)).toMatchObject({ provider: "openai", entry: null });
      expect(groups(rig.optionUpdates(native).at(-1)?.configOptions)).toEqual(["smart", "quick"]);
      await rig.begin(other);
    },
  );
});

describe("a gateway that is registered again", () => {
  clause(["CAT-23"], "opens its own sessions anew with the new entry, and no others", async () => {
    await withCatalog();
    const native = await rig.opened();
    const here = await rig.opened({ alwith: { model: "m-one" } });
    const there = await rig.opened({ alwith: { model: "m-two" } });
    const from = rig.mark();
    await rig.catalog({ id: "one", bearerToken: "token-new" }, one, { baseUrl: "https://new.example/v1" });
    expect(rig.asked(native, from)).toEqual([]);
    expect(rig.asked(there, from)).toEqual([]);
    expect(rig.asked(here, from)).toEqual([turns, leave, open]);
    expect(rig.threads.get(here)?.entry).toMatchObject({
      base_url: "https://new.example/v1",
      experimental_bearer_token: "token-new",
    });
    expect(rig.threads.get(here)?.model).toBe("m-one");
    const gateways = Object((await rig.list()).providers[0]?._meta?.["codex"]).gateways;
    expect(gateways).toMatchObject([{ id: "one", baseUrl: "https://new.example/v1" }, { id: "two" }]);
  });
});

import { afterEach, describe, expect, test } from "vitest";
import { hostRequests } from "../../../src/generated/contract/methods.js";
import { clause } from "../../support/clause.js";
import { baseUrl, groups, type ProvidersRig, startProviders } from "./rig.js";

let rig: ProvidersRig;

afterEach(() => rig.close());

describe("providers/disable", () => {
  clause(["PROV-12"], "of another provider, or of an id that is not there, does nothing", async () => {
    rig = await startProviders();
    await rig.set({ id: "gate" });
    const sent = rig.codex.log.frames("codex", "bridge").length;
    const other = rig.host.request(hostRequests.providersDisable, { providerId: "other" });
    expect(await other).toEqual({});
    expect(await rig.disable("unknown")).toEqual({});
    expect(rig.codex.log.frames("codex", "bridge")).toHaveLength(sent);
    expect(await rig.list()).toMatchObject({ providers: [{ current: { baseUrl } }] });
    // In route mode an id acts when it is the gateway's.
    await rig.disable("gate");
    expect(await rig.list()).toMatchObject({ providers: [{ current: null }] });
  });
});

describe("the catalog", () => {
  clause(
    ["PROV-11", "PROV-26", "CAT-01", "CAT-02", "CAT-04", "CAT-05", "CAT-06"],
    "holds any number of gateways, which route nothing and go one by one",
    async () => {
      rig = await startProviders();
      const sessionId = await rig.opened();
      const from = rig.mark();
      for (const id of ["one", "two", "three"]) {
        await rig.catalog({ id, name: `Gate ${id}`, bearerToken: `token-${id}` }, [{ id: `m-${id}`, label: id }], {
          baseUrl: `https://${id}.example/v1`,
          headers: { "x-key": `header-${id}` },
        });
      }
      expect(rig.asked(undefined, from)).toEqual([]);
      const gate = (id: string) => ({
        id,
        name: `Gate ${id}`,
        baseUrl: `https://${id}.example/v1`,
        models: [{ id: `m-${id}`, label: id }],
      });
      const gateways = [gate("one"), gate("two"), gate("three")];
      expect(await rig.list()).toEqual({
        providers: [
          {
            providerId: "openai",
            supported: ["openai"],
            required: false,
            current: null,
            _meta: { codex: { gateways, gateway: gateways[0] } },
          },
        ],
      });
      await rig.disable("one");
      expect(await rig.list()).toMatchObject({
        providers: [{ _meta: { codex: { gateways: [gate("two"), gate("three")], gateway: gate("two") } } }],
      });
      expect(rig.asked(undefined, from)).toEqual([]);
      expect(groups(rig.optionUpdates(sessionId).at(-1)?.configOptions)).toEqual([
        "chatgpt: smart, quick",
        "two: m-two",
        "three: m-three",
      ]);
      expect(JSON.stringify(rig.host.frames())).not.toMatch(/token-|header-/);
    },
  );

  clause(["PROV-17"], "takes no model that another gateway, or Codex, serves", async () => {
    rig = await startProviders();
    await rig.catalog({ id: "one" }, [{ id: "m" }]);
    await expect(rig.catalog({ id: "two" }, [{ id: "other" }, { id: "m" }])).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('"one"'),
      data: { model: "m", gateway: "one" },
    });
    await expect(rig.catalog({ id: "two" }, [{ id: "quick" }])).rejects.toMatchObject({
      code: -32602,
      data: { model: "quick", gateway: "chatgpt" },
    });
    expect(Object((await rig.list()).providers[0]?._meta?.["codex"]).gateways).toHaveLength(1);
    // Its own models are no clash.
    await rig.catalog({ id: "one" }, [{ id: "m" }, { id: "n" }]);
  });

  clause(["CAT-03", "CAT-24"], "is replaced by a gateway in route mode, which takes every session", async () => {
    rig = await startProviders();
    const sessionId = await rig.opened();
    await rig.catalog({ id: "one" }, [{ id: "m" }]);
    await rig.set({ id: "all" });
    expect(await rig.list()).toEqual({
      providers: [
        { providerId: "openai", supported: ["openai"], required: false, current: { apiType: "openai", baseUrl } },
      ],
    });
    expect(rig.threads.get(sessionId)?.provider).toBe("all");
    expect(groups(rig.optionUpdates(sessionId).at(-1)?.configOptions)).toEqual(["smart", "quick"]);
  });

  test("after a gateway in route mode begins with a return to native routing", async () => {
    rig = await startProviders();
    const sessionId = await rig.opened();
    await rig.set({ id: "all" });
    await rig.catalog({ id: "one" }, [{ id: "m" }]);
    expect(rig.threads.get(sessionId)).toMatchObject({ provider: "openai", model: "smart", subscribed: true });
    expect(await rig.list()).toMatchObject({
      providers: [{ current: null, _meta: { codex: { gateway: { id: "one" } } } }],
    });
  });
});

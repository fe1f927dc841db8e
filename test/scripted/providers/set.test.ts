import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { requests } from "../../../src/generated/codex/methods.js";
import { hostRequests } from "../../../src/generated/contract/methods.js";
import { clause } from "../../support/clause.js";
import { scratch } from "../../support/places.js";
import { baseUrl, option, type ProvidersRig, startProviders } from "./rig.js";

let rig: ProvidersRig;
let folder: string;

beforeEach(async () => {
  await mkdir(scratch, { recursive: true });
  folder = await mkdtemp(join(scratch, "gateway-"));
});

afterEach(async () => {
  await rig.close();
  await rm(folder, { recursive: true });
});

const started = () => rig.codex.calls(requests.threadStart).map(({ params }) => params);

describe("providers/list", () => {
  clause(["PROV-01", "PROV-02"], "has the one slot, and no address where Codex names none", async () => {
    rig = await startProviders();
    expect(await rig.list()).toEqual({
      providers: [{ providerId: "openai", supported: ["openai"], required: false, current: null }],
    });
  });

  test("says the native address without the credentials that may stand in it", async () => {
    rig = await startProviders();
    rig.codex.on(requests.configRead, () => ({
      config: {
        model_provider: "acme",
        model_providers: { acme: { base_url: "https://user:password@acme.example/v1?key=hidden#part" } },
      } as never,
      origins: {},
    }));
    expect(await rig.list()).toMatchObject({
      providers: [{ current: { apiType: "openai", baseUrl: "https://acme.example/v1" } }],
    });
  });

  clause(["PROV-02", "PROV-10"], "says the gateway's address, and the native one after a disable", async () => {
    rig = await startProviders();
    await rig.set({});
    expect(await rig.list()).toMatchObject({
      providers: [{ required: false, current: { apiType: "openai", baseUrl } }],
    });
    await rig.disable();
    expect(await rig.list()).toMatchObject({ providers: [{ current: null }] });
    await rig.open();
    expect(started().at(-1)).not.toHaveProperty("modelProvider");
    expect(started().at(-1)).not.toHaveProperty("config");
  });
});

describe("providers/set", () => {
  clause(
    ["PROV-03", "PROV-13", "PROV-14", "PROV-24"],
    "refuses what names no gateway, and changes nothing",
    async () => {
      rig = await startProviders();
      const rows: [object, string | RegExp][] = [
        [{ providerId: "other" }, "/providerId"],
        [{ apiType: "anthropic" }, "/apiType"],
        [{ baseUrl: "ftp://gate.example" }, "/baseUrl"],
        [{ baseUrl: "https://me:secret-of-url@gate.example/v1" }, "/baseUrl"],
        [{ baseUrl: "https://gate.example/v1?key=secret-of-url" }, "/baseUrl"],
        [{ headers: { "x y": "1" } }, "/headers/x y"],
        [{ headers: { "x-key": "secret-of-header\nx-more: 1" } }, "/headers/x-key"],
        [{ _meta: { codex: { id: "Bad_Id" } } }, "/_meta/codex/id"],
        [{ _meta: { codex: { id: "" } } }, "/_meta/codex/id"],
        [{ _meta: { codex: { id: "openai" } } }, "/_meta/codex/id"],
        [{ _meta: { codex: { id: "chatgpt" } } }, "/_meta/codex/id"],
        [{ _meta: { codex: { id: "ollama" } } }, "/_meta/codex/id"],
        [{ _meta: { codex: { bearerToken: "secret of token" } } }, "/_meta/codex/bearerToken"],
        [{ _meta: { codex: { config: "web_search" } } }, "/_meta/codex/config"],
        [{ _meta: { codex: { config: ["web_search"] } } }, "/_meta/codex/config"],
        [{ _meta: { codex: { config: { model_providers: {} } } } }, /^\/_meta\/codex\/config/],
        [{ _meta: { codex: { config: { "model_providers.x.base_url": "y" } } } }, /^\/_meta\/codex\/config/],
        [{ _meta: { codex: { config: { openai_base_url: "y" } } } }, /^\/_meta\/codex\/config/],
        [{ _meta: { codex: { mode: "both" } } }, "/_meta/codex/mode"],
        [{ _meta: { alwith: { models: [{ id: "a" }, { id: "a" }] } } }, "/_meta/alwith/models/1/id"],
      ];
      for (const [params, path] of rows) {
        const refused = rig.host.call(hostRequests.providersSet.method, {
          providerId: "openai",
          apiType: "openai",
          baseUrl,
          ...params,
        });
        await expect(refused, JSON.stringify(params)).rejects.toMatchObject({
          code: -32602,
          data: { path: typeof path === "string" ? path : expect.stringMatching(path) },
        });
      }
      expect(JSON.stringify(rig.host.frames())).not.toMatch(/secret/);
      expect(await rig.list()).toMatchObject({ providers: [{ current: null }] });
    },
  );

  test("refuses an id that the user's own configuration has an entry for", async () => {
    rig = await startProviders();
    rig.codex.on(requests.configRead, () => ({
      config: { model_provider: "acme", model_providers: { acme: {}, mine: { env_key: "MY_KEY" } } } as never,
      origins: {},
    }));
    for (const id of ["acme", "mine"]) {
      await expect(rig.set({ id })).rejects.toMatchObject({ code: -32602, data: { path: "/_meta/codex/id" } });
    }
  });

  clause(
    ["PROV-04", "PROV-05", "PROV-19", "PROV-20", "PROV-22", "CAT-10"],
    "gives new sessions the gateway's entry and keys, under the id of the hint or the default",
    async () => {
      rig = await startProviders();
      await rig.set({}, { headers: { "x-team": "blue-team" } });
      await rig.opened();
      expect(started()[0]).toMatchObject({
        modelProvider: "custom-gateway",
        config: {
          model_providers: {
            "custom-gateway": {
              name: "custom-gateway",
              base_url: baseUrl,
              wire_api: "responses",
              requires_openai_auth: false,
              http_headers: { "x-team": "blue-team" },
            },
          },
        },
      });
      const config = { web_search: "disabled", model_reasoning_effort: "high" };
      await rig.set({ id: "gate", name: "The gate", bearerToken: "token-1", config });
      await rig.open();
      expect(started()[1]?.modelProvider).toBe("gate");
      const gate = expect.objectContaining({ name: "The gate", experimental_bearer_token: "token-1" });
      expect(started()[1]?.config).toEqual({ ...config, model_providers: { gate } });
      expect(JSON.stringify(started())).not.toMatch(/authorization/i);
    },
  );

  clause(["PROV-16", "PROV-18"], "shows the models that the host says are served, and selects one", async () => {
    rig = await startProviders();
    const models = [{ id: "g-1", label: "Gate one", description: "The first." }, { id: "g-2" }];
    await rig.set({}, {}, { models, model: "g-2" });
    const { configOptions, sessionId } = await rig.open();
    expect(started()[0]?.model).toBe("g-2");
    expect(option(configOptions, "model")).toMatchObject({
      currentValue: "g-2",
      options: [
        { value: "g-1", name: "Gate one", description: "The first." },
        { value: "g-2", name: "g-2" },
      ],
    });
    expect(option(configOptions, "effort")).toBeUndefined();
    const asked = await rig.open({ alwith: { model: "g-1" } });
    expect(started()[1]?.model).toBe("g-1");
    expect(option(asked.configOptions, "model")?.currentValue).toBe("g-1");
    // Another of the same gateway is no move.
    const from = rig.mark();
    expect(option(await rig.choose(sessionId, "g-1"), "model")?.currentValue).toBe("g-1");
    expect(rig.asked(sessionId, from)).toEqual([]);
  });

  test("selects the first model where the configured one is not served, and none where it is", async () => {
    rig = await startProviders();
    await rig.set({}, {}, { models: [{ id: "g-1" }, { id: "g-2" }] });
    await rig.opened();
    expect(started()[0]?.model).toBe("g-1");
    await rig.set({}, {}, { models: [{ id: "g-1" }, { id: "smart" }] });
    await rig.opened();
    expect(started()[1]).not.toHaveProperty("model");
  });

  clause(["PROV-25", "CAT-14"], "reads levels, modalities and names from the catalog file", async () => {
    rig = await startProviders();
    const file = join(folder, "models.json");
    const described = {
      slug: "g-1",
      display_name: "Gate One",
      description: "From the file.",
      default_reasoning_level: "medium",
      supported_reasoning_levels: [{ effort: "medium", description: "m" }, { effort: "max" }],
      input_modalities: ["text"],
    };
    await writeFile(file, JSON.stringify({ models: [described] }));
    const config = { model_catalog_json: file };
    const models = [{ id: "g-1" }, { id: "g-2", label: "Two" }];
    await rig.set({ config }, {}, { models, model: "g-1" });
    const { configOptions, sessionId } = await rig.open();
    expect(option(configOptions, "model")?.options).toEqual([
      { value: "g-1", name: "Gate One", description: "From the file." },
      { value: "g-2", name: "Two" },
    ]);
    expect(option(configOptions, "effort")).toMatchObject({
      currentValue: "medium",
      options: [{ value: "medium" }, { value: "max" }],
    });
    const image = { type: "image" as const, mimeType: "image/png", data: "iVBORw0KGgo=" };
    const refused = rig.host.request(hostRequests.sessionPrompt, { sessionId, prompt: [image] });
    await expect(refused).rejects.toMatchObject({ code: -32602, data: { model: "g-1" } });
    expect(option(await rig.choose(sessionId, "g-2"), "effort")).toBeUndefined();
  });

  test("refuses a catalog file that is missing, huge, no file, or not in form, and changes nothing", async () => {
    rig = await startProviders();
    const write = async (name: string, text: string): Promise<string> => {
      const path = join(folder, name);
      await writeFile(path, text);
      return path;
    };
    const rows: [unknown, RegExp][] = [
      ["models.json", /absolute path/],
      [7, /absolute path/],
      [join(folder, "none.json"), /no such file/],
      [folder, /not a regular file/],
      ["/dev/zero", /not a regular file/],
      [await write("huge.json", " ".repeat(8 * 1024 * 1024 + 1)), /read at most/],
      [await write("broken.json", '{"secret-in-file'), /not JSON/],
      [await write("list.json", "[]"), /list `models`/],
      [await write("slug.json", '{"models":[{"supported_reasoning_levels":[]}]}'), /models\[0\] has no `slug`/],
      [await write("levels.json", '{"models":[{"slug":"a"}]}'), /supported_reasoning_levels/],
      [await write("effort.json", '{"models":[{"slug":"a","supported_reasoning_levels":[{}]}]}'), /`effort`/],
      [await write("entry.json", '{"models":[1]}'), /not an object/],
    ];
    for (const [file, problem] of rows) {
      await expect(rig.set({ config: { model_catalog_json: file } })).rejects.toMatchObject({
        code: -32602,
        message: expect.stringMatching(problem),
        data: { path: "/_meta/codex/config/model_catalog_json" },
      });
    }
    expect(JSON.stringify(rig.host.frames())).not.toContain("secret-in-file");
    expect(await rig.list()).toMatchObject({ providers: [{ current: null }] });
  });

  clause(["CACHE-11"], "asks Codex for its models anew, and so does a disable", async () => {
    rig = await startProviders();
    const lists = () => rig.codex.calls(requests.modelList).length;
    await rig.clock.settle();
    const before = lists();
    await rig.set({});
    expect(lists()).toBe(before + 1);
    await rig.disable();
    expect(lists()).toBe(before + 2);
  });
});

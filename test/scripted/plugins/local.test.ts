import { afterEach, beforeEach, describe, expect } from "vitest";
import { requests } from "../../../src/generated/codex/methods.js";
import type { ConfigWriteResponse, WriteStatus } from "../../../src/generated/codex/types.js";
import { agentNotifications } from "../../../src/generated/contract/methods.js";
import { clause } from "../../support/clause.js";
import { type PluginsRig, startPlugins } from "./rig.js";

let rig: PluginsRig;

beforeEach(async () => {
  rig = await startPlugins();
});
afterEach(() => rig.close());

const written = (status: WriteStatus): ConfigWriteResponse => ({
  filePath: "/home/user/.codex/config.toml",
  version: "1",
  status,
});

describe("params", () => {
  const asked = (): number =>
    rig.bridge.codex.calls(requests.configValueWrite).length + rig.bridge.codex.calls(requests.accountRead).length;
  const refused = async (params: unknown, message: string): Promise<void> => {
    const before = asked();
    const answer = rig.bridge.host.call("_codex/plugin_set_enabled", params);
    await expect(answer).rejects.toMatchObject({ code: -32602, message });
    expect(asked()).toBe(before);
  };

  clause(["PLUG-02"], "must be an object", async () => {
    for (const params of [null, [], "a", 1, true]) await refused(params, "Expected pluginId and enabled");
  });

  clause(["PLUG-03"], "name a plugin and a state", async () => {
    const message = "Expected a non-empty pluginId and boolean enabled";
    for (const params of [
      {},
      { enabled: true },
      { pluginId: "a" },
      { pluginId: 1, enabled: true },
      { pluginId: null, enabled: true },
      { pluginId: "", enabled: true },
      { pluginId: " \t\n", enabled: true },
      { pluginId: "a", enabled: "true" },
      { pluginId: "a", enabled: null },
      { pluginId: "a", enabled: 1 },
    ])
      await refused(params, message);
  });

  clause(["PLUG-04"], "name a remote plugin or none", async () => {
    for (const remotePluginId of [null, 1, {}, "", "  "])
      await refused({ pluginId: "a", enabled: true, remotePluginId }, "Expected a non-empty remotePluginId");
  });
});

clause(["PLUG-05"], "ids are used as they are, and nothing else goes to Codex", async () => {
  const { codex } = rig.bridge;
  codex.on(requests.configValueWrite, () => written("ok"));
  expect(await rig.set({ pluginId: " a ", enabled: false, scope: "all", _meta: { trace: "1" } })).toEqual({
    enabled: false,
  });
  expect(codex.calls(requests.configValueWrite).map(({ params }) => params)).toEqual([
    { keyPath: 'plugins." a ".enabled', value: false, mergeStrategy: "upsert" },
  ]);
  expect(rig.service.calls).toEqual([]);
});

clause(["PLUG-09", "PLUG-10"], "an override is an error, but the write is told of first", async () => {
  const { codex, host } = rig.bridge;
  codex.on(requests.configValueWrite, () => written("okOverridden"));
  const before = host.frames().length;
  await expect(rig.set({ pluginId: "a@b", enabled: true })).rejects.toMatchObject({
    code: -32600,
    message: "Plugin enablement is overridden by a higher-priority configuration",
  });
  codex.on(requests.configValueWrite, () => written("ok"));
  expect(await rig.set({ pluginId: "a@b", enabled: true })).toEqual({ enabled: true });
  const { method } = agentNotifications.codexSkillsChanged;
  expect(host.frames().slice(before)).toEqual([
    expect.objectContaining({ method }),
    expect.objectContaining({ error: expect.anything() }),
    expect.objectContaining({ method }),
    expect.objectContaining({ result: { enabled: true } }),
  ]);
});

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect } from "vitest";
import { agentNotifications, hostRequests } from "../../src/generated/contract/methods.js";
import { clause } from "../support/clause.js";
import { type RealBridge, startRealBridge } from "../support/real-bridge.js";

let bridge: RealBridge;

afterEach(() => bridge.close());

clause(
  ["PLUG-01", "PLUG-06", "PLUG-07", "PLUG-08"],
  "the real Codex stores the state of one plugin, and nothing else changes",
  async () => {
    const tables = ['[plugins."other@market"]', "enabled = true", "", '[plugins."a.b@c"]', 'note = "kept"'];
    bridge = await startRealBridge({ scripts: [], tables });
    const { host, home } = bridge;
    await host.request(hostRequests.initialize, {
      protocolVersion: 2,
      info: { name: "test", version: "0" },
      capabilities: {},
    });
    const stored = (): Promise<string> => readFile(join(home.codexHome, "config.toml"), "utf8");
    const before = await stored();
    for (const enabled of [true, false])
      for (const pluginId of ["a.b@c", 'with "quotes" and \\ and é'])
        expect(await host.request(hostRequests.codexPluginSetEnabled, { pluginId, enabled })).toEqual({ enabled });
    const after = (await stored()).split("\n");
    expect(after.filter((line) => line !== "")).toEqual([
      ...before.split("\n").filter((line) => line !== ""),
      "enabled = false",
      `[plugins.'with "quotes" and \\ and é']`,
      "enabled = false",
    ]);
    expect(host.notifications(agentNotifications.codexSkillsChanged).length).toBeGreaterThanOrEqual(4);
  },
);

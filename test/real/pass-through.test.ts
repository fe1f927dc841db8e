import { afterEach, expect } from "vitest";
import { agentNotifications, hostRequests } from "../../src/generated/contract/methods.js";
import { clause } from "../support/clause.js";
import { type RealBridge, startRealBridge } from "../support/real-bridge.js";

let bridge: RealBridge;

afterEach(() => bridge.close());

const skill = ["---", "name: greet", "description: Says hello.", "---", "", "Say hello.", ""].join("\n");

clause(["PASS-03", "PASS-14"], "the real Codex lists and switches skills, and finds files", async () => {
  const files = { ".codex/skills/greet/SKILL.md": skill, "src/needle.ts": "", "src/other.ts": "" };
  bridge = await startRealBridge({ scripts: [], git: true, files });
  const { host, home } = bridge;
  await host.request(hostRequests.initialize, {
    protocolVersion: 2,
    info: { name: "test", version: "0" },
    capabilities: {},
  });
  const greet = async () => {
    const { data } = await host.request(hostRequests.codexSkillsList, { cwds: [home.workspace], forceReload: true });
    return data.flatMap(({ skills }) => skills).find(({ name }) => name === "greet");
  };
  const found = await greet();
  expect(found).toMatchObject({ description: "Says hello.", enabled: true });
  const told = host.notifications(agentNotifications.codexSkillsChanged).length;
  const path = found?.path ?? "";
  expect(await host.request(hostRequests.codexSkillsConfigWrite, { path, enabled: false })).toEqual({
    effectiveEnabled: false,
  });
  expect(host.notifications(agentNotifications.codexSkillsChanged).length).toBeGreaterThan(told);
  expect(await greet()).toMatchObject({ enabled: false });
  const search = await host.request(hostRequests.codexFuzzyFileSearch, { query: "needle", roots: [home.workspace] });
  expect(search.files.map((file) => file.path)).toEqual(["src/needle.ts"]);
  // One under the token of another takes its place; each is answered, and those of other tokens are as they were.
  const find = (query: string, cancellationToken: string) =>
    host.request(hostRequests.codexFuzzyFileSearch, { query, roots: [home.workspace], cancellationToken });
  const all = await Promise.all([find("needle", "one"), find("other", "one"), find("needle", "two")]);
  expect(all.slice(1).map(({ files: found }) => found.map((file) => file.path))).toEqual([
    ["src/other.ts"],
    ["src/needle.ts"],
  ]);
  expect(all[0]?.files.every((file) => file.path === "src/needle.ts")).toBe(true);
});

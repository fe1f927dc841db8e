import { appendFile, readdir, readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect } from "vitest";
import { hostRequests } from "../../src/generated/contract/methods.js";
import { functionCall, message } from "../../src/testing/scripted-model/steps.js";
import { clause } from "../support/clause.js";
import { codexes } from "../support/codexes.js";
import type { Host } from "../support/host.js";
import { type RealBridge, startRealBridge } from "../support/real-bridge.js";
import { greet, type SecondAgent, startSecondAgent } from "../support/second-agent.js";

let bridge: RealBridge;
let second: SecondAgent | null = null;

afterEach(async () => {
  await second?.close();
  second = null;
  await bridge.close();
});

async function told(host: Host, cwd: string, text: string): Promise<string> {
  const { sessionId } = await host.request(hostRequests.sessionNew, { cwd, mcpServers: [] });
  await host.request(hostRequests.sessionPrompt, { sessionId, prompt: [{ type: "text", text }] });
  await host.idle(sessionId);
  return sessionId;
}

/** Ids of the threads that sub-agents have, from the headers of Codex's own files. */
async function subAgents(codexHome: string): Promise<string[]> {
  const files = await readdir(join(codexHome, "sessions"), { recursive: true });
  const headers = await Promise.all(
    files
      .filter((name) => name.endsWith(".jsonl"))
      .map(async (name) => {
        const text = await readFile(join(codexHome, "sessions", name), "utf8");
        return Object(JSON.parse(text.slice(0, text.indexOf("\n")))).payload;
      }),
  );
  return headers.filter(({ source }) => typeof source === "object").map(({ id }) => id);
}

describe.each(codexes)("Codex $version", (codex) => {
  clause(
    ["LIST-03", "LIST-04", "LIST-14", "LIST-19"],
    "lists threads of every provider and forks, each once, and neither archived ones nor sub-agents",
    async () => {
      bridge = await startRealBridge({
        codex,
        git: true,
        // Codex offers agents to a model that it does not know.
        model: "some-model",
        scripts: [
          {
            key: "SPAWN",
            steps: [
              functionCall("spawn_agent", { message: "CHILD" }, { namespace: "multi_agent_v1" }),
              message("Spawned."),
            ],
          },
          { key: "CHILD", steps: [message("Done.")] },
          { key: "TELL", steps: [message("Told.")] },
        ],
      });
      const { host, home } = bridge;
      // Two that start at once on a new home get in each other's way.
      await greet(host);
      const gatewayTable = ["[model_providers.gateway]", 'name = "gateway"', `base_url = "${bridge.model.url}"`];
      await appendFile(join(home.codexHome, "config.toml"), gatewayTable.join("\n"));
      const env = { ...home.env, MODEL_PROVIDER: "gateway" };
      second = await startSecondAgent({ home: { ...home, env } });
      const gateway = await told(second.host, home.workspace, "TELL");
      const parent = await told(host, home.workspace, "SPAWN");
      const hidden = await told(host, home.workspace, "TELL");
      await host.request(hostRequests.codexSessionArchive, { sessionId: hidden });
      const { sessionId: fork } = await host.request(hostRequests.sessionFork, {
        sessionId: parent,
        cwd: home.workspace,
        mcpServers: [],
      });
      const all = async () => (await host.request(hostRequests.codexSessionList, {})).sessions;
      const expected = [gateway, parent, fork].sort();
      expect((await all()).map(({ sessionId }) => sessionId).sort()).toEqual(expected);
      expect(await subAgents(home.codexHome)).toHaveLength(1);

      const list = (params: object) => host.request(hostRequests.sessionList, params);
      const both = await list({ archived: "include" });
      const archive = await list({ archived: "include", cursor: both.nextCursor });
      expect(both.sessions.map(({ sessionId }) => sessionId).sort()).toEqual(expected);
      expect(archive.sessions.map(({ sessionId, archived }) => [sessionId, archived])).toEqual([[hidden, true]]);

      const alias = join(home.home, "alias");
      await symlink(home.workspace, alias);
      const there = await told(host, alias, "TELL");
      const reported = (await all()).find(({ sessionId }) => sessionId === there)?.cwd ?? "";
      const found = async (cwd: string) => (await list({ cwd })).sessions.map(({ sessionId }) => sessionId);
      expect(await found(reported)).toContain(there);
      expect(await found(join(home.workspace, ".."))).toEqual([]);
      // Codex's own matching, which follows links.
      for (const cwd of [alias, `${reported}/`]) expect((await found(cwd)).sort()).toEqual([...expected, there].sort());
    },
  );
});

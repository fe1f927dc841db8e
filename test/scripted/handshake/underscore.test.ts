import { afterEach, expect } from "vitest";
import { agentNotifications, agentRequests, hostRequests } from "../../../src/generated/contract/methods.js";
import { nextTurn } from "../../../src/testing/scripted-codex/turn.js";
import type { Bridge } from "../../support/bridge.js";
import { startBridge } from "../../support/bridge-agent.js";
import { clause } from "../../support/clause.js";
import { initialize } from "./rig.js";

let bridge: Bridge;

afterEach(() => bridge.close());

const extensions = (methods: readonly string[]) => methods.filter((method) => method.startsWith("_")).sort();

clause(["INIT-21"], "four notifications and one request to the host are extensions", async () => {
  const sends = [agentNotifications, agentRequests].map((all) => Object.values(all).map(({ method }) => method));
  expect(sends.map(extensions)).toEqual([
    [
      "_codex/fuzzy_file_search_completed",
      "_codex/fuzzy_file_search_updated",
      "_codex/rate_limits_updated",
      "_codex/skills_changed",
    ],
    ["_alwith/tool/call"],
  ]);
  bridge = startBridge();
  await initialize(bridge);
  const { host, codex } = bridge;
  const { sessionId } = await host.request(hostRequests.sessionNew, { cwd: "/home/user", mcpServers: [] });
  await host.request(hostRequests.sessionPrompt, { sessionId, prompt: [{ type: "text", text: "go" }] });
  const turn = await nextTurn(codex);
  turn.begin();
  turn.message("Hello.");
  turn.command("ls", { output: "a\n" });
  turn.complete();
  await host.idle(sessionId);
  const said = host.frames().flatMap(({ method }) => (typeof method === "string" ? [method] : []));
  expect(extensions(said)).toEqual([]);
});

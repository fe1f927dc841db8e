import { afterEach, expect, test } from "vitest";
import { requests } from "../../src/generated/codex/methods.js";
import { hostRequests } from "../../src/generated/contract/methods.js";
import { nextTurn } from "../../src/testing/scripted-codex/turn.js";
import { seededPick } from "../../src/testing/virtual-clock.js";
import type { Bridge } from "../support/bridge.js";
import { startBridge } from "../support/bridge-agent.js";
import { clause } from "../support/clause.js";

let bridge: Bridge;

afterEach(() => bridge.close());

const initialize = () =>
  bridge.host.request(hostRequests.initialize, {
    protocolVersion: 2,
    info: { name: "test", version: "0" },
    capabilities: {},
  });

async function turnThrough(): Promise<string> {
  await initialize();
  const { sessionId } = await bridge.host.request(hostRequests.sessionNew, {
    cwd: "/home/user/project",
    mcpServers: [],
  });
  await bridge.host.request(hostRequests.sessionPrompt, { sessionId, prompt: [{ type: "text", text: "hi" }] });
  const turn = await nextTurn(bridge.codex);
  turn.begin();
  turn.message("Hello there.", { deltas: ["Hello ", "there."] });
  turn.command("ls", { output: "a\n" });
  turn.usage(10, 10);
  turn.complete();
  await bridge.host.idle(sessionId);
  return sessionId;
}

clause(["INIT-14"], "a whole turn runs through the bridge in one process, with every frame on contract", async () => {
  bridge = startBridge();
  const sessionId = await turnThrough();
  expect(await bridge.codex.received(requests.turnStart)).toMatchObject({ threadId: sessionId });
  expect(bridge.host.updates(sessionId).at(-1)).toMatchObject({ sessionUpdate: "state_update", state: "idle" });
  expect(JSON.stringify(bridge.host.updates(sessionId))).toContain("there.");
  expect(bridge.checker.faults).toEqual([]);
});

test.each([1, 2, 3, 4, 5])("and under interleaving %i", async (seed) => {
  bridge = startBridge({ pick: seededPick(seed) });
  const sessionId = await turnThrough();
  const idles = bridge.host.updates(sessionId).filter((update) => "state" in update && update.state === "idle");
  expect(idles.length).toBeGreaterThan(0);
});

import { expect, test } from "vitest";
import { requests } from "../../../src/generated/codex/methods.js";
import { startBridgeProcess } from "../../support/bridge.js";
import { startBridge } from "../../support/bridge-agent.js";

test("a host that leaves during the handshake leaves no complaint behind", async () => {
  const warnings: string[] = [];
  const bridge = startBridge({ agent: { warn: (line: string) => void warnings.push(line) } });
  bridge.codex.hold(requests.initialize);
  await bridge.codex.received(requests.initialize);
  await bridge.close();
  expect(warnings).toEqual([]);
});

test("nor does one that leaves at once", async () => {
  const bridge = await startBridgeProcess();
  await bridge.close();
  expect(bridge.agent.stderr).toBe("");
});

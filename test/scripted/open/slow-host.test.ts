import { afterEach, expect, test } from "vitest";
import { requests } from "../../../src/generated/codex/methods.js";
import { isUpdate } from "../../support/host.js";
import { fromStart, type OpenRig, said, stallingReceipts, startOpen, stored } from "./rig.js";

let rig: OpenRig;

afterEach(() => rig.bridge.close());

test("a replay asks Codex for nothing more while the host does not read, and goes on where it was", async () => {
  const store = stallingReceipts();
  rig = await startOpen({ agent: { receipts: store.receipts } });
  const { codex, hostReads, clock, host } = rig.bridge;
  const turns = Array.from({ length: 70 }, (_, n) => stored(`t${n}`, [said(`m${n}`, `a${n}`)]));
  rig.threads.set("s", { turns });
  const resumed = rig.resume("s", fromStart);
  // Codex has answered with the first page, and the host stops before it is told of it.
  await clock.settle();
  expect(codex.calls(requests.threadTurnsList)).toHaveLength(1);
  hostReads(false);
  store.release();
  await clock.advance(60_000);
  expect(codex.calls(requests.threadTurnsList)).toHaveLength(1);
  hostReads(true);
  await clock.settle();
  expect(codex.calls(requests.threadTurnsList)).toHaveLength(2);
  store.release();
  await resumed;
  const told = host.updates("s").filter(isUpdate("agent_message"));
  expect(told.map(({ messageId }) => messageId)).toEqual(turns.map((_, n) => `m${n}`));
});

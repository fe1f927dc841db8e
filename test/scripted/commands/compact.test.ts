import { afterEach, describe, expect, test } from "vitest";
import { requests } from "../../../src/generated/codex/methods.js";
import { hostNotifications } from "../../../src/generated/contract/methods.js";
import { contextCompaction } from "../../../src/testing/scripted-codex/items.js";
import { nextTurn, turnScript } from "../../../src/testing/scripted-codex/turn.js";
import { clause } from "../../support/clause.js";
import { type CommandRig, startCommands } from "./rig.js";

let rig: CommandRig;

afterEach(() => rig.bridge.close());

async function startCompaction() {
  rig = await startCommands();
  const { codex } = rig.bridge;
  codex.on(requests.threadCompactStart, () => ({}));
  await rig.prompt("/compact");
  await codex.received(requests.threadCompactStart);
  const turn = turnScript(codex, { threadId: rig.sessionId, turnId: "compact-1" });
  return { codex, turn };
}

const item = contextCompaction({ id: "c1" });
const compactions = () =>
  rig.updates().flatMap((update) => (update.sessionUpdate === "compaction_update" ? [update["status"]] : []));

describe("/compact", () => {
  clause(["UPD-12", "UPD-13"], "reports its item from start to end, without a summary", async () => {
    const { turn } = await startCompaction();
    turn.begin();
    turn.item(item);
    turn.complete();
    await rig.bridge.host.idle(rig.sessionId);
    expect(compactions()).toEqual(["in_progress", "completed"]);
    expect(rig.updates().filter((update) => update.sessionUpdate === "compaction_summary_chunk")).toEqual([]);
  });

  clause(["CANCEL-21"], "is interrupted by a stop, and the compaction is cancelled", async () => {
    const { codex, turn } = await startCompaction();
    turn.begin();
    turn.itemStarted(item);
    await rig.settle();
    rig.bridge.host.notify(hostNotifications.sessionCancel, { sessionId: rig.sessionId });
    expect(await codex.received(requests.turnInterrupt)).toMatchObject({ turnId: "compact-1" });
    turn.complete("interrupted");
    await rig.bridge.host.idle(rig.sessionId);
    expect(compactions()).toEqual(["in_progress", "cancelled"]);
    expect(rig.updates().at(-1)).toMatchObject({ state: "idle", stopReason: "cancelled" });
  });

  clause(["CANCEL-22"], "that goes on behind a stop changes no state later", async () => {
    const { turn } = await startCompaction();
    turn.begin();
    turn.itemStarted(item);
    await rig.settle();
    rig.bridge.host.notify(hostNotifications.sessionCancel, { sessionId: rig.sessionId });
    await rig.settle();
    turn.complete("interrupted");
    await rig.bridge.host.idle(rig.sessionId);
    const before = rig.updates().length;
    turn.itemCompleted(item);
    turn.complete();
    await rig.settle();
    expect(rig.updates()).toHaveLength(before);
  });

  test("whose end is missed is over once Codex says that it is idle", async () => {
    const { codex, turn } = await startCompaction();
    turn.begin();
    turn.item(item);
    await rig.settle();
    expect(rig.updates().at(-1)).not.toMatchObject({ state: "idle" });
    await rig.bridge.clock.advance(3000);
    expect(codex.calls(requests.threadRead).length).toBeGreaterThan(0);
    await rig.bridge.host.idle(rig.sessionId);
  });

  clause(["STATE-13"], "ends with an error when Codex goes", async () => {
    const { codex, turn } = await startCompaction();
    turn.begin();
    turn.itemStarted(item);
    await rig.settle();
    codex.die();
    await rig.bridge.host.idle(rig.sessionId);
    expect(rig.updates().find((update) => "stopReason" in update)).toMatchObject({ stopReason: "error" });
  });

  test("given while a turn runs waits for its end", async () => {
    rig = await startCommands();
    const { codex } = rig.bridge;
    codex.on(requests.threadCompactStart, () => ({}));
    await rig.prompt("hello");
    const turn = await nextTurn(codex);
    turn.begin();
    await rig.prompt("/compact");
    expect(codex.calls(requests.threadCompactStart)).toEqual([]);
    expect(codex.calls(requests.turnSteer)).toEqual([]);
    turn.complete();
    await codex.received(requests.threadCompactStart);
    const compaction = turnScript(codex, { threadId: rig.sessionId, turnId: "compact-1" });
    compaction.begin();
    compaction.item(item);
    compaction.complete();
    await rig.bridge.host.idle(rig.sessionId, 2);
  });
});

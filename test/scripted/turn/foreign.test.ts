import { afterEach, expect } from "vitest";
import { requests } from "../../../src/generated/codex/methods.js";
import { clause } from "../../support/clause.js";
import { kinds, owned, type Rig, startRig } from "./rig.js";

let rig: Rig;

afterEach(() => rig.close());

clause(
  ["STATE-02", "REC-17"],
  "a turn that Codex starts by itself is shown, has no owner, and can be stopped",
  async () => {
    rig = await startRig();
    const turn = rig.foreign("elsewhere");
    turn.begin();
    turn.message("by myself");
    await rig.clock.settle();
    expect(rig.states().at(-1)).toMatchObject({ state: "running" });
    rig.cancel();
    expect(await rig.codex.received(requests.turnInterrupt)).toMatchObject({ turnId: "elsewhere" });
    turn.complete("interrupted");
    expect(await rig.host.idle(rig.sessionId)).toMatchObject({ stopReason: "cancelled" });
    for (const state of rig.states()) expect(state).not.toHaveProperty("_meta");
  },
);

clause(["REC-17"], "a prompt goes into it", async () => {
  rig = await startRig();
  const turn = rig.foreign("elsewhere");
  turn.begin();
  await rig.clock.settle();
  expect(await rig.prompt("me too")).toMatchObject({ _meta: { codex: { steered: "elsewhere" } } });
  turn.complete();
  expect(await rig.host.idle(rig.sessionId)).toMatchObject({ stopReason: "end_turn" });
  expect(rig.codex.calls(requests.turnStart)).toEqual([]);
});

clause(["STATE-01", "STATE-03"], "no idle of an earlier turn comes once a newer one has started", async () => {
  rig = await startRig();
  const first = await rig.begin(1, owned("first"));
  const second = rig.foreign("newer");
  second.begin();
  await rig.host.idle(rig.sessionId);
  first.complete("failed", { message: "late", codexErrorInfo: null, additionalDetails: null });
  await rig.clock.settle();
  second.complete();
  await rig.host.idle(rig.sessionId, 2);
  expect(kinds(rig.states())).toEqual([
    "state_update running",
    "state_update idle",
    "state_update running",
    "state_update idle",
  ]);
  expect(rig.states()[0]).toMatchObject({ _meta: owned("first") });
  expect(rig.states()[1]).toMatchObject({ _meta: owned("first"), stopReason: "end_turn" });
  expect(rig.idles()[1]).toMatchObject({ stopReason: "end_turn" });
});

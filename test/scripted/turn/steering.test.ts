import { afterEach, expect, test } from "vitest";
import { requests } from "../../../src/generated/codex/methods.js";
import { CodexFailure } from "../../../src/testing/scripted-codex/core.js";
import { nextTurn } from "../../../src/testing/scripted-codex/turn.js";
import { clause } from "../../support/clause.js";
import { owned, type Rig, startRig } from "./rig.js";

let rig: Rig;

afterEach(() => rig.close());

const refusal = new CodexFailure(-32600, "no active turn to steer");

clause(
  ["REC-16", "PROMPT-13", "STATE-01"],
  "a refused steer opens a turn once the old one has ended, not before",
  async () => {
    rig = await startRig();
    const first = await rig.begin();
    const steer = rig.codex.hold(requests.turnSteer);
    const prompted = rig.prompt("more", { alwith: { messageId: "second" } });
    await steer.received();
    steer.fail(refusal);
    expect(await prompted).toEqual({ messageId: "second" });
    await rig.clock.settle();
    expect(rig.codex.calls(requests.turnStart)).toHaveLength(1);
    first.complete();
    const second = await nextTurn(rig.codex, 2);
    expect(second.input).toMatchObject([{ text: "more" }]);
    second.begin();
    second.complete();
    expect(await rig.host.idle(rig.sessionId, 2)).toMatchObject({ stopReason: "end_turn", _meta: owned("second") });
  },
);

clause(["REC-16"], "so does one that is refused after the end", async () => {
  rig = await startRig();
  const first = await rig.begin();
  const steer = rig.codex.hold(requests.turnSteer);
  const prompted = rig.prompt("more");
  await steer.received();
  first.complete();
  await rig.host.idle(rig.sessionId);
  expect(rig.codex.calls(requests.turnStart)).toHaveLength(1);
  steer.fail(refusal);
  await prompted;
  expect((await nextTurn(rig.codex, 2)).input).toMatchObject([{ text: "more" }]);
});

test("one whose answer is lost with Codex fails, and is not sent again", async () => {
  rig = await startRig();
  await rig.begin();
  const steer = rig.codex.hold(requests.turnSteer);
  const prompted = rig.prompt("more");
  prompted.catch(() => undefined);
  await steer.received();
  rig.codex.die();
  await expect(prompted).rejects.toMatchObject({ code: -32603 });
  expect(await rig.host.idle(rig.sessionId)).toMatchObject({ stopReason: "error" });
  await rig.clock.settle();
  expect(rig.codex.calls(requests.turnStart)).toHaveLength(1);
});

clause(["PROMPT-02"], "a prompt for a turn that Codex does not start is answered in 5 s all the same", async () => {
  rig = await startRig();
  const start = rig.codex.hold(requests.turnStart);
  await rig.prompt("one");
  await start.received();
  const second = rig.prompt("two");
  await rig.clock.advance(5000);
  expect(await second).toEqual({ messageId: expect.any(String) });
});

test("prompts go into the turn one at a time and in their order", async () => {
  rig = await startRig();
  const turn = await rig.begin();
  const steer = rig.codex.hold(requests.turnSteer);
  const second = rig.prompt("two");
  const third = rig.prompt("three");
  await steer.received();
  await rig.clock.settle();
  expect(rig.codex.calls(requests.turnSteer)).toHaveLength(1);
  steer.answer({ turnId: turn.turnId });
  expect([await second, await third]).toMatchObject([
    { _meta: { codex: { steered: turn.turnId } } },
    { _meta: { codex: { steered: turn.turnId } } },
  ]);
  expect(rig.codex.calls(requests.turnSteer).map(({ params }) => params.input)).toMatchObject([
    [{ text: "two" }],
    [{ text: "three" }],
  ]);
});

test("a prompt while the turn is being stopped opens the next one", async () => {
  rig = await startRig();
  const turn = await rig.begin();
  rig.cancel();
  await rig.codex.received(requests.turnInterrupt);
  await rig.prompt("after the stop");
  expect(rig.codex.calls(requests.turnSteer)).toEqual([]);
  turn.complete("interrupted");
  expect((await nextTurn(rig.codex, 2)).input).toMatchObject([{ text: "after the stop" }]);
  expect(await rig.host.idle(rig.sessionId)).toMatchObject({ stopReason: "cancelled" });
});

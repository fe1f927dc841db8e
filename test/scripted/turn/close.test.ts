import { afterEach, expect, test } from "vitest";
import { requests } from "../../../src/generated/codex/methods.js";
import { hostRequests } from "../../../src/generated/contract/methods.js";
import { CodexFailure } from "../../../src/testing/scripted-codex/core.js";
import { turnOf } from "../../../src/testing/scripted-codex/turn.js";
import { clause } from "../../support/clause.js";
import { kinds, type Rig, stallSkills, startRig } from "./rig.js";

let rig: Rig;

afterEach(() => rig.close());

const interrupts = () => rig.codex.calls(requests.turnInterrupt).map(({ params }) => params.turnId);
const closed = (remoteUnsubscribe: string) => ({
  _meta: { codex: { close: { attempted: true, localDetached: true, remoteUnsubscribe } } },
});

clause(["CLOSE-05"], "a close tells what came of the unsubscribe: confirmed", async () => {
  rig = await startRig();
  expect(await rig.closeSession()).toEqual(closed("confirmed"));
});

clause(["CLOSE-05"], "a close tells what came of the unsubscribe: failed", async () => {
  rig = await startRig();
  rig.codex.on(requests.threadUnsubscribe, () => {
    throw new CodexFailure(-32600, "thread not loaded");
  });
  expect(await rig.closeSession()).toEqual(closed("failed"));
});

clause(
  ["CLOSE-01", "CLOSE-02", "CLOSE-05", "CLOSE-07"],
  "a silent Codex has 2.5 s for the turn and 5 s in all",
  async () => {
    rig = await startRig();
    const turn = await rig.begin();
    rig.codex.hold(requests.turnInterrupt);
    rig.codex.hold(requests.threadUnsubscribe);
    let answered = false;
    const close = rig.closeSession().finally(() => {
      answered = true;
    });
    await rig.clock.advance(2499);
    expect(interrupts()).toEqual([turn.turnId]);
    expect(rig.codex.calls(requests.threadUnsubscribe)).toHaveLength(0);
    await rig.clock.advance(1);
    expect(rig.codex.calls(requests.threadUnsubscribe)).toHaveLength(1);
    await rig.clock.advance(2499);
    expect(answered).toBe(false);
    await rig.clock.advance(1);
    expect(await close).toEqual(closed("timed_out"));
    expect(rig.idles()).toMatchObject([{ stopReason: "cancelled" }]);
  },
);

test("a day that is set back in mid-close does not make it longer", async () => {
  rig = await startRig();
  await rig.begin();
  rig.codex.hold(requests.turnInterrupt);
  rig.codex.hold(requests.threadUnsubscribe);
  const close = rig.closeSession();
  await rig.clock.advance(1000);
  rig.clock.jump(-86_400_000);
  await rig.clock.advance(4000);
  expect(await close).toEqual(closed("timed_out"));
});

test("the turn's last frames come before the answer, and nothing after it", async () => {
  rig = await startRig();
  const turn = await rig.begin();
  const close = rig.closeSession();
  await rig.codex.received(requests.turnInterrupt);
  turn.complete("interrupted");
  await close;
  expect(kinds(rig.updates()).slice(-2)).toEqual(["user_message", "state_update idle"]);
  const count = rig.updates().length;
  turn.message("late");
  turn.usage(1, 1);
  await rig.clock.advance(60_000);
  expect(rig.updates()).toHaveLength(count);
});

clause(["CLOSE-04"], "a turn that Codex names after the close is interrupted, also once it can be", async () => {
  rig = await startRig();
  const start = rig.codex.hold(requests.turnStart);
  await rig.prompt("hi");
  await start.received();
  const close = rig.closeSession();
  await rig.clock.advance(2500);
  await close;
  let tries = 0;
  rig.codex.on(requests.turnInterrupt, () => {
    tries += 1;
    if (tries < 3) throw new CodexFailure(-32600, "no active turn to interrupt");
    return {};
  });
  start.answer({ turn: turnOf("late") });
  await rig.clock.advance(10_000);
  expect(interrupts()).toEqual(["late", "late", "late"]);
});

test("so is one that was named but had not started", async () => {
  rig = await startRig();
  await rig.prompt("hi");
  const { result } = await rig.codex.answered(requests.turnStart);
  await rig.clock.settle();
  const close = rig.closeSession();
  await rig.clock.advance(2500);
  await close;
  expect(interrupts()).toEqual([result.turn.id]);
});

test("a turn that is still being prepared is never sent", async () => {
  rig = await startRig();
  const skills = await stallSkills(rig);
  await rig.prompt("hi");
  await rig.closeSession();
  expect(rig.idles()).toMatchObject([{ stopReason: "cancelled" }]);
  skills.answer({ data: [] });
  await rig.clock.settle();
  expect(rig.codex.calls(requests.turnStart)).toEqual([]);
});

test("a steer that Codex does not answer does not keep its prompt waiting", async () => {
  rig = await startRig();
  await rig.begin();
  const steer = rig.codex.hold(requests.turnSteer);
  const prompted = rig.prompt("more");
  await steer.received();
  const close = rig.closeSession();
  await rig.clock.advance(2500);
  await close;
  expect(await prompted).toMatchObject({ messageId: expect.any(String) });
});

clause(["CLOSE-06"], "closing a session that is not open succeeds and asks Codex nothing", async () => {
  rig = await startRig();
  const before = rig.codex.log.frames("codex", "bridge").length;
  expect(await rig.host.request(hostRequests.sessionClose, { sessionId: "none" })).toEqual({});
  expect(rig.codex.log.frames("codex", "bridge")).toHaveLength(before);
  await rig.closeSession();
  await expect(rig.prompt("hi")).rejects.toMatchObject({ code: -32602 });
});

clause(
  ["CLOSE-01", "CLOSE-12"],
  "a resume of an open session waits for its unsubscribe no longer than a close does",
  async () => {
    rig = await startRig();
    const unsubscribe = rig.codex.hold(requests.threadUnsubscribe);
    const params = { sessionId: rig.sessionId, cwd: "/home/user/project", mcpServers: [] };
    const resumed = rig.host.request(hostRequests.sessionResume, params);
    resumed.catch(() => undefined);
    await unsubscribe.received();
    await rig.clock.advance(5000);
    await expect(resumed).rejects.toMatchObject({ code: -32600 });
    unsubscribe.answer({ status: "unsubscribed" });
    await rig.clock.settle();
    await rig.host.request(hostRequests.sessionResume, params);
  },
);

clause(["CLOSE-03", "CLOSE-08"], "a host that does not read does not keep Codex from being told", async () => {
  rig = await startRig();
  const turn = await rig.begin();
  rig.hostReads(false);
  const close = rig.closeSession();
  await rig.clock.advance(5000);
  expect(interrupts()).toEqual([turn.turnId]);
  expect(rig.codex.calls(requests.threadUnsubscribe)).toHaveLength(1);
  rig.hostReads(true);
  expect(await close).toEqual(closed("timed_out"));
});

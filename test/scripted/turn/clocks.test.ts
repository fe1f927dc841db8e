import { afterEach, expect } from "vitest";
import { requests } from "../../../src/generated/codex/methods.js";
import { agentMessage } from "../../../src/testing/scripted-codex/items.js";
import { clause } from "../../support/clause.js";
import { isUpdate } from "../../support/host.js";
import { type Rig, startRig } from "./rig.js";

let rig: Rig;

afterEach(() => rig.close());

const about = (messageId: string) =>
  rig
    .updates()
    .filter(isUpdate("user_message"))
    .filter((update) => update.messageId === messageId)
    .map((update) => update._meta?.["codex"]);

const finals = () =>
  rig
    .updates()
    .filter(isUpdate("agent_message"))
    .map((update) => update._meta?.["codex"]);

clause(
  ["REPLAY-26", "REPLAY-12", "REPLAY-13"],
  "a prompt keeps when it was sent, and that it was interrupted",
  async () => {
    rig = await startRig();
    const turn = await rig.begin(1, { alwith: { messageId: "mine" }, codex: { messageSentAt: 5 } });
    rig.cancel();
    await rig.codex.received(requests.turnInterrupt);
    turn.complete("interrupted");
    await rig.host.idle(rig.sessionId);
    const told = about("mine");
    for (const codex of told) expect(codex).toMatchObject({ messageSentAt: 5 });
    expect(told.at(-1)).toMatchObject({ turnInterrupted: true, turnId: turn.turnId });
    (await rig.begin(2)).complete();
    await rig.host.idle(rig.sessionId, 2);
    expect(about("mine")).toHaveLength(told.length);
  },
);

clause(["REPLAY-27"], "without it, Codex's own time of the message counts", async () => {
  rig = await startRig();
  const sentAt = rig.clock.now();
  const turn = await rig.begin(1, { alwith: { messageId: "mine" } });
  turn.complete();
  await rig.host.idle(rig.sessionId);
  expect(about("mine").at(-1)).toMatchObject({ messageSentAt: sentAt });
});

clause(
  ["REPLAY-31", "REPLAY-32", "REPLAY-33"],
  "work begins with the prompt and ends with the first final answer",
  async () => {
    rig = await startRig();
    const sent = rig.clock.now() - 1000;
    const turn = await rig.begin(1, { codex: { messageSentAt: sent } });
    await rig.clock.advance(4000);
    turn.message("thinking aloud", { phase: "commentary" });
    const answer = agentMessage({ id: "answer", phase: "final_answer" });
    turn.itemStarted(answer);
    await rig.clock.advance(9000);
    turn.messageDelta("answer", "done");
    turn.itemCompleted({ ...answer, text: "done" });
    turn.message("one more", { phase: "final_answer" });
    turn.complete();
    await rig.host.idle(rig.sessionId);
    const work = { turnId: turn.turnId, workStartedAt: sent, workDurationMs: 5000 };
    expect(finals()).toMatchObject([{ workStartedAt: sent, phase: "commentary" }, work, work]);
    expect(finals()[0]).not.toHaveProperty("workDurationMs");
    (await rig.begin(2)).message("second", { phase: "final_answer" });
    await rig.clock.settle();
    expect(finals().at(-1)).not.toMatchObject({ workStartedAt: sent });
  },
);

clause(["REPLAY-31"], "of a turn from elsewhere, with the turn", async () => {
  rig = await startRig();
  const turn = rig.foreign("elsewhere");
  const startedAt = Math.floor(rig.clock.now() / 1000) * 1000;
  turn.begin();
  turn.message("done", { phase: "final_answer" });
  turn.complete();
  await rig.host.idle(rig.sessionId);
  expect(finals()).toMatchObject([{ workStartedAt: startedAt }]);
});

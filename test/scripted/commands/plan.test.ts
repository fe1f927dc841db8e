import { afterEach, describe, expect, test } from "vitest";
import { requests } from "../../../src/generated/codex/methods.js";
import { hostNotifications } from "../../../src/generated/contract/methods.js";
import { plan } from "../../../src/testing/scripted-codex/items.js";
import { nextTurn } from "../../../src/testing/scripted-codex/turn.js";
import { clause } from "../../support/clause.js";
import { isUpdate } from "../../support/host.js";
import { type CommandRig, startCommands, states } from "./rig.js";

let rig: CommandRig;

afterEach(() => rig.bridge.close());

/** A turn in plan mode that has ended with a plan: the host is being asked. */
async function proposed() {
  rig = await startCommands();
  const receipt = await rig.prompt("/plan tidy up");
  const { codex } = rig.bridge;
  const params = await codex.received(requests.turnStart);
  const turn = await nextTurn(codex);
  turn.begin();
  turn.item(plan({ id: "p1" }), plan({ id: "p1", text: "# Plan\n- tidy" }));
  turn.complete();
  await rig.settle();
  return { codex, receipt, params, turn };
}

const configs = () => rig.updates().filter((update) => update.sessionUpdate === "config_option_update");
const calls = () => rig.updates().filter((update) => update.sessionUpdate === "tool_call_update");

describe("/plan", () => {
  clause(["UPD-17"], "turns plan mode on, tells the options, and sends the task alone", async () => {
    const { params } = await proposed();
    expect(params).toMatchObject({
      input: [{ type: "text", text: "tidy up" }],
      collaborationMode: { mode: "plan", settings: { developer_instructions: null } },
    });
    expect(JSON.stringify(configs()[0])).toMatch(/"collaboration_mode".*?"currentValue":"plan"/);
    rig.choose("revise_plan");
    await rig.bridge.host.idle(rig.sessionId);
  });

  test("alone turns it on and Codex is not asked for a turn", async () => {
    rig = await startCommands();
    await rig.prompt("/plan");
    await rig.bridge.host.idle(rig.sessionId);
    expect(configs()).toHaveLength(1);
    expect(rig.bridge.codex.calls(requests.turnStart)).toEqual([]);
  });

  clause(["PERM-12", "TOOL-18"], "asks whether to carry the plan out, on a call of its own", async () => {
    await proposed();
    expect(rig.asked).toEqual([
      expect.objectContaining({
        title: "Implement this plan?",
        subject: { type: "tool_call", toolCall: { toolCallId: "plan-p1" } },
      }),
    ]);
    expect(rig.asked[0]?.options.map(({ optionId }) => optionId)).toEqual(["implement_plan", "revise_plan"]);
    expect(calls()).toEqual([
      expect.objectContaining({
        toolCallId: "plan-p1",
        name: "plan_review",
        kind: "switch_mode",
        status: "in_progress",
      }),
    ]);
    expect(states(rig.updates())).toEqual(["running", "requires_action"]);
    rig.choose("revise_plan");
    await rig.bridge.host.idle(rig.sessionId);
    expect(calls().at(-1)).toMatchObject({ toolCallId: "plan-p1", status: "cancelled" });
  });

  clause(["PERM-12"], "carried out is one more Codex turn, with no user message of its own", async () => {
    const { codex, receipt } = await proposed();
    rig.choose("implement_plan");
    const next = await nextTurn(codex, 2);
    expect(await codex.received(requests.turnStart, 2)).toMatchObject({ collaborationMode: { mode: "default" } });
    next.begin();
    next.message("Done.");
    next.complete();
    await rig.bridge.host.idle(rig.sessionId);
    expect(states(rig.updates())).toEqual(["running", "requires_action", "running", "idle"]);
    const messages = rig.updates().filter(isUpdate("user_message"));
    expect(new Set(messages.map((update) => update.messageId))).toEqual(new Set([receipt]));
    expect(rig.updates().at(-1)).toMatchObject({ stopReason: "end_turn", _meta: { alwith: { messageId: receipt } } });
  });

  test.each([
    { optionId: "revise_plan", what: "revised" },
    { optionId: null, what: "left unanswered" },
    { optionId: "allow_everything", what: "answered with an option that was not offered" },
  ])("is not carried out when $what", async ({ optionId }) => {
    const { codex } = await proposed();
    rig.choose(optionId);
    await rig.bridge.host.idle(rig.sessionId);
    expect(codex.calls(requests.turnStart)).toHaveLength(1);
    expect(rig.updates().at(-1)).toMatchObject({ state: "idle", stopReason: "end_turn" });
  });

  test("a stop takes the question back, and a late yes starts nothing", async () => {
    const { codex } = await proposed();
    rig.bridge.host.notify(hostNotifications.sessionCancel, { sessionId: rig.sessionId });
    await rig.bridge.host.idle(rig.sessionId);
    expect(rig.updates().at(-1)).toMatchObject({ stopReason: "cancelled" });
    rig.choose("implement_plan");
    await rig.settle();
    expect(codex.calls(requests.turnStart)).toHaveLength(1);
  });

  clause(["STATE-13"], "ends with an error when Codex goes while the host is asked", async () => {
    const { codex } = await proposed();
    codex.die();
    await rig.bridge.host.idle(rig.sessionId);
    expect(rig.updates().find((update) => "stopReason" in update)).toMatchObject({ stopReason: "error" });
    rig.choose(null);
  });

  test("a new prompt is the answer: the plan is dropped and the prompt opens the next turn", async () => {
    const { codex } = await proposed();
    const next = await rig.prompt("make it shorter");
    const turn = await nextTurn(codex, 2);
    turn.begin();
    turn.complete();
    const idle = await rig.bridge.host.idle(rig.sessionId, 2);
    expect(idle).toMatchObject({ _meta: { alwith: { messageId: next } } });
    rig.choose("implement_plan");
    await rig.settle();
    expect(codex.calls(requests.turnStart)).toHaveLength(2);
  });
});

import { afterEach, describe, expect, test } from "vitest";
import { notifications, requests } from "../../../src/generated/codex/methods.js";
import { hostNotifications } from "../../../src/generated/contract/methods.js";
import { agentMessage, enteredReviewMode, exitedReviewMode } from "../../../src/testing/scripted-codex/items.js";
import { turnOf, turnScript } from "../../../src/testing/scripted-codex/turn.js";
import { clause } from "../../support/clause.js";
import { isUpdate } from "../../support/host.js";
import { type CommandRig, startCommands, states } from "./rig.js";

let rig: CommandRig;

afterEach(() => rig.bridge.close());

/** A review as the real Codex runs it: items and end under the id of the answer, the start under another. */
async function startReview(text = "/review") {
  rig = await startCommands();
  const { codex } = rig.bridge;
  codex.on(requests.reviewStart, ({ threadId }) => ({ reviewThreadId: threadId, turn: turnOf("review-1") }));
  const receipt = await rig.prompt(text);
  const params = await codex.received(requests.reviewStart);
  const turn = turnScript(codex, { threadId: rig.sessionId, turnId: "review-1" });
  turn.itemStarted(enteredReviewMode({ id: "entered", review: "changes" }));
  codex.notify(notifications.turnStarted, { threadId: rig.sessionId, turn: turnOf("started-1") });
  await rig.settle();
  return { codex, turn, params, receipt };
}

const result = "Looks right to me.\n";
const exit = exitedReviewMode({ id: "exit", review: result });
const message = { ...agentMessage({ id: "msg" }), text: result.trim() };

describe("/review", () => {
  test.each([
    { text: "/review", target: { type: "uncommittedChanges" } },
    { text: "/review the error paths", target: { type: "custom", instructions: "the error paths" } },
    { text: "/review-branch main", target: { type: "baseBranch", branch: "main" } },
    { text: "/review-commit abc123", target: { type: "commit", sha: "abc123" } },
  ])("$text reviews $target.type", async ({ text, target }) => {
    const { params, turn } = await startReview(text);
    expect(params).toEqual({ threadId: rig.sessionId, target });
    turn.complete();
    await rig.bridge.host.idle(rig.sessionId);
  });

  clause(["REVIEW-01", "REVIEW-02"], "shows a result once when the message comes after the exit", async () => {
    const { turn } = await startReview();
    turn.item(exit);
    turn.item(agentMessage({ id: "msg" }), message);
    turn.complete();
    await rig.bridge.host.idle(rig.sessionId);
    expect(rig.said()).toEqual([result.trim()]);
  });

  clause(["REVIEW-01", "REVIEW-02"], "and when it comes before", async () => {
    const { turn } = await startReview();
    turn.item(agentMessage({ id: "msg" }), message);
    turn.item(exit);
    turn.complete();
    await rig.bridge.host.idle(rig.sessionId);
    expect(rig.said()).toEqual([result.trim()]);
  });

  clause(["REVIEW-03"], "shows a result that no message repeats, before idle", async () => {
    const { turn } = await startReview();
    turn.item(exit);
    turn.item(agentMessage({ id: "msg" }), { ...message, text: "Something else." });
    turn.item(agentMessage({ id: "note", phase: "commentary" }), { ...message, id: "note", phase: "commentary" });
    turn.complete();
    await rig.bridge.host.idle(rig.sessionId);
    expect(rig.said()).toEqual(["Something else.", result.trim(), result]);
    expect(rig.updates().at(-1)).toMatchObject({
      sessionUpdate: "state_update",
      state: "idle",
      stopReason: "end_turn",
    });
  });

  test("its tool call ends with it, and the prompt that Codex writes itself is nobody's message", async () => {
    const { turn, receipt } = await startReview();
    turn.item({
      type: "userMessage",
      id: "internal",
      clientId: null,
      content: [{ type: "text", text: "Review these changes." }],
    });
    turn.item(exit);
    turn.complete();
    await rig.bridge.host.idle(rig.sessionId);
    const calls = rig.updates().filter((update) => update.sessionUpdate === "tool_call_update");
    expect(calls).toEqual([
      expect.objectContaining({ toolCallId: "entered", name: "review", kind: "think", status: "in_progress" }),
      expect.objectContaining({ toolCallId: "entered", status: "completed" }),
    ]);
    const messages = rig.updates().filter(isUpdate("user_message"));
    expect(new Set(messages.map((update) => update.messageId))).toEqual(new Set([receipt]));
  });

  test("is stopped under the id that Codex started it with", async () => {
    const { codex, turn } = await startReview();
    rig.bridge.host.notify(hostNotifications.sessionCancel, { sessionId: rig.sessionId });
    expect(await codex.received(requests.turnInterrupt)).toEqual({ threadId: rig.sessionId, turnId: "started-1" });
    turn.complete("interrupted");
    await rig.bridge.host.idle(rig.sessionId);
    expect(states(rig.updates())).toEqual(["running", "idle"]);
    expect(rig.updates().at(-1)).toMatchObject({ stopReason: "cancelled" });
  });

  test("without its argument asks for it, and Codex hears nothing", async () => {
    rig = await startCommands();
    await rig.prompt("/review-branch");
    await rig.bridge.host.idle(rig.sessionId);
    expect(rig.said()).toEqual([expect.stringContaining("/review-branch main")]);
    expect(rig.bridge.codex.calls(requests.reviewStart)).toEqual([]);
  });
});

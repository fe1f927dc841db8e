import { describe, expect, test } from "vitest";
import { hostRequests } from "../../../src/generated/acp-v1/methods.js";
import { notifications, requests } from "../../../src/generated/codex/methods.js";
import { CodexFailure } from "../../../src/testing/scripted-codex/core.js";
import { agentMessage, contextCompaction, plan, reasoning } from "../../../src/testing/scripted-codex/items.js";
import { type Rig, startRig, textOf } from "./rig.js";

/** Whether a promise has settled once all is quiet. */
async function isOpen(rig: Rig, promise: Promise<unknown>): Promise<boolean> {
  let open = true;
  const settled = (): void => {
    open = false;
  };
  promise.then(settled, settled);
  await rig.clock.settle();
  return open;
}

describe("a prompt of a host of version 1", () => {
  test("stays open until its turn is over, and is answered with stop reason and usage", async () => {
    const rig = await startRig();
    const { turn, answer } = await rig.begin();
    turn.message("Hello there", { deltas: ["Hello", " there"] });
    turn.usage(10, 10);
    expect(await isOpen(rig, answer)).toBe(true);
    expect(textOf(rig.of("agent_message_chunk"))).toBe("Hello there");
    turn.complete();
    expect(await answer).toMatchObject({ stopReason: "end_turn", usage: { totalTokens: 10 } });
    expect(rig.of("user_message_chunk"), "the host shows its own prompt").toEqual([]);
    expect(rig.of("usage_update")).toMatchObject([{ used: 10 }]);
    await rig.close();
  });

  test("during a turn steers it, and both are answered once, with the end of the turn", async () => {
    const rig = await startRig();
    const { turn, answer } = await rig.begin();
    const second = rig.prompt("and this");
    const { params } = await rig.codex.answered(requests.turnSteer);
    expect(params.input).toMatchObject([{ type: "text", text: "and this" }]);
    expect(await isOpen(rig, second)).toBe(true);
    turn.message("Both");
    turn.complete();
    expect(await answer).toMatchObject({ stopReason: "end_turn" });
    expect(await second).toMatchObject({ stopReason: "end_turn", _meta: { codex: { steered: turn.turnId } } });
    await rig.close();
  });

  test("that cannot be steered waits for a turn of its own", async () => {
    const rig = await startRig();
    const { turn, answer } = await rig.begin();
    rig.codex.on(requests.turnSteer, () => {
      throw new CodexFailure(-32600, "no active turn to steer");
    });
    const second = rig.prompt("later");
    await rig.codex.answered(requests.turnSteer).catch(() => undefined);
    turn.complete();
    expect(await answer).toMatchObject({ stopReason: "end_turn" });
    const { result } = await rig.codex.answered(requests.turnStart, 2);
    expect(await isOpen(rig, second)).toBe(true);
    rig.codex.notify(notifications.turnStarted, { threadId: rig.sessionId, turn: result.turn });
    rig.codex.notify(notifications.turnCompleted, {
      threadId: rig.sessionId,
      turn: { ...result.turn, status: "completed" },
    });
    expect(await second).toMatchObject({ stopReason: "end_turn" });
    await rig.close();
  });

  test.each(["session/cancel", "$/cancel_request"])("is cancelled by %s", async (method) => {
    const rig = await startRig();
    rig.codex.on(requests.turnInterrupt, (_params, { afterAnswer }) => {
      afterAnswer(() => turn.complete("interrupted"));
      return {};
    });
    const { turn, answer } = await rig.begin();
    const requestId = rig.host.lastId;
    if (method === "session/cancel") rig.cancel();
    else rig.host.rawFrames({ jsonrpc: "2.0", method, params: { requestId } });
    expect(await answer).toMatchObject({ stopReason: "cancelled" });
    await rig.close();
  });

  test("of a turn that failed is an error with what Codex said", async () => {
    const rig = await startRig();
    const { turn, answer } = await rig.begin();
    const error = { message: "no more", codexErrorInfo: "usageLimitExceeded" as const, additionalDetails: null };
    const failed = expect(answer).rejects.toMatchObject({ message: expect.stringContaining("no more") });
    turn.complete("failed", error);
    await failed;
    expect(textOf(rig.of("agent_message_chunk"))).toContain("no more");
    await rig.close();
  });

  test("that is refused is refused at once, and the next one goes on", async () => {
    const rig = await startRig();
    await expect(rig.host.call("session/prompt", { sessionId: rig.sessionId, prompt: [] })).rejects.toMatchObject({
      code: -32602,
    });
    const { turn, answer } = await rig.begin();
    turn.complete();
    expect(await answer).toMatchObject({ stopReason: "end_turn" });
    await rig.close();
  });

  test("is answered when its session is closed, before the close is", async () => {
    const rig = await startRig();
    const { answer } = await rig.begin();
    const order: string[] = [];
    const closing = rig.host.request(hostRequests.sessionClose, { sessionId: rig.sessionId });
    await rig.clock.advance(5000);
    await Promise.all([answer.then(() => order.push("prompt")), closing.then(() => order.push("close"))]);
    expect(await answer).toMatchObject({ stopReason: "cancelled" });
    expect(order).toEqual(["prompt", "close"]);
    await rig.close();
  });

  test("fails with Codex, once", async () => {
    const rig = await startRig();
    const { answer } = await rig.begin();
    const failed = expect(answer).rejects.toMatchObject({ code: expect.any(Number) });
    rig.codex.die({ code: 1 });
    await failed;
    await rig.close();
  });

  test("that Codex never took in is answered when Codex is lost, and so is the one of the turn", async () => {
    const rig = await startRig();
    const { answer } = await rig.begin();
    rig.codex.hold(requests.turnSteer);
    const second = rig.prompt("and this");
    await rig.codex.received(requests.turnSteer);
    // By now the bridge has said that it has it.
    await rig.clock.advance(6000);
    const lost = [answer, second].map((it) =>
      it.then(
        () => "answered",
        () => "refused",
      ),
    );
    rig.codex.die({ code: 1 });
    await rig.clock.advance(1000);
    expect(await Promise.all(lost)).toEqual(["refused", "refused"]);
    await rig.close();
  });

  test("that is a command of the bridge's own is answered like any other", async () => {
    const rig = await startRig();
    expect(await rig.prompt("/skills")).toMatchObject({ stopReason: "end_turn" });
    expect(textOf(rig.of("agent_message_chunk"))).not.toBe("");
    await rig.close();
  });
});

describe("messages", () => {
  test.each([
    { name: "all of it streamed", deltas: ["ab", "cd"], text: "abcd", want: ["ab", "cd"] },
    { name: "nothing streamed", deltas: [], text: "abcd", want: ["abcd"] },
    { name: "the end not streamed", deltas: ["ab"], text: "abcd", want: ["ab", "cd"] },
    { name: "something else streamed", deltas: ["ax"], text: "abcd", want: ["ax"] },
    { name: "more streamed than there is", deltas: ["abcd", "ef"], text: "abcd", want: ["abcd", "ef"] },
  ])("$name: no text is shown twice", async ({ deltas, text, want }) => {
    const rig = await startRig();
    const { turn, answer } = await rig.begin();
    turn.message(text, { deltas });
    turn.complete();
    await answer;
    expect(rig.of("agent_message_chunk").map(({ content }) => content)).toEqual(
      want.map((piece) => ({ type: "text", text: piece })),
    );
    await rig.close();
  });

  test("thoughts keep their paragraphs, streamed or not", async () => {
    const rig = await startRig();
    const { turn, answer } = await rig.begin();
    turn.reasoning(["one", "two"]);
    turn.item(reasoning({ id: "r2" }), reasoning({ id: "r2", summary: ["three", "four"] }));
    turn.complete();
    await answer;
    expect(textOf(rig.of("agent_thought_chunk"))).toBe("one\n\ntwothree\n\nfour");
    await rig.close();
  });

  test("another client's message is shown, block by block", async () => {
    const rig = await startRig();
    const { turn, answer } = await rig.begin();
    turn.itemCompleted({
      type: "userMessage",
      id: "u-other",
      content: [{ type: "text", text: "from elsewhere", text_elements: [] }],
    });
    turn.complete();
    await answer;
    expect(rig.of("user_message_chunk")).toMatchObject([{ content: { type: "text", text: "from elsewhere" } }]);
    await rig.close();
  });
});

describe("what only some hosts take", () => {
  const happenings = async (rig: Rig): Promise<void> => {
    const { turn, answer } = await rig.begin();
    const ids = { threadId: rig.sessionId, turnId: turn.turnId };
    rig.codex.notify(notifications.turnPlanUpdated, {
      ...ids,
      explanation: null,
      plan: [{ step: "a", status: "inProgress" }],
    });
    turn.itemStarted(plan({ id: "p" }));
    for (const delta of ["x".repeat(150), "y".repeat(150)]) {
      rig.codex.notify(notifications.itemPlanDelta, { ...ids, itemId: "p", delta });
    }
    turn.itemCompleted(plan({ id: "p", text: `${"x".repeat(150)}${"y".repeat(150)} done` }));
    turn.item(contextCompaction({ id: "c" }));
    turn.item(agentMessage({ id: "m", text: "ok" }));
    turn.complete();
    // Whether the plan is to be carried out.
    (await rig.question()).answer({ outcome: { outcome: "cancelled" } });
    await answer;
  };

  test("goes to a host that said nothing in the words that every host has", async () => {
    const rig = await startRig();
    await happenings(rig);
    expect(rig.of("plan")).toMatchObject([{ entries: [{ content: "a", status: "in_progress", priority: "medium" }] }]);
    expect(textOf(rig.of("agent_message_chunk"))).toBe(`${"x".repeat(150)}${"y".repeat(150)} doneok`);
    expect(rig.of("tool_call")[0]).toMatchObject({ toolCallId: "c", kind: "other", status: "in_progress" });
    expect(rig.of("tool_call_update")[0]).toMatchObject({ toolCallId: "c", status: "completed" });
    expect(rig.of("plan_update")).toEqual([]);
    await rig.close();
  });

  test("goes to a host that declared it as it is", async () => {
    const rig = await startRig({ capabilities: { plan: {}, session: { compaction: {}, notices: {} } } });
    await happenings(rig);
    expect(rig.of("plan")).toEqual([]);
    expect(rig.of("plan_update").at(-1)).toMatchObject({ plan: { type: "markdown", planId: "p" } });
    expect(rig.of("compaction_update")).toMatchObject([{ status: "in_progress" }, { status: "completed" }]);
    expect(rig.of("tool_call").map(({ name }) => name)).toEqual(["plan_review"]);
    await rig.close();
  });
});

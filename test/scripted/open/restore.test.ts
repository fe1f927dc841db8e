import { afterEach, describe, expect, test } from "vitest";
import { requests } from "../../../src/generated/codex/methods.js";
import type { ThreadItem, Turn } from "../../../src/generated/codex/types.js";
import { hostNotifications, hostRequests } from "../../../src/generated/contract/methods.js";
import { CodexFailure } from "../../../src/testing/scripted-codex/core.js";
import { commandExecution, userMessage } from "../../../src/testing/scripted-codex/items.js";
import { type TurnScript, turnOf, turnScript } from "../../../src/testing/scripted-codex/turn.js";
import { clause } from "../../support/clause.js";
import { isUpdate, type Update } from "../../support/host.js";
import { asked, fromStart, type OpenRig, said, stallingReceipts, startOpen, stored } from "./rig.js";

let rig: OpenRig;

afterEach(() => rig.bridge.close());

const running = (...items: ThreadItem[]): Turn => turnOf("now", { itemsView: "full", startedAt: 100, items });

const old = stored("before", [asked("u0", "earlier"), said("m0", "an answer")]);

/** A session whose turn `now` runs, with receipts that do not come. */
async function stalled(turns = [old, running(asked("u1", "go", "mine"), said("m1", "so far"))]) {
  const store = stallingReceipts();
  rig = await startOpen({ agent: { receipts: store.receipts } });
  rig.threads.set("s", { turns });
  return store;
}

const live = (): TurnScript => turnScript(rig.bridge.codex, { threadId: "s", turnId: "now" });
const updates = (): Update[] => rig.bridge.host.updates("s");
const messages = (): unknown[] => updates().flatMap((it) => (isUpdate("user_message")(it) ? [it.messageId] : []));
const settle = () => rig.bridge.clock.settle();
const stop = () => rig.bridge.host.notify(hostNotifications.sessionCancel, { sessionId: "s" });

/** Whether a request has been answered yet. */
function watched<T>(request: Promise<T>) {
  const state = { answered: false };
  const note = (): void => {
    state.answered = true;
  };
  request.then(note, note);
  return state;
}

describe("restoring a running turn", () => {
  clause(["CANCEL-11"], "waits three seconds for a read of receipts, and no longer", async () => {
    await stalled();
    const resumed = rig.resume("s", fromStart);
    const state = watched(resumed);
    await rig.bridge.clock.advance(2999);
    expect(state.answered).toBe(false);
    await rig.bridge.clock.advance(1);
    await resumed;
    expect(updates().findLast(isUpdate("state_update"))).toMatchObject({ state: "running" });
  });

  clause(["CANCEL-11"], "waits as long where nothing is to be shown of it", async () => {
    await stalled();
    const resumed = rig.resume("s");
    const state = watched(resumed);
    await rig.bridge.clock.advance(2999);
    expect(state.answered).toBe(false);
    await rig.bridge.clock.advance(1);
    await resumed;
    live().complete();
    // No history was asked for, so none is missing.
    expect(await rig.bridge.host.idle("s")).toMatchObject({ stopReason: "end_turn" });
  });

  test("without one that runs waits as long as it takes", async () => {
    const store = await stalled([old]);
    const resumed = rig.resume("s", fromStart);
    const state = watched(resumed);
    await rig.bridge.clock.advance(60_000);
    expect(state.answered).toBe(false);
    store.release();
    await resumed;
    expect(messages()).toEqual(["u0"]);
  });

  clause(["CANCEL-12"], "ends with a stop, which goes to Codex; what was still being read is never shown", async () => {
    const store = await stalled();
    const { host, codex } = rig.bridge;
    const resumed = rig.resume("s", fromStart);
    await settle();
    expect(store.waiting).not.toEqual([]);
    stop();
    await resumed;
    expect(await codex.received(requests.turnInterrupt)).toEqual({ threadId: "s", turnId: "now" });
    live().complete("interrupted");
    expect(await host.idle("s")).toMatchObject({ stopReason: "cancelled" });

    await host.request(hostRequests.sessionPrompt, { sessionId: "s", prompt: [{ type: "text", text: "next" }] });
    const { result } = await codex.answered(requests.turnStart);
    const next = turnScript(codex, { threadId: "s", turnId: result.turn.id });
    next.begin();
    await settle();
    const heard = updates().length;
    store.release();
    await settle();
    expect(updates().slice(heard)).toEqual([]);
    next.message("a new answer");
    next.complete();
    await host.idle("s", 2);
    expect(JSON.stringify(updates())).not.toMatch(/earlier|an answer|so far/);
  });

  clause(["CANCEL-12"], "ends with a stop while Codex is being asked for the next page", async () => {
    rig = await startOpen();
    const turns = Array.from({ length: 60 }, (_, n) => stored(`t${n}`, [said(`m${n}`, `words ${n}`)]));
    rig.threads.set("s", { turns: [...turns, running()] });
    const { codex, host } = rig.bridge;
    const answerPage = codex.hold(requests.threadTurnsList);
    const resumed = rig.resume("s", fromStart);
    // The first read is for the turn itself.
    await answerPage.received();
    const first = codex.hold(requests.threadTurnsList);
    answerPage.answer({ data: [running()], nextCursor: null, backwardsCursor: null });
    await first.received();
    stop();
    await resumed;
    first.answer({ data: turns.slice(0, 50), nextCursor: "50", backwardsCursor: null });
    await settle();
    expect(updates().filter(isUpdate("agent_message"))).toEqual([]);
    expect(codex.calls(requests.threadTurnsList)).toHaveLength(2);
    await codex.received(requests.turnInterrupt);
    live().complete("interrupted");
    expect(await host.idle("s")).toMatchObject({ stopReason: "cancelled" });
  });

  clause(["CANCEL-13"], "shows no message under Codex's own id when it may be a command's", async () => {
    await stalled([running(asked("native", "the task of a command"), said("m1", "so far"))]);
    const resumed = rig.resume("s", fromStart);
    await settle();
    // Also what Codex says of it live, while the turn is restored and after.
    live().item(userMessage({ id: "early", content: [{ type: "text", text: "one more", text_elements: [] }] }));
    await rig.bridge.clock.advance(3000);
    await resumed;
    live().item(userMessage({ id: "late", content: [{ type: "text", text: "and more", text_elements: [] }] }));
    live().item(userMessage({ id: "known", clientId: "other", content: [] }));
    live().message("words");
    live().complete();
    await rig.bridge.host.idle("s");
    expect(messages()).toEqual(["other"]);
  });

  test("shows the command whose receipt it has, under it", async () => {
    const store = await stalled([running(asked("native", "the prompt of a review"), said("m1", "so far"))]);
    await store.receipts.record({ threadId: "s", turnId: "now", receipt: "review", content: null });
    const resumed = rig.resume("s", fromStart);
    await settle();
    store.release();
    await resumed;
    expect(messages()).toEqual([]);
    expect(updates().findLast(isUpdate("state_update"))).toMatchObject({
      state: "running",
      _meta: { alwith: { messageId: "review" } },
    });
    live().complete();
    expect(await rig.bridge.host.idle("s")).toMatchObject({ stopReason: "end_turn" });
  });

  clause(["CANCEL-14"], "that fails leaves the session running, and what the turn says is heard", async () => {
    await stalled();
    const resumed = rig.resume("s", fromStart);
    await rig.bridge.clock.advance(3000);
    await resumed;
    const turn = live();
    const heard = updates().length;
    turn.itemStarted({ type: "agentMessage", id: "m2", text: "" });
    turn.messageDelta("m2", "still ");
    turn.messageDelta("m2", "here");
    await settle();
    expect(updates().slice(heard).filter(isUpdate("agent_message_chunk"))).toHaveLength(2);
    expect(
      updates()
        .filter(isUpdate("state_update"))
        .map(({ state }) => state),
    ).toEqual(["running"]);
    turn.complete();
    await rig.bridge.host.idle("s");
  });

  clause(["CANCEL-14"], "that fails at Codex leaves the session running too", async () => {
    rig = await startOpen();
    rig.threads.set("s", { turns: [running(asked("u1", "go", "mine"))] });
    const { codex, host } = rig.bridge;
    const own = codex.hold(requests.threadTurnsList);
    const resumed = rig.resume("s", fromStart);
    await own.received();
    const page = codex.hold(requests.threadTurnsList);
    own.answer({ data: [running(asked("u1", "go", "mine"))], nextCursor: null, backwardsCursor: null });
    await page.received();
    page.fail(new CodexFailure(-32603, "the rollout cannot be read", { path: 1 }));
    await resumed;
    live().message("still here");
    live().complete();
    expect(await host.idle("s")).toMatchObject({
      stopReason: "error",
      error: { code: -32603, message: "the rollout cannot be read", data: { path: 1 } },
      _meta: { alwith: { messageId: "mine" } },
    });
    expect(JSON.stringify(updates())).toContain("still here");
  });

  test("that loses Codex fails, and leaves no session", async () => {
    await stalled();
    const { codex, host } = rig.bridge;
    const read = codex.hold(requests.threadTurnsList);
    const resumed = rig.resume("s", fromStart);
    await read.received();
    codex.die();
    await expect(resumed).rejects.toMatchObject({ code: expect.any(Number) });
    const prompt = host.request(hostRequests.sessionPrompt, { sessionId: "s", prompt: [{ type: "text", text: "hi" }] });
    await expect(prompt).rejects.toMatchObject({ code: -32602 });
  });

  clause(["CANCEL-15"], "that failed is reported when the turn ends well", async () => {
    await stalled();
    const resumed = rig.resume("s", fromStart);
    await rig.bridge.clock.advance(3000);
    await resumed;
    live().complete();
    const error = {
      code: -32600,
      message: expect.stringContaining("receipts"),
      data: { reason: "command_history_incomplete", retryable: null, sessionId: "s" },
    };
    expect(await rig.bridge.host.idle("s")).toMatchObject({ stopReason: "error", error });
    expect(updates().filter(isUpdate("agent_message_chunk"))).toEqual([
      expect.objectContaining({ content: { type: "text", text: expect.stringContaining("receipts") } }),
    ]);
    // The next turn has nothing to do with it.
    await rig.bridge.host.request(hostRequests.sessionPrompt, {
      sessionId: "s",
      prompt: [{ type: "text", text: "next" }],
    });
    const { result } = await rig.bridge.codex.answered(requests.turnStart);
    const next = turnScript(rig.bridge.codex, { threadId: "s", turnId: result.turn.id });
    next.begin();
    next.complete();
    expect(await rig.bridge.host.idle("s", 2)).toMatchObject({ stopReason: "end_turn" });
  });

  clause(["CANCEL-15"], "that failed is not reported when the turn was stopped, or failed by itself", async () => {
    await stalled();
    const resumed = rig.resume("s", fromStart);
    await rig.bridge.clock.advance(3000);
    await resumed;
    stop();
    await rig.bridge.codex.received(requests.turnInterrupt);
    live().complete("interrupted");
    const idle = await rig.bridge.host.idle("s");
    expect(idle).toMatchObject({ stopReason: "cancelled" });
    expect(idle).not.toHaveProperty("error");

    await rig.bridge.close();
    await stalled();
    const again = rig.resume("s", fromStart);
    await rig.bridge.clock.advance(3000);
    await again;
    live().complete("failed", { message: "The model is gone." });
    expect(await rig.bridge.host.idle("s")).toMatchObject({
      stopReason: "error",
      error: { message: expect.stringContaining("The model is gone.") },
    });
  });
});

describe("a running turn that was replayed", () => {
  test("says nothing twice: frames of items that were shown whole fall away", async () => {
    rig = await startOpen();
    const whole = said("m1", "all of it", { completedAtMs: 101_000 });
    rig.threads.set("s", { turns: [running(asked("u1", "go", "mine"), whole)] });
    const held = rig.bridge.codex.hold(requests.threadTurnsList);
    const resumed = rig.resume("s", fromStart);
    await held.received();
    // Codex says the rest of a message that the page below has already.
    live().messageDelta("m1", "of it");
    live().itemCompleted(said("m1", "all of it"));
    held.answer({ data: [running(asked("u1", "go", "mine"))], nextCursor: null, backwardsCursor: null });
    await resumed;
    live().message("more");
    live().complete();
    await rig.bridge.host.idle("s");
    const told = updates().filter((it) => Object(it).messageId === "m1");
    expect(told).toEqual([expect.objectContaining({ sessionUpdate: "agent_message" })]);
  });

  test("closes at its end the tools that were shown open", async () => {
    rig = await startOpen();
    rig.threads.set("s", {
      turns: [running(asked("u1", "go", "mine"), commandExecution({ id: "c1", command: "ls" }))],
    });
    await rig.resume("s", fromStart);
    live().complete("interrupted");
    await rig.bridge.host.idle("s");
    const calls = updates().filter(isUpdate("tool_call_update"));
    expect(calls.map(({ status }) => status)).toEqual(["in_progress", "cancelled"]);
  });
});

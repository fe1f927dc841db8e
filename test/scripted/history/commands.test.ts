import { afterEach, describe, expect, test } from "vitest";
import { createReceiptStore, type ReceiptFiles, receiptsInMemory } from "../../../src/files/receipts.js";
import { notifications, requests } from "../../../src/generated/codex/methods.js";
import { hostRequests } from "../../../src/generated/contract/methods.js";
import { internalInput } from "../../../src/projection/message.js";
import * as items from "../../../src/testing/scripted-codex/items.js";
import { turnOf } from "../../../src/testing/scripted-codex/turn.js";
import { clause } from "../../support/clause.js";
import { type HistoryRig, startHistory, storedThread, storedTurn, threadId } from "./rig.js";

let rig: HistoryRig;

afterEach(() => rig.bridge.close());

const parentId = "0199cccc-0000-7000-8000-00000000000a";
const grandparentId = "0199cccc-0000-7000-8000-00000000000b";
const text = (value: string) => [{ type: "text" as const, text: value }];

/** A review as the real Codex stores it: its prompt is in a turn of its own. */
const reviewTurns = () => [
  storedTurn("prompt-turn", [items.userMessage({ id: "user", content: [{ type: "text", text: "Review it." }] })], {
    rootTurnId: "review-turn",
    status: "interrupted",
    completedAt: null,
    durationMs: null,
  }),
  storedTurn("review-turn", [
    items.enteredReviewMode({ id: "enter", review: "current changes" }),
    items.exitedReviewMode({ id: "exit", review: "All good." }),
    items.agentMessage({ id: "agent", text: "All good." }),
  ]),
];

const planTurn = () =>
  storedTurn("plan-turn", [
    items.userMessage({ id: "user", clientId: "plan-receipt", content: [{ type: "text", text: "tidy up" }] }),
    items.userMessage({ id: "steered", clientId: "other", content: [{ type: "text", text: "and quickly" }] }),
    items.plan({ id: "plan", text: "# Plan" }),
  ]);

const start = async (turns = [planTurn(), ...reviewTurns()], files: ReceiptFiles = receiptsInMemory()) => {
  const receipts = createReceiptStore(files, "/state");
  rig = await startHistory([{ thread: storedThread(), turns }], { agent: { receipts } });
  return receipts;
};

const recordAll = async (receipts: Awaited<ReturnType<typeof start>>) => {
  await receipts.record({ threadId, turnId: "plan-turn", receipt: "plan-receipt", content: text("/plan tidy up") });
  await receipts.record({ threadId, turnId: "review-turn", receipt: "review-receipt", content: text("/review") });
  await receipts.record({ threadId, turnId: "prompt-turn", receipt: "review-receipt", content: null });
};

const messagesOf = (entries: readonly { readonly updates: readonly unknown[] }[]) =>
  entries.flatMap(({ updates }) =>
    updates.flatMap((update) => {
      const { sessionUpdate, messageId, content } = update as Record<string, unknown>;
      return sessionUpdate === "user_message" ? [[messageId, (content as { text: string }[])[0]?.text]] : [];
    }),
  );

describe("slash commands in history", () => {
  clause(["HIST-39", "HIST-38"], "have their own receipt and content, on both methods", async () => {
    await recordAll(await start());
    const expected = [
      ["plan-receipt", "/plan tidy up"],
      ["other", "and quickly"],
      ["review-receipt", "/review"],
    ];
    const { turns } = await rig.turns({ itemsView: "full" });
    expect(messagesOf(turns)).toEqual(expected);
    expect(turns[1]?.omissions).toMatchObject([{ itemId: "user", field: "*" }]);
    expect(turns[2]?.updates.map((update) => update.sessionUpdate)).toEqual([
      "user_message",
      "tool_call_update",
      "agent_message",
    ]);
    const { items: single } = await rig.items();
    expect(messagesOf(single)).toEqual(expected);
    expect(rig.reads()).toEqual(["thread/read", "thread/turns/list", "thread/read", "thread/items/list"]);
  });

  test("are replayed as they were sent, and what is nobody's message is not", async () => {
    const receipts = await start([
      planTurn(),
      ...reviewTurns(),
      storedTurn("implement-turn", [items.userMessage({ id: "hidden", clientId: internalInput("plan-receipt") })]),
    ]);
    await recordAll(receipts);
    const { host } = rig.bridge;
    await host.request(hostRequests.sessionResume, {
      sessionId: threadId,
      cwd: "/home/user/project",
      mcpServers: [],
      replayFrom: { type: "start" },
    });
    expect(messagesOf([{ updates: host.updates(threadId) }])).toEqual([
      ["plan-receipt", "/plan tidy up"],
      ["other", "and quickly"],
      ["review-receipt", "/review"],
    ]);
    expect(JSON.stringify(host.updates(threadId))).not.toContain("Review it.");
  });

  test("hide the turn that Codex put a review's prompt into, by the turn it belongs to", async () => {
    const receipts = await start(reviewTurns());
    await receipts.record({ threadId, turnId: "review-turn", receipt: "review-receipt", content: text("/review") });
    const { turns } = await rig.turns({ itemsView: "full" });
    expect(messagesOf(turns)).toEqual([["review-receipt", "/review"]]);
  });

  clause(["HIST-39"], "are found in a fork, whose turns keep their ids, with no more reads", async () => {
    await recordAll(await start());
    rig.store.set(threadId, {
      thread: storedThread({ forkedFromId: parentId }),
      turns: [planTurn(), ...reviewTurns()],
    });
    const { turns } = await rig.turns({ itemsView: "full" });
    expect(messagesOf(turns)).toContainEqual(["review-receipt", "/review"]);
    expect(rig.reads()).toEqual(["thread/read", "thread/turns/list"]);
  });

  clause(["HIST-40"], "do not show what the bridge itself put to the model", async () => {
    const hidden = items.userMessage({
      id: "hidden",
      clientId: internalInput("plan-receipt"),
      content: [{ type: "text", text: "Implement the plan." }],
    });
    await start([storedTurn("turn", [hidden, items.agentMessage({ id: "agent", text: "Done." })])]);
    const { turns } = await rig.turns({ itemsView: "full", includeNative: true });
    expect(messagesOf(turns)).toEqual([]);
    expect(turns[0]).toMatchObject({ omissions: [{ itemId: "hidden", field: "*" }] });
    expect(turns[0]?._meta?.codex.items[0]).toEqual(hidden);
    expect((await rig.items()).items[0]).toMatchObject({ itemId: "hidden", updates: [] });
  });

  test("are kept when they are run: a review with the turn that Codex puts its prompt into", async () => {
    const files = receiptsInMemory();
    const receipts = await start([], files);
    const { host, codex, clock } = rig.bridge;
    const { sessionId } = await host.request(hostRequests.sessionNew, { cwd: "/home/user/project", mcpServers: [] });
    const started = codex.hold(requests.reviewStart);
    const prompt = host.request(hostRequests.sessionPrompt, {
      sessionId,
      prompt: text("/review"),
      _meta: { alwith: { messageId: "r-1" } },
    });
    await started.received();
    started.answer({ turn: turnOf("review-turn"), reviewThreadId: sessionId });
    await prompt;
    codex.notify(notifications.turnStarted, { threadId: sessionId, turn: turnOf("prompt-turn") });
    await clock.settle();
    const kept = await receipts.lookup(["review-turn", "prompt-turn"]);
    expect(kept.get("prompt-turn")).toMatchObject({ receipt: "r-1", content: null });
    expect(kept.get("review-turn")).toEqual({
      threadId: sessionId,
      turnId: "review-turn",
      receipt: "r-1",
      content: text("/review"),
    });
  });

  test("are kept when they are run: a plan with its task, which Codex stores alone", async () => {
    const receipts = await start([]);
    const { host, codex, clock } = rig.bridge;
    const { sessionId } = await host.request(hostRequests.sessionNew, { cwd: "/home/user/project", mcpServers: [] });
    const started = codex.hold(requests.turnStart);
    const prompt = host.request(hostRequests.sessionPrompt, { sessionId, prompt: text("/plan tidy up") });
    expect((await started.received()).input).toMatchObject([{ text: "tidy up" }]);
    started.answer({ turn: turnOf("plan-turn") });
    const { messageId } = await prompt;
    await clock.settle();
    expect((await receipts.lookup(["plan-turn"])).get("plan-turn")).toEqual({
      threadId: sessionId,
      turnId: "plan-turn",
      receipt: messageId,
      content: text("/plan tidy up"),
    });
  });
});

describe("receipts that are not there", () => {
  const incomplete = { code: -32600, data: { reason: "command_history_incomplete", retryable: null } };

  clause(
    ["HIST-76", "HIST-77"],
    "of a review in the bridge's own thread fail what would show it, and that alone",
    async () => {
      const receipts = await start();
      expect(await rig.refusal({ itemsView: "full" })).toMatchObject(incomplete);
      expect(await rig.refusal({ turnId: "review-turn" }, "items")).toMatchObject(incomplete);
      expect((await rig.turns()).turns).toHaveLength(3);
      expect(messagesOf((await rig.items({ turnId: "plan-turn" })).items)).toContainEqual(["plan-receipt", "tidy up"]);
      await recordAll(receipts);
      expect((await rig.turns({ itemsView: "full" })).turns).toHaveLength(3);
    },
  );

  clause(["HIST-76"], "of a review that another client ran are not missed", async () => {
    await start();
    const stored = { thread: storedThread({ originator: "codex_cli" }), turns: reviewTurns() };
    rig.store.set(threadId, stored);
    expect((await rig.turns({ itemsView: "full" })).turns).toHaveLength(2);
    rig.store.set(threadId, { thread: storedThread({ forkedFromId: parentId }), turns: reviewTurns() });
    rig.store.set(parentId, { ...stored, thread: storedThread({ id: parentId, originator: "codex_cli" }) });
    expect((await rig.turns({ itemsView: "full" })).turns).toHaveLength(2);
    rig.store.set(parentId, { ...stored, thread: storedThread({ id: parentId }) });
    expect(await rig.refusal({ itemsView: "full" })).toMatchObject(incomplete);
  });

  clause(["HIST-76", "HIST-66"], "yet, because they are being saved, hold the thread and its forks up", async () => {
    let written = (): void => undefined;
    const memory = receiptsInMemory();
    const receipts = await start([storedTurn("turn", [])], {
      ...memory,
      write: () => new Promise((resolve) => (written = resolve)),
    });
    const saving = receipts.record({ threadId: grandparentId, turnId: "x", receipt: "r", content: text("/review") });
    expect((await rig.turns({ itemsView: "full" })).turns).toHaveLength(1);
    rig.store.set(threadId, { thread: storedThread({ forkedFromId: parentId }), turns: [] });
    rig.store.set(parentId, { thread: storedThread({ id: parentId, forkedFromId: grandparentId }), turns: [] });
    rig.store.set(grandparentId, { thread: storedThread({ id: grandparentId }), turns: [] });
    expect(await rig.refusal({ itemsView: "full" })).toMatchObject(incomplete);
    expect(await rig.refusal({}, "items")).toMatchObject(incomplete);
    expect(await rig.refusal({ sessionId: grandparentId, itemsView: "full" })).toMatchObject(incomplete);
    written();
    await saving;
    expect((await rig.turns({ itemsView: "full" })).turns).toEqual([]);
  });

  clause(["HIST-76", "HIST-78"], "because they cannot be read are an error, never another message", async () => {
    await start([planTurn()], { ...receiptsInMemory(), read: () => Promise.reject(new Error("not allowed")) });
    expect(await rig.refusal({ itemsView: "full" })).toMatchObject(incomplete);
  });

  clause(["UPD-07"], "because they cannot be saved are told to the user", async () => {
    await start([], { ...receiptsInMemory(), write: () => Promise.reject(new Error("the disk is full")) });
    const { host, codex } = rig.bridge;
    const { sessionId } = await host.request(hostRequests.sessionNew, { cwd: "/home/user/project", mcpServers: [] });
    codex.on(requests.reviewStart, () => ({ turn: turnOf("review-turn"), reviewThreadId: sessionId }));
    await host.request(hostRequests.sessionPrompt, { sessionId, prompt: text("/review") });
    const told = await host.update(sessionId, (update) => update.sessionUpdate === "agent_message");
    expect(JSON.stringify(told)).toContain("could not be saved");
  });
});

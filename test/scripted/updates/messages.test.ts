import { afterEach, expect, test } from "vitest";
import { notifications } from "../../../src/generated/codex/methods.js";
import { plan } from "../../../src/testing/scripted-codex/items.js";
import { clause } from "../../support/clause.js";
import { isUpdate } from "../../support/host.js";
import { type Rig, startRig } from "../turn/rig.js";

let rig: Rig;

afterEach(() => rig.close());

const ofKind = <Kind extends Parameters<typeof isUpdate>[0]>(kind: Kind) => rig.updates().filter(isUpdate(kind));
const codexOf = ({ _meta }: { _meta?: unknown }) => Object(_meta).codex;

clause(["UPD-02"], "a message says of each of its frames which part of the answer it is", async () => {
  rig = await startRig();
  const turn = await rig.begin();
  const aside = turn.message("Looking.", { phase: "commentary", deltas: ["Look", "ing."] });
  const answer = turn.message("Found.", { phase: "final_answer" });
  const unmarked = turn.message("So.");
  turn.complete();
  await rig.host.idle(rig.sessionId);
  const phases = (messageId: string) =>
    [...ofKind("agent_message_chunk"), ...ofKind("agent_message")]
      .filter((update) => update.messageId === messageId)
      .map((update) => codexOf(update).phase);
  expect(phases(aside)).toEqual(["commentary", "commentary", "commentary"]);
  expect(phases(answer)).toEqual(["final_answer", "final_answer"]);
  expect(phases(unmarked)).toEqual([undefined, undefined]);
});

clause(["UPD-03"], "what Codex warns of and another model are messages of their own, marked as notices", async () => {
  rig = await startRig();
  const { codex, sessionId: threadId } = rig;
  const turn = await rig.begin();
  codex.notify(notifications.warning, { threadId, message: "The disk is full." });
  codex.notify(notifications.guardianWarning, { threadId, message: "That was close." });
  codex.notify(notifications.warning, { threadId: null, message: "All is lost." });
  codex.notify(notifications.modelRerouted, {
    threadId,
    turnId: turn.turnId,
    fromModel: "great",
    toModel: "small",
    reason: "highRiskCyberActivity",
  });
  turn.complete();
  await rig.host.idle(threadId);
  const notices = ofKind("agent_message_chunk");
  expect(notices.map(({ content }) => Object(content).text)).toEqual([
    "The disk is full.",
    "That was close.",
    "All is lost.",
    expect.stringMatching(/small.*great/),
  ]);
  for (const update of notices) expect(codexOf(update)).toEqual({ notice: true });
  expect(new Set(notices.map(({ messageId }) => messageId)).size).toBe(4);
  expect(ofKind("notice")).toEqual([]);
});

clause(["UPD-04"], "a thought goes on under its item's id, its parts as paragraphs", async () => {
  rig = await startRig();
  const turn = await rig.begin();
  const id = turn.reasoning(["First this.", "Then that."]);
  turn.complete();
  await rig.host.idle(rig.sessionId);
  const chunks = ofKind("agent_thought_chunk");
  expect(chunks.map(({ messageId }) => messageId)).toEqual([id, id, id]);
  expect(chunks.map(({ content }) => Object(content).text).join("")).toBe("First this.\n\nThen that.");
});

test("raw reasoning beside a summary is not streamed into the same thought", async () => {
  rig = await startRig();
  const { codex, sessionId: threadId } = rig;
  const { turnId } = await rig.begin();
  const at = { threadId, turnId, itemId: "r1" };
  codex.notify(notifications.itemStarted, {
    threadId,
    turnId,
    startedAtMs: 1,
    item: { type: "reasoning", id: "r1", summary: [], content: [] },
  });
  codex.notify(notifications.itemReasoningTextDelta, { ...at, contentIndex: 0, delta: "raw" });
  codex.notify(notifications.itemReasoningSummaryTextDelta, { ...at, summaryIndex: 0, delta: "summary" });
  await rig.clock.settle();
  expect(ofKind("agent_thought_chunk").map(({ content }) => Object(content).text)).toEqual(["raw"]);
});

clause(["UPD-09"], "the steps of a turn are one plan of items, which each change replaces", async () => {
  rig = await startRig();
  const { codex, sessionId: threadId } = rig;
  const turn = await rig.begin();
  const tell = (first: "inProgress" | "completed") =>
    codex.notify(notifications.turnPlanUpdated, {
      threadId,
      turnId: turn.turnId,
      explanation: "why",
      plan: [
        { step: "look", status: first },
        { step: "leap", status: "pending" },
      ],
    });
  tell("inProgress");
  tell("completed");
  turn.complete();
  await rig.host.idle(threadId);
  const plans = ofKind("plan_update").map((update) => update.plan);
  const planned = (status: string) => ({
    type: "items",
    planId: "codex-turn-plan",
    entries: [
      { content: "look", priority: "medium", status },
      { content: "leap", priority: "medium", status: "pending" },
    ],
  });
  expect(plans).toEqual([planned("in_progress"), planned("completed")]);
});

clause(["UPD-10"], "a draft of a plan is markdown under its item's id, and whole at its end", async () => {
  rig = await startRig();
  const { codex, sessionId: threadId } = rig;
  const turn = await rig.begin();
  turn.itemStarted(plan({ id: "p1" }));
  const text = `# Plan\n${"- a step\n".repeat(100)}`;
  for (const line of text.match(/.*\n/g) ?? []) {
    codex.notify(notifications.itemPlanDelta, { threadId, turnId: turn.turnId, itemId: "p1", delta: line });
  }
  turn.itemCompleted(plan({ id: "p1", text }));
  await rig.clock.settle();
  const drafts = ofKind("plan_update").map((update) => Object(update.plan));
  for (const draft of drafts) expect(draft).toMatchObject({ type: "markdown", planId: "p1" });
  for (const { content } of drafts) expect(text.startsWith(content)).toBe(true);
  expect(drafts.at(-1).content).toBe(text);
  // It grows by doubling: never once per delta.
  expect(drafts.length).toBeGreaterThan(2);
  expect(drafts.length).toBeLessThan(6);
});

clause(["UPD-11"], "the context in use is the last response's tokens against the model's window", async () => {
  rig = await startRig();
  const turn = await rig.begin();
  turn.usage(1200, 5000, 100_000);
  turn.complete();
  await rig.host.idle(rig.sessionId);
  expect(ofKind("usage_update")).toEqual([{ sessionUpdate: "usage_update", used: 1200, size: 100_000 }]);
});

clause(["UPD-14"], "a session is titled by its first prompt until Codex names it", async () => {
  rig = await startRig();
  const { codex, sessionId: threadId } = rig;
  const turn = await rig.begin();
  codex.notify(notifications.threadNameUpdated, { threadId, threadName: "A better name" });
  turn.complete();
  await rig.host.idle(threadId);
  const next = await rig.begin(2);
  next.complete();
  await rig.host.idle(threadId, 2);
  expect(ofKind("session_info_update").flatMap(({ title }) => (title === undefined ? [] : [title]))).toEqual([
    "prompt 1",
    "A better name",
  ]);
});

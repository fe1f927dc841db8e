import { afterEach, expect, test } from "vitest";
import { notifications, requests, serverRequests } from "../../../src/generated/codex/methods.js";
import { agentRequests, hostRequests } from "../../../src/generated/contract/methods.js";
import { CodexFailure } from "../../../src/testing/scripted-codex/core.js";
import { userMessage } from "../../../src/testing/scripted-codex/items.js";
import { recorded } from "../../../src/testing/scripted-codex/recorded.js";
import { turnOf } from "../../../src/testing/scripted-codex/turn.js";
import { seededPick } from "../../../src/testing/virtual-clock.js";
import { clause } from "../../support/clause.js";
import { isUpdate } from "../../support/host.js";
import { answersTo, askCommand, askMcp, chosen, ids, type Rig, startRig, withdrawn } from "./rig.js";

let rig: Rig;

afterEach(() => rig.bridge.close());

const cwd = "/home/user/project";

/** Codex resumes the thread of the rig, whose turn is still waiting for an approval. */
function answerResume(again: () => void): void {
  const { codex } = rig.bridge;
  const { threadId, turnId } = rig.turn;
  const response = recorded(requests.threadResume);
  const status = { type: "active" as const, activeFlags: ["waitingOnApproval" as const] };
  codex.on(requests.threadResume, (_, { afterAnswer }) => {
    afterAnswer(again);
    const thread = { ...response.thread, id: threadId, sessionId: threadId, cwd, status };
    return { ...response, thread, cwd, turnsBackwardsCursor: null, itemsBackwardsCursor: null };
  });
  const opening = userMessage({ id: "m", clientId: "receipt", content: [] });
  codex.on(requests.threadTurnsList, () => ({
    data: [turnOf(turnId, { items: [opening] })],
    nextCursor: null,
    backwardsCursor: null,
  }));
}

for (const seed of [1, 2, 3, 4]) {
  clause(
    ["PERM-01", "CANCEL-17", "STATE-06"],
    `a question of a session that is opened anew is taken back, left open with Codex, and asked again (interleaving ${seed})`,
    async () => {
      rig = await startRig({ pick: seededPick(seed) });
      const { host, codex } = rig.bridge;
      const { asked, answer, itemId } = askCommand(rig);
      const old = await rig.permission();
      const { method } = serverRequests.itemCommandExecutionRequestApproval;
      const params = { ...ids(rig.turn), itemId, startedAtMs: 1_000, command: "touch a.txt" };
      answerResume(() => codex.raw({ id: asked.id, method, params }));
      const { sessionId } = rig;
      const resumed = host.request(hostRequests.sessionResume, { sessionId, cwd, mcpServers: [] });
      const responseId = host.lastId;
      const dialog = await rig.permission(2);
      await resumed;
      expect(withdrawn(rig.bridge)).toEqual([old.id]);
      expect(answersTo(rig.bridge, asked.id)).toEqual([]);

      // The host hears that it has the session, then of the call, then the question about it.
      const frames = host.frames();
      const response = frames.findIndex((frame) => frame["id"] === responseId && "result" in frame);
      const question = frames.findIndex((frame) => frame["id"] === dialog.id && "method" in frame);
      const call = frames.findLastIndex((frame) => JSON.stringify(frame).includes('"name":"shell"'));
      expect([response, call, question]).toEqual([response, call, question].toSorted((a, b) => a - b));
      expect(frames[question]).toMatchObject({ method: agentRequests.requestPermission.method });
      await rig.settle();
      expect(rig.states().at(-1)).toBe("requires_action");

      old.answer(chosen("cancel"));
      dialog.answer(chosen("allow_once"));
      expect(await answer).toEqual({ decision: "accept" });
      rig.turn.complete();
      expect(await host.idle(sessionId)).toMatchObject({ stopReason: "end_turn" });
    },
  );
}

test("a question that Codex resolves before its session is open is not asked", async () => {
  rig = await startRig();
  const { host, codex } = rig.bridge;
  const { asked, itemId } = askCommand(rig);
  await rig.permission();
  const { method } = serverRequests.itemCommandExecutionRequestApproval;
  const { threadId } = rig.turn;
  answerResume(() => {
    codex.raw({ id: asked.id, method, params: { ...ids(rig.turn), itemId, startedAtMs: 1_000 } });
    codex.raw({ id: asked.id, method, params: { ...ids(rig.turn), itemId, startedAtMs: 1_000 } });
    codex.notify(notifications.serverRequestResolved, { threadId, requestId: asked.id });
  });
  await host.request(hostRequests.sessionResume, { sessionId: rig.sessionId, cwd, mcpServers: [] });
  await rig.settle();
  expect(rig.permissions).toHaveLength(1);
  expect(answersTo(rig.bridge, asked.id)).toEqual([]);
  expect(rig.states().at(-1)).toBe("running");
});

test("a question that is sent twice before its session is open is asked once", async () => {
  rig = await startRig();
  const { host, codex } = rig.bridge;
  const { asked, answer, itemId } = askCommand(rig);
  await rig.permission();
  const { method } = serverRequests.itemCommandExecutionRequestApproval;
  const frame = { id: asked.id, method, params: { ...ids(rig.turn), itemId, startedAtMs: 1_000 } };
  answerResume(() => {
    codex.raw(frame);
    codex.raw(frame);
  });
  await host.request(hostRequests.sessionResume, { sessionId: rig.sessionId, cwd, mcpServers: [] });
  await rig.permission(2);
  await rig.settle();
  expect(rig.permissions).toHaveLength(2);
  rig.permissions[1]?.answer(chosen("allow_once"));
  expect(await answer).toEqual({ decision: "accept" });
});

test("a question for a session that fails to open is answered without it", async () => {
  rig = await startRig();
  const { host, codex } = rig.bridge;
  const opening = codex.hold(requests.threadResume);
  const sessionId = "0199cccc-0000-7000-8000-000000000001";
  const resumed = host.request(hostRequests.sessionResume, { sessionId, cwd, mcpServers: [] });
  await opening.received();
  const { id, answer } = codex.ask(serverRequests.itemCommandExecutionRequestApproval, {
    threadId: sessionId,
    turnId: "t",
    itemId: "i",
    startedAtMs: 1_000,
  });
  await rig.settle();
  expect(answersTo(rig.bridge, id)).toEqual([]);
  opening.fail(new CodexFailure(-32600, `no rollout found for thread id ${sessionId}`));
  await expect(resumed).rejects.toThrow();
  expect(await answer).toEqual({ decision: "decline" });
  expect(rig.permissions).toEqual([]);
});

test("K-13: a question that came while no turn ran ends with Codex", async () => {
  rig = await startRig({ capabilities: { elicitation: { form: {} } } });
  await rig.finish();
  askMcp(rig, {
    mode: "form",
    turnId: null,
    requestedSchema: { type: "object", properties: { a: { type: "string" } } },
  });
  const dialog = await rig.elicitation();
  rig.bridge.codex.die();
  await rig.settle();
  expect(withdrawn(rig.bridge)).toEqual([dialog.id]);
  expect(rig.states()).toEqual(["running", "idle"]);
});

test("K-13: the next Codex counts its requests anew, and an answer to the old one is none to the new", async () => {
  rig = await startRig();
  const { codex, host } = rig.bridge;
  const first = askCommand(rig);
  const old = await rig.permission();
  codex.die();
  await host.idle(rig.sessionId);
  const turn = await rig.prompt(2);
  const second = askCommand({ bridge: rig.bridge, turn });
  expect(second.asked.id).toBe(first.asked.id);
  const dialog = await rig.permission(2);
  old.answer(chosen("allow_once"));
  await rig.settle();
  expect(answersTo(rig.bridge, second.asked.id)).toEqual([]);
  dialog.answer(chosen("decline"));
  expect(await second.answer).toEqual({ decision: "decline" });
  turn.complete();
  await host.idle(rig.sessionId, 2);
  const calls = host.updates(rig.sessionId).filter(isUpdate("tool_call_update"));
  expect(calls.filter((call) => "name" in call)).toHaveLength(2);
});

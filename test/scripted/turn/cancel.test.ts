import { afterEach, describe, expect, test } from "vitest";
import { notifications, requests } from "../../../src/generated/codex/methods.js";
import { hostRequests } from "../../../src/generated/contract/methods.js";
import { CodexFailure } from "../../../src/testing/scripted-codex/core.js";
import { nextTurn, turnOf, turnScript } from "../../../src/testing/scripted-codex/turn.js";
import { clause } from "../../support/clause.js";
import { kinds, type Rig, stallSkills, startRig, threadIs } from "./rig.js";

let rig: Rig;

afterEach(() => rig.close());

const interrupts = () => rig.codex.calls(requests.turnInterrupt).map(({ params }) => params.turnId);
const reads = () => rig.codex.calls(requests.threadRead).length;

describe("a stop", () => {
  clause(["CANCEL-02"], "is sent once, however often the host asks", async () => {
    rig = await startRig();
    const turn = await rig.begin();
    for (let times = 0; times < 3; times += 1) rig.cancel();
    await rig.clock.settle();
    turn.complete("interrupted");
    expect(await rig.host.idle(rig.sessionId)).toMatchObject({ stopReason: "cancelled" });
    expect(interrupts()).toEqual([turn.turnId]);
  });

  clause(["CANCEL-20"], "before the turn is sent keeps it from being sent", async () => {
    rig = await startRig();
    const skills = await stallSkills(rig);
    await rig.prompt("hi");
    rig.cancel();
    expect(await rig.host.idle(rig.sessionId)).toMatchObject({ stopReason: "cancelled" });
    skills.answer({ data: [] });
    await rig.clock.settle();
    expect(rig.codex.calls(requests.turnStart)).toEqual([]);
    (await rig.begin()).complete();
    expect(await rig.host.idle(rig.sessionId, 2)).toMatchObject({ stopReason: "end_turn" });
  });

  test("in one piece with its prompt ends the turn, and the next prompt works (K-04)", async () => {
    rig = await startRig();
    const { sessionId } = rig;
    const prompt = [{ type: "text", text: "hi" }];
    rig.codex.on(requests.turnInterrupt, ({ turnId }, { afterAnswer }) => {
      afterAnswer(() => turnScript(rig.codex, { threadId: sessionId, turnId }).complete("interrupted"));
      return {};
    });
    rig.codex.on(requests.turnStart, (_params, { afterAnswer }) => {
      const turn = turnScript(rig.codex, { threadId: sessionId, turnId: "first" });
      afterAnswer(turn.begin);
      return { turn: turnOf("first") };
    });
    rig.host.rawFrames(
      { jsonrpc: "2.0", id: "p", method: "session/prompt", params: { sessionId, prompt } },
      { jsonrpc: "2.0", method: "session/cancel", params: { sessionId } },
    );
    expect(await rig.host.idle(sessionId)).toMatchObject({ stopReason: "cancelled" });
    await rig.clock.settle();
    rig.codex.on(requests.turnStart, () => ({ turn: turnOf("second") }));
    (await rig.begin(rig.codex.calls(requests.turnStart).length + 1)).complete();
    expect(await rig.host.idle(sessionId, 2)).toMatchObject({ stopReason: "end_turn" });
  });

  test("while Codex has not named the turn waits for its start, then interrupts", async () => {
    rig = await startRig();
    const start = rig.codex.hold(requests.turnStart);
    await rig.prompt("hi");
    await start.received();
    rig.cancel();
    start.answer({ turn: turnOf("T") });
    await rig.clock.settle();
    expect(interrupts()).toEqual([]);
    const turn = turnScript(rig.codex, { threadId: rig.sessionId, turnId: "T" });
    turn.begin();
    await rig.codex.received(requests.turnInterrupt);
    turn.complete("interrupted");
    expect(await rig.host.idle(rig.sessionId)).toMatchObject({ stopReason: "cancelled" });
    expect(interrupts()).toEqual(["T"]);
  });

  test("that comes too late changes nothing", async () => {
    rig = await startRig();
    (await rig.begin()).complete();
    await rig.host.idle(rig.sessionId);
    const count = rig.updates().length;
    rig.cancel();
    await rig.clock.settle();
    expect(rig.updates()).toHaveLength(count);
    expect(interrupts()).toEqual([]);
  });

  clause(
    ["CANCEL-03", "CANCEL-09"],
    "whose interrupt timed out does not keep a later one from being sent",
    async () => {
      rig = await startRig();
      threadIs(rig, "active");
      const turn = await rig.begin();
      rig.codex.hold(requests.turnInterrupt);
      rig.cancel();
      await rig.clock.advance(12_000);
      const before = interrupts().length;
      rig.cancel();
      await rig.clock.settle();
      expect(interrupts()).toHaveLength(before + 1);
      turn.complete("interrupted");
      expect(await rig.host.idle(rig.sessionId)).toMatchObject({ stopReason: "cancelled" });
    },
  );
});

describe("a turn whose end is missing after a stop", () => {
  clause(["CANCEL-04", "CANCEL-05"], "is ended when Codex says after 3 s that the thread is idle", async () => {
    rig = await startRig();
    threadIs(rig, "idle");
    const turn = await rig.begin();
    turn.itemStarted({ ...mcp, id: "call" });
    rig.cancel();
    await rig.clock.advance(2999);
    expect(reads()).toBe(0);
    await rig.clock.advance(1);
    expect(reads()).toBe(1);
    expect(await rig.host.idle(rig.sessionId)).toMatchObject({ stopReason: "cancelled" });
    const last = rig.updates().slice(-3);
    expect(kinds(last)).toEqual(["tool_call_update", "user_message", "state_update idle"]);
    expect(last[0]).toMatchObject({ toolCallId: "call", status: "cancelled", _meta: { codex: { reconciled: true } } });
    const count = rig.updates().length;
    turn.message("late");
    turn.complete("interrupted");
    await rig.clock.settle();
    expect(rig.updates()).toHaveLength(count);
  });

  clause(
    ["CANCEL-05", "CANCEL-06"],
    "is ended when the thread is not loaded, which is resumed before the next turn",
    async () => {
      rig = await startRig();
      threadIs(rig, "notLoaded");
      await rig.begin();
      rig.cancel();
      await rig.clock.advance(3000);
      expect(await rig.host.idle(rig.sessionId)).toMatchObject({ stopReason: "cancelled" });
      const resume = rig.codex.hold(requests.threadResume);
      await rig.prompt("next");
      expect(await resume.received()).toMatchObject({ threadId: rig.sessionId });
      await rig.clock.settle();
      expect(rig.codex.calls(requests.turnStart)).toHaveLength(1);
      resume.fail(new CodexFailure(-32600, "no rollout found for thread id"));
      expect(await rig.host.idle(rig.sessionId, 2)).toMatchObject({ stopReason: "error" });
      expect(rig.codex.calls(requests.turnStart)).toHaveLength(1);
    },
  );

  for (const type of ["active", "systemError"] as const) {
    clause(
      ["CANCEL-05", "CANCEL-07", "CANCEL-08", "UPD-07"],
      `is tried once more when the thread is ${type}, and then left running with a message`,
      async () => {
        rig = await startRig();
        threadIs(rig, type);
        const turn = await rig.begin();
        rig.cancel();
        await rig.clock.advance(12_000);
        expect(interrupts()).toEqual([turn.turnId, turn.turnId]);
        expect(reads()).toBe(2);
        expect(rig.updates().at(-1)).toMatchObject({
          sessionUpdate: "agent_message",
          content: [{ type: "text", text: expect.stringContaining("Stop again") }],
        });
        expect(rig.idles()).toEqual([]);
        await rig.clock.advance(60_000);
        expect(interrupts()).toHaveLength(2);
        turn.complete("interrupted");
        expect(await rig.host.idle(rig.sessionId)).toMatchObject({ stopReason: "cancelled" });
      },
    );
  }

  clause(["CANCEL-07", "CANCEL-08"], "also when Codex answers nothing at all, within 12 s", async () => {
    rig = await startRig();
    await rig.begin();
    for (let times = 0; times < 2; times += 1) {
      rig.codex.hold(requests.turnInterrupt);
      rig.codex.hold(requests.threadRead);
    }
    rig.cancel();
    await rig.clock.advance(11_999);
    expect(kinds(rig.updates()).at(-1)).not.toBe("agent_message");
    await rig.clock.advance(1);
    expect([interrupts().length, reads()]).toEqual([2, 2]);
    expect(kinds(rig.updates()).at(-1)).toBe("agent_message");
  });

  clause(["CANCEL-10"], "leaves a newer turn and another session alone", async () => {
    rig = await startRig();
    const opened = { cwd: "/home/user/project", mcpServers: [] };
    const other = await rig.host.request(hostRequests.sessionNew, opened);
    await rig.host.request(hostRequests.sessionPrompt, {
      sessionId: other.sessionId,
      prompt: [{ type: "text", text: "elsewhere" }],
    });
    const elsewhere = await nextTurn(rig.codex);
    elsewhere.begin();
    const read = rig.codex.hold(requests.threadRead);
    const turn = await rig.begin(2);
    rig.cancel();
    await rig.clock.advance(3000);
    await read.received();
    turn.complete("interrupted");
    await rig.host.idle(rig.sessionId);
    const second = await rig.begin(3);
    const { result } = await rig.codex.answered(requests.threadStart);
    read.answer({ thread: { ...result.thread, status: { type: "idle" } } });
    await rig.clock.advance(30_000);
    expect(rig.idles()).toHaveLength(1);
    expect(interrupts()).toEqual([turn.turnId]);
    second.complete();
    expect(await rig.host.idle(rig.sessionId, 2)).toMatchObject({ stopReason: "end_turn" });
    elsewhere.complete();
    expect(await rig.host.idle(other.sessionId)).toMatchObject({ stopReason: "end_turn" });
  });
});

const mcp = {
  type: "mcpToolCall",
  server: "tiny",
  tool: "echo",
  status: "inProgress",
  arguments: {},
  result: null,
  error: null,
  durationMs: null,
} as const;

test("the late answer to the start of a turn that was given up interrupts it, and only it", async () => {
  rig = await startRig();
  threadIs(rig, "idle");
  const start = rig.codex.hold(requests.turnStart);
  await rig.prompt("hi");
  await start.received();
  rig.cancel();
  await rig.clock.advance(3000);
  expect(await rig.host.idle(rig.sessionId)).toMatchObject({ stopReason: "cancelled" });
  await rig.prompt("next");
  await rig.codex.received(requests.turnStart, 2);
  start.answer({ turn: turnOf("late") });
  rig.codex.notify(notifications.turnStarted, { threadId: rig.sessionId, turn: turnOf("late") });
  const second = await nextTurn(rig.codex, 2);
  rig.codex.notify(notifications.turnCompleted, {
    threadId: rig.sessionId,
    turn: turnOf("late", { status: "interrupted" }),
  });
  second.begin();
  second.message("fine");
  second.complete();
  expect(await rig.host.idle(rig.sessionId, 2)).toMatchObject({ stopReason: "end_turn" });
  expect(new Set(interrupts())).toEqual(new Set(["late"]));
});

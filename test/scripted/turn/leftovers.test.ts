import { afterEach, describe, expect, test } from "vitest";
import { notifications, requests } from "../../../src/generated/codex/methods.js";
import { hostRequests } from "../../../src/generated/contract/methods.js";
import { commandExecution, fileChange, mcpToolCall } from "../../../src/testing/scripted-codex/items.js";
import { clause } from "../../support/clause.js";
import { isUpdate } from "../../support/host.js";
import { kinds, type Rig, startRig } from "./rig.js";

let rig: Rig;

afterEach(() => rig.close());

const background = [{ type: "terminal", terminalId: "c" }];

/** What Codex lists as still running from now on. */
function listed(...ids: string[]): void {
  const data = ids.map((itemId) => ({
    itemId,
    processId: `process-${itemId}`,
    command: "sleep 100",
    cwd: "/home/user/project",
    osPid: 4711,
    cpuPercent: 0,
    rssKb: 100,
  }));
  rig.codex.on(requests.threadBackgroundTerminalsList, () => ({ data, nextCursor: null }));
}

describe("a turn ends while a call of it is open", () => {
  for (const [status, outcome] of [
    ["completed", "completed"],
    ["failed", "failed"],
    ["interrupted", "cancelled"],
  ] as const) {
    clause(
      ["REC-04", "REC-05", "REC-06"],
      `${status}: call and terminal take its outcome before the idle`,
      async () => {
        rig = await startRig();
        const turn = await rig.begin();
        turn.itemStarted(mcpToolCall({ id: "m" }));
        turn.itemStarted(commandExecution({ id: "c" }));
        const error = { message: "no", codexErrorInfo: null, additionalDetails: null };
        turn.complete(status, status === "failed" ? error : undefined);
        await rig.host.idle(rig.sessionId);
        const reconciled = { status: outcome, _meta: { codex: { reconciled: true } } };
        const ends = rig.updates().slice(-7);
        expect(ends).toContainEqual(expect.objectContaining({ toolCallId: "m", ...reconciled }));
        expect(ends).toContainEqual(expect.objectContaining({ toolCallId: "c", ...reconciled }));
        expect(ends).toContainEqual({
          sessionUpdate: "terminal_update",
          terminalId: "c",
          exitStatus: { exitCode: null, signal: null },
          _meta: { codex: { turnOutcome: outcome } },
        });
        expect(kinds(ends).at(-1)).toBe("state_update idle");
      },
    );
  }

  clause(["CACHE-17"], "what comes for it later is dropped (K-05)", async () => {
    rig = await startRig();
    const turn = await rig.begin();
    turn.itemStarted(commandExecution({ id: "c" }));
    turn.complete();
    await rig.host.idle(rig.sessionId);
    const count = rig.updates().length;
    turn.outputDelta("c", "late");
    turn.itemCompleted(commandExecution({ id: "c", status: "completed", exitCode: 0 }));
    turn.message("late");
    await rig.clock.settle();
    expect(rig.since(count)).toEqual([]);
    const second = await rig.begin(2);
    const between = rig.updates().length;
    turn.message("later still");
    await rig.clock.settle();
    expect(rig.since(between)).toEqual([]);
    second.complete();
    await rig.host.idle(rig.sessionId, 2);
  });
});

describe("a command outlives its turn (R-07)", () => {
  clause(["REC-04"], "its call is settled, its terminal goes on and ends when Codex says so", async () => {
    rig = await startRig();
    const turn = await rig.begin();
    turn.itemStarted(commandExecution({ id: "c" }));
    listed("c");
    turn.complete();
    expect(await rig.host.idle(rig.sessionId)).toMatchObject({ stopReason: "end_turn", background });
    expect(rig.updates()).toContainEqual(
      expect.objectContaining({ toolCallId: "c", status: "completed", _meta: { codex: { reconciled: true } } }),
    );
    const second = await rig.begin(2);
    const count = rig.updates().length;
    turn.outputDelta("c", "still here");
    turn.itemCompleted(commandExecution({ id: "c", status: "completed", exitCode: 3, aggregatedOutput: "still here" }));
    await rig.clock.settle();
    const [chunk, end, state] = rig.updates().slice(count);
    expect(chunk).toMatchObject({ sessionUpdate: "terminal_output_chunk", terminalId: "c" });
    expect(end).toMatchObject({ sessionUpdate: "terminal_update", exitStatus: { exitCode: 3 } });
    expect(state).toMatchObject({ state: "running", background: [] });
    second.complete();
    await rig.host.idle(rig.sessionId, 2);
    for (const update of rig.states()) expect(update).toHaveProperty("background");
    expect(rig.states().some((update) => update.state === "running" && JSON.stringify(update).includes('"c"'))).toBe(
      true,
    );
  });

  test("the host may end it, once it is listed and until it has ended (R-05)", async () => {
    rig = await startRig();
    const { host, codex, sessionId } = rig;
    const cancel = (terminalId = "c") => host.request(hostRequests.terminalCancel, { sessionId, terminalId });
    const terminals = () => rig.updates().filter(isUpdate("terminal_update"));
    const refused = (terminalId: string) => ({ code: -32602, data: { terminalId } });
    const turn = await rig.begin();
    turn.itemStarted(commandExecution({ id: "c" }));
    await rig.clock.settle();
    // Its turn is the one to stop.
    await expect(cancel()).rejects.toMatchObject(refused("c"));
    listed("other", "c");
    turn.complete();
    await host.idle(sessionId);
    const offered = rig.updates().findIndex((it) => isUpdate("terminal_update")(it) && it.capabilities != null);
    const announced = rig
      .updates()
      .findIndex((it) => isUpdate("state_update")(it) && Array.isArray(it.background) && it.background.length === 1);
    expect(terminals().at(-1)).toEqual({
      sessionUpdate: "terminal_update",
      terminalId: "c",
      capabilities: { cancel: {} },
    });
    expect(offered).toBeGreaterThan(-1);
    expect(offered).toBeLessThan(announced);
    codex.on(requests.threadBackgroundTerminalsTerminate, () => ({ terminated: true }));
    await expect(cancel("other")).rejects.toMatchObject(refused("other"));
    expect(await cancel()).toEqual({});
    expect(codex.calls(requests.threadBackgroundTerminalsTerminate).map(({ params }) => params)).toEqual([
      { threadId: sessionId, processId: "process-c" },
    ]);
    turn.itemCompleted(commandExecution({ id: "c", status: "failed", exitCode: -1, aggregatedOutput: "" }));
    await rig.clock.settle();
    expect(terminals().at(-1)).toMatchObject({ terminalId: "c", exitStatus: { exitCode: -1 }, capabilities: null });
    await expect(cancel()).rejects.toMatchObject(refused("c"));
    const nobody = host.request(hostRequests.terminalCancel, { sessionId: "nobody", terminalId: "c" });
    await expect(nobody).rejects.toMatchObject({ code: -32002, data: { sessionId: "nobody" } });
  });

  test("a stop tells it to end, and its exit is said once it is no longer listed", async () => {
    rig = await startRig();
    const turn = await rig.begin();
    turn.itemStarted(commandExecution({ id: "c" }));
    listed("c");
    const terminate = rig.codex.hold(requests.threadBackgroundTerminalsTerminate);
    rig.cancel();
    await rig.codex.received(requests.turnInterrupt);
    turn.complete("interrupted");
    expect(await terminate.received()).toMatchObject({ processId: "process-c" });
    expect(rig.updates().filter(isUpdate("terminal_update")).at(-1)).not.toHaveProperty("exitStatus");
    listed();
    terminate.answer({ terminated: true });
    expect(await rig.host.idle(rig.sessionId)).toMatchObject({ stopReason: "cancelled", background: [] });
    expect(rig.updates().filter(isUpdate("terminal_update")).at(-1)).toMatchObject({
      exitStatus: { exitCode: null, signal: null },
      _meta: { codex: { turnOutcome: "cancelled" } },
    });
  });

  test("one that does not end goes on in the background", async () => {
    rig = await startRig();
    const turn = await rig.begin();
    turn.itemStarted(commandExecution({ id: "c" }));
    listed("c");
    rig.codex.on(requests.threadBackgroundTerminalsTerminate, () => ({ terminated: false }));
    rig.cancel();
    await rig.codex.received(requests.turnInterrupt);
    turn.complete("interrupted");
    expect(await rig.host.idle(rig.sessionId)).toMatchObject({ stopReason: "cancelled", background });
  });

  test("a Codex that does not say what runs keeps the idle back for 3 s at most", async () => {
    rig = await startRig();
    const turn = await rig.begin();
    turn.itemStarted(commandExecution({ id: "c" }));
    rig.codex.hold(requests.threadBackgroundTerminalsList);
    turn.complete();
    await rig.clock.advance(2999);
    expect(rig.idles()).toEqual([]);
    await rig.clock.advance(1);
    expect(rig.idles()).toMatchObject([{ stopReason: "end_turn", background }]);
  });
});

clause(["REC-03"], "a call first seen by its end, its progress or its patch is introduced in full", async () => {
  rig = await startRig();
  const turn = await rig.begin();
  const { threadId, turnId } = turn;
  turn.itemCompleted(mcpToolCall({ id: "ended", status: "completed" }));
  const changes = [{ path: "/home/user/project/a", kind: { type: "add" as const }, diff: "a\n" }];
  rig.codex.notify(notifications.itemFileChangePatchUpdated, { threadId, turnId, itemId: "patched", changes });
  turn.itemCompleted(fileChange({ id: "patched", status: "completed", changes }));
  turn.itemCompleted(commandExecution({ id: "command", status: "completed", exitCode: 0, aggregatedOutput: "x" }));
  turn.complete();
  await rig.host.idle(rig.sessionId);
  const calls = rig.updates().filter(isUpdate("tool_call_update"));
  for (const id of ["ended", "patched", "command"]) {
    expect(calls.find(({ toolCallId }) => toolCallId === id)).toMatchObject({
      name: expect.any(String),
      title: expect.any(String),
      kind: expect.any(String),
    });
  }
});

clause(["CACHE-18"], "items count while the turn has no name yet", async () => {
  rig = await startRig();
  const start = rig.codex.hold(requests.turnStart);
  await rig.prompt("hi");
  await start.received();
  const early = rig.foreign("T");
  early.message("early");
  await rig.host.update(rig.sessionId, isUpdate("agent_message"));
});

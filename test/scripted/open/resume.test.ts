import { afterEach, describe, expect, test } from "vitest";
import { notifications, requests } from "../../../src/generated/codex/methods.js";
import { hostNotifications, hostRequests } from "../../../src/generated/contract/methods.js";
import { CodexFailure } from "../../../src/testing/scripted-codex/core.js";
import { commandExecution } from "../../../src/testing/scripted-codex/items.js";
import { recorded } from "../../../src/testing/scripted-codex/recorded.js";
import { turnOf, turnScript } from "../../../src/testing/scripted-codex/turn.js";
import { clause } from "../../support/clause.js";
import { isUpdate } from "../../support/host.js";
import { asked, cwd, fromStart, type OpenRig, said, startOpen, stored } from "./rig.js";

let rig: OpenRig;

afterEach(() => rig.bridge.close());

const kinds = (sessionId: string) => rig.bridge.host.updates(sessionId).map(({ sessionUpdate }) => sessionUpdate);
const last = (sessionId: string) => rig.bridge.host.updates(sessionId).at(-1);

/** Indexes of frames to the host: each update of the session, and the answer to the request last sent. */
function frameOrder(sessionId: string): { updates: number[]; answer: number } {
  const frames = rig.bridge.host.frames();
  const updates = frames.flatMap((frame, at) =>
    JSON.stringify(frame).includes(`"sessionId":"${sessionId}","update"`) ? [at] : [],
  );
  return {
    updates,
    answer: frames.findIndex((frame) => frame["id"] === rig.bridge.host.lastId && !("method" in frame)),
  };
}

describe("session/resume", () => {
  clause(["SESS-07"], "replays in pages of 50 turns, oldest first, whole", async () => {
    rig = await startOpen();
    const turns = Array.from({ length: 120 }, (_, n) =>
      stored(`t${n}`, [asked(`u${n}`, `q${n}`), said(`m${n}`, `a${n}`)]),
    );
    rig.threads.set("s", { turns });
    await rig.resume("s", fromStart);
    const pages = rig.bridge.codex.calls(requests.threadTurnsList).map(({ params }) => params);
    expect(pages).toEqual([
      { threadId: "s", sortDirection: "asc", itemsView: "full", limit: 50 },
      { threadId: "s", sortDirection: "asc", itemsView: "full", limit: 50, cursor: "50" },
      { threadId: "s", sortDirection: "asc", itemsView: "full", limit: 50, cursor: "100" },
    ]);
    const messages = rig.bridge.host.updates("s").filter(isUpdate("agent_message"));
    expect(messages.map(({ messageId }) => messageId)).toEqual(turns.map((_, n) => `m${n}`));
    const { updates, answer } = frameOrder("s");
    expect(Math.max(...updates.filter((at) => at < answer))).toBe(answer - 1);
    expect(updates.filter((at) => at < answer)).toHaveLength(241);
  });

  test("says the session's state before the response, replay or not", async () => {
    rig = await startOpen();
    rig.threads.set("s", { turns: [stored("t", [asked("u", "q")])] });
    await rig.resume("s");
    expect(kinds("s")).toEqual(["state_update"]);
    expect(last("s")).toMatchObject({ state: "idle" });
    expect(frameOrder("s").updates[0]).toBeLessThan(frameOrder("s").answer);
  });

  clause(["SESS-09"], "refuses any other cursor before Codex hears anything", async () => {
    rig = await startOpen();
    const refused = rig.resume("s", { replayFrom: { type: "_x" } });
    await expect(refused).rejects.toMatchObject({ code: -32602 });
    expect(rig.bridge.codex.calls(requests.threadResume)).toEqual([]);
  });

  test("refuses a relative folder, and leaves a session that is open as it is", async () => {
    rig = await startOpen();
    rig.threads.set("s", { turns: [] });
    await rig.resume("s");
    await expect(rig.resume("s", { cwd: "relative" })).rejects.toMatchObject({ code: -32602, data: { path: "/cwd" } });
    expect(rig.bridge.codex.calls(requests.threadUnsubscribe)).toEqual([]);
    await rig.bridge.host.request(hostRequests.sessionPrompt, {
      sessionId: "s",
      prompt: [{ type: "text", text: "hi" }],
    });
    await rig.bridge.codex.received(requests.turnStart);
  });

  test.each([
    { text: "no rollout found for thread id s", code: -32002 },
    { text: "thread not found: s", code: -32002 },
    { text: "session s is archived. Run `codex unarchive s` first.", code: -32600 },
  ])("$text", async ({ text, code }) => {
    rig = await startOpen();
    rig.bridge.codex.on(requests.threadResume, () => {
      throw new CodexFailure(-32600, text);
    });
    await expect(rig.resume("s")).rejects.toMatchObject({ code });
    await expect(
      rig.bridge.host.request(hostRequests.sessionPrompt, { sessionId: "s", prompt: [{ type: "text", text: "hi" }] }),
    ).rejects.toMatchObject({ code: -32602, data: { sessionId: "s" } });
  });

  test("of a session that is open lets go of it first and leaves its turn alone", async () => {
    rig = await startOpen();
    rig.threads.set("s", { turns: [] });
    await rig.resume("s");
    const { host, codex } = rig.bridge;
    const { messageId } = await host.request(hostRequests.sessionPrompt, {
      sessionId: "s",
      prompt: [{ type: "text", text: "hi" }],
    });
    const { result } = await codex.answered(requests.turnStart);
    const turn = turnScript(codex, { threadId: "s", turnId: result.turn.id }, [], messageId);
    turn.begin();
    await rig.bridge.clock.settle();
    rig.threads.set("s", {
      turns: [turnOf(result.turn.id, { itemsView: "full", items: [asked("u", "hi", messageId)] })],
    });
    await rig.resume("s");
    expect(codex.calls(requests.threadUnsubscribe)).toHaveLength(1);
    expect(codex.calls(requests.turnInterrupt)).toEqual([]);
    expect(last("s")).toMatchObject({ state: "running", _meta: { alwith: { messageId } } });
    turn.message("still here");
    turn.complete();
    await host.idle("s", 2);
    const idles = host
      .updates("s")
      .filter((it) => it.sessionUpdate === "state_update" && it["state"] === "idle" && "stopReason" in it);
    expect(idles).toEqual([expect.objectContaining({ stopReason: "end_turn", _meta: { alwith: { messageId } } })]);
  });
});

describe("a running turn", () => {
  const running = turnOf("t1", {
    itemsView: "full",
    startedAt: 100,
    items: [
      asked("u1", "go", "receipt"),
      { ...commandExecution({ id: "c1", command: "ls" }), status: "completed", exitCode: 0 },
    ],
  });

  clause(
    ["REC-18", "CANCEL-16"],
    "is found through the history, told as running, and shown nothing of before",
    async () => {
      rig = await startOpen();
      rig.threads.set("s", { turns: [running] });
      await rig.resume("s");
      await rig.bridge.clock.settle();
      expect(kinds("s").filter((kind) => kind !== "available_commands_update")).toEqual(["state_update"]);
      expect(rig.bridge.host.updates("s")[0]).toMatchObject({
        state: "running",
        _meta: { alwith: { messageId: "receipt" } },
      });
      rig.bridge.host.notify(hostNotifications.sessionCancel, { sessionId: "s" });
      expect(await rig.bridge.codex.received(requests.turnInterrupt)).toEqual({ threadId: "s", turnId: "t1" });
      turnScript(rig.bridge.codex, { threadId: "s", turnId: "t1" }).complete("interrupted");
      expect(await rig.bridge.host.idle("s")).toMatchObject({ stopReason: "cancelled" });
    },
  );

  clause(["CANCEL-17", "CANCEL-18"], "announces a tool with its first frame, and invents none at its end", async () => {
    rig = await startOpen();
    rig.threads.set("s", { turns: [running] });
    await rig.resume("s");
    const turn = turnScript(rig.bridge.codex, { threadId: "s", turnId: "t1" });
    turn.itemCompleted({
      ...commandExecution({ id: "c2", command: "make" }),
      status: "completed",
      exitCode: 0,
      aggregatedOutput: "made\n",
    });
    turn.complete();
    await rig.bridge.host.idle("s");
    const calls = rig.bridge.host.updates("s").filter(isUpdate("tool_call_update"));
    expect(calls).toEqual([
      expect.objectContaining({ toolCallId: "c2", name: "shell", kind: "execute", status: "completed" }),
    ]);
  });

  test("what Codex says between its answer and the response is not lost", async () => {
    rig = await startOpen();
    rig.threads.set("s", { turns: [running] });
    const { codex, host } = rig.bridge;
    const held = codex.hold(requests.threadTurnsList);
    const resumed = rig.resume("s");
    await rig.bridge.clock.settle();
    turnScript(codex, { threadId: "s", turnId: "t1" }).message("early words");
    await rig.bridge.clock.settle();
    held.answer({ data: [running], nextCursor: null, backwardsCursor: null });
    await resumed;
    await rig.bridge.clock.settle();
    expect(JSON.stringify(host.updates("s"))).toContain("early words");
  });
});

describe("a thread that another client holds", () => {
  const held = () => {
    throw new CodexFailure(-32600, "thread s already has an active writer");
  };

  test("opens for viewing, and refuses what would write", async () => {
    rig = await startOpen();
    rig.threads.set("s", { turns: [stored("t", [asked("u", "q"), said("m", "a")])] });
    rig.bridge.codex.on(requests.threadResume, held);
    const result = await rig.resume("s", fromStart);
    expect(result._meta).toMatchObject({ codex: { readOnly: true, reason: "active_writer" } });
    expect(kinds("s")).toEqual(["user_message", "agent_message", "state_update"]);
    expect(last("s")).toMatchObject({ state: "unknown", _meta: { codex: { readOnly: true } } });
    const refusal = { code: -32600, data: { codex: { readOnly: true } } };
    const { host } = rig.bridge;
    const prompt = host.request(hostRequests.sessionPrompt, { sessionId: "s", prompt: [{ type: "text", text: "hi" }] });
    await expect(prompt).rejects.toMatchObject({
      ...refusal,
      message: expect.stringContaining("Thread is open in another Codex client"),
    });
    const option = host.request(hostRequests.sessionSetConfigOption, {
      sessionId: "s",
      configId: "mode",
      type: "id",
      value: "agent",
    });
    await expect(option).rejects.toMatchObject(refusal);
    host.notify(hostNotifications.sessionCancel, { sessionId: "s" });
    await rig.bridge.clock.settle();
    expect(rig.bridge.codex.calls(requests.turnInterrupt)).toEqual([]);
  });

  test("becomes a session once it is free, and a closed view asks nothing of Codex", async () => {
    rig = await startOpen();
    rig.threads.set("s", { turns: [] });
    const { codex, host } = rig.bridge;
    codex.on(requests.threadResume, held);
    await rig.resume("s");
    const { thread, ...settings } = recorded(requests.threadStart);
    codex.on(requests.threadResume, ({ threadId }) => ({
      ...settings,
      thread: { ...thread, id: threadId, sessionId: threadId, cwd },
    }));
    const result = await rig.resume("s");
    expect(result._meta).not.toHaveProperty(["codex", "readOnly"]);
    await host.request(hostRequests.sessionPrompt, { sessionId: "s", prompt: [{ type: "text", text: "hi" }] });
    await codex.received(requests.turnStart);
    codex.on(requests.threadResume, held);
    await rig.resume("v");
    const before = codex.calls(requests.threadUnsubscribe).length;
    expect(await host.request(hostRequests.sessionClose, { sessionId: "v" })).toEqual({});
    expect(codex.calls(requests.threadUnsubscribe)).toHaveLength(before);
  });
});

describe("the title", () => {
  test("of a resumed session is its name, or its first prompt, and a later prompt does not replace it", async () => {
    rig = await startOpen();
    rig.threads.set("s", { turns: [], thread: { preview: "first words\nmore" } });
    await rig.resume("s");
    await rig.bridge.host.request(hostRequests.sessionPrompt, {
      sessionId: "s",
      prompt: [{ type: "text", text: "later words" }],
    });
    await rig.bridge.clock.settle();
    expect(kinds("s")).not.toContain("session_info_update");
    rig.bridge.codex.notify(notifications.threadNameUpdated, { threadId: "s", threadName: "Named" });
    await rig.bridge.clock.settle();
    expect(last("s")).toEqual({ sessionUpdate: "session_info_update", title: "Named" });
  });
});

import { afterEach, describe, expect, test } from "vitest";
import { requests } from "../../../src/generated/codex/methods.js";
import { hostRequests } from "../../../src/generated/contract/methods.js";
import type { SessionForkParams } from "../../../src/generated/contract/types.js";
import { CodexFailure } from "../../../src/testing/scripted-codex/core.js";
import { recorded } from "../../../src/testing/scripted-codex/recorded.js";
import { nextTurn } from "../../../src/testing/scripted-codex/turn.js";
import { clause } from "../../support/clause.js";
import { isUpdate } from "../../support/host.js";
import { asked, cwd, fromStart, type OpenRig, said, startOpen, stored } from "./rig.js";

let rig: OpenRig;

afterEach(() => rig.bridge.close());

const shared = [
  stored("t1", [asked("u1", "one"), said("m1", "first")]),
  stored("t2", [asked("u2", "two"), said("m2", "second")]),
];

/** A parent with two turns; Codex copies what the fork asks for. */
async function start(): Promise<void> {
  rig = await startOpen();
  rig.threads.set("parent", { turns: shared });
  rig.bridge.codex.on(requests.threadFork, ({ threadId, lastTurnId }) => {
    const parent = rig.threads.get(threadId)?.turns ?? [];
    const end = lastTurnId == null ? parent.length : parent.findIndex(({ id }) => id === lastTurnId) + 1;
    if (end === 0 && lastTurnId != null) throw new CodexFailure(-32600, `turn not found: ${lastTurnId}`);
    const thread = { forkedFromId: threadId };
    rig.threads.set("child", { turns: parent.slice(0, end), thread });
    const answer = recorded(requests.threadStart);
    return { ...answer, thread: { ...answer.thread, id: "child", sessionId: "child", cwd, forkedFromId: threadId } };
  });
}

const fork = (fields: Partial<SessionForkParams> = {}) =>
  rig.bridge.host.request(hostRequests.sessionFork, { sessionId: "parent", cwd, mcpServers: [], ...fields });

describe("session/fork", () => {
  clause(["BRANCH-01"], "hands the turn to fork at on to Codex", async () => {
    await start();
    const result = await fork({ _meta: { codex: { lastTurnId: "t1" } } });
    expect(await rig.bridge.codex.received(requests.threadFork)).toMatchObject({
      threadId: "parent",
      lastTurnId: "t1",
    });
    expect(result).toMatchObject({
      sessionId: "child",
      _meta: { codex: { nativeSessionId: "child", forkedFromId: "parent", forkedAtTurnId: "t1" } },
    });
  });

  test.each([{ lastTurnId: "" }, { lastTurnId: 5 }])("refuses $lastTurnId as a turn", async (codex) => {
    await start();
    const refused = rig.bridge.host.call(hostRequests.sessionFork.method, {
      sessionId: "parent",
      cwd,
      mcpServers: [],
      _meta: { codex },
    });
    await expect(refused).rejects.toMatchObject({ code: -32602, data: { path: "/_meta/codex/lastTurnId" } });
    expect(rig.bridge.codex.calls(requests.threadFork)).toEqual([]);
  });

  test("passes Codex's refusal of an unknown turn on as bad params", async () => {
    await start();
    await expect(fork({ _meta: { codex: { lastTurnId: "nope" } } })).rejects.toMatchObject({ code: -32602 });
  });

  test("sends the copied transcript under the new id before the response, and leaves the source alone", async () => {
    await start();
    await rig.resume("parent");
    const { host, codex } = rig.bridge;
    await host.request(hostRequests.sessionPrompt, { sessionId: "parent", prompt: [{ type: "text", text: "go on" }] });
    const turn = await nextTurn(codex);
    turn.begin();
    await rig.bridge.clock.settle();
    const before = host.updates("parent").length;
    await fork();
    const frames = host.frames();
    const answer = frames.findIndex((frame) => frame["id"] === host.lastId && !("method" in frame));
    const child = frames.flatMap((frame, at) =>
      JSON.stringify(frame).includes('"sessionId":"child","update"') ? [at] : [],
    );
    expect(child.filter((at) => at < answer)).toHaveLength(5);
    expect(
      host
        .updates("child")
        .filter(isUpdate("agent_message"))
        .map(({ messageId }) => messageId),
    ).toEqual(["m1", "m2"]);
    expect(host.updates("parent")).toHaveLength(before);
    turn.message("still streaming");
    turn.complete();
    expect(await host.idle("parent", 2)).toMatchObject({ stopReason: "end_turn" });
    expect(codex.calls(requests.turnInterrupt)).toEqual([]);
  });

  clause(["BRANCH-23"], "of an empty thread shares no turn with it", async () => {
    await start();
    rig.threads.set("parent", { turns: [] });
    expect(await fork()).toMatchObject({ _meta: { codex: { forkedAtTurnId: null } } });
  });

  test("the shared turn is found anew from both histories, also after the child went on", async () => {
    await start();
    await fork();
    rig.threads.set("child", {
      turns: [...shared, stored("t9", [asked("u9", "on"), said("m9", "and on")])],
      thread: { forkedFromId: "parent" },
    });
    const result = await rig.resume("child", fromStart);
    expect(result).toMatchObject({ _meta: { codex: { forkedAtTurnId: "t2", forkedFromId: "parent" } } });
  });

  clause(["BRANCH-10"], "a thread that only has a parent thread is a root", async () => {
    await start();
    rig.threads.set("sub", { turns: [], thread: { parentThreadId: "parent", forkedFromId: null } });
    const result = await rig.resume("sub", fromStart);
    expect(result._meta?.codex).toMatchObject({ nativeSessionId: "sub", forkedFromId: null });
    expect(result._meta?.codex).not.toHaveProperty("forkedAtTurnId");
  });

  test("takes the mode of its source, as Codex would give it the configured one", async () => {
    await start();
    await rig.resume("parent");
    const { host, codex } = rig.bridge;
    await host.request(hostRequests.sessionSetConfigOption, {
      sessionId: "parent",
      configId: "mode",
      type: "id",
      value: "read-only",
    });
    await fork();
    expect(await codex.received(requests.threadFork)).toMatchObject({ sandbox: "read-only" });
  });
});

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { CodexRequestError } from "../../../src/codex/errors.js";
import { notifications, requests, serverRequests } from "../../../src/generated/codex/methods.js";
import { AnswerError } from "../../../src/testing/scripted-codex/asks.js";
import { CodexFailure } from "../../../src/testing/scripted-codex/core.js";
import { connectInProcess } from "../../../src/testing/scripted-codex/in-process.js";
import { nextTurn } from "../../../src/testing/scripted-codex/turn.js";
import { type CodexUser, connectUser, createGround, type Ground, handshake } from "../../support/codex-rig.js";

let ground: Ground;
let user: CodexUser;

beforeEach(async () => {
  ground = createGround();
  user = connectUser(connectInProcess(ground.codex, ground.clock));
  await handshake(user);
});

afterEach(() => ground.checker.assertClean());

const input = [{ type: "text" as const, text: "hi", text_elements: [] }];
const threadOf = async (): Promise<string> =>
  (await user.client.threadStart({ cwd: "/home/user/elsewhere" })).thread.id;

const approval = (threadId: string) => ({ threadId, turnId: "t", itemId: "i", startedAtMs: 1 });

describe("answers by default", () => {
  test("open threads as asked for, and say so afterwards", async () => {
    const { thread, cwd } = await user.client.threadStart({ cwd: "/home/user/elsewhere", model: "gpt-x" });
    await ground.clock.settle();
    expect([cwd, thread.cwd, thread.model]).toEqual(["/home/user/elsewhere", "/home/user/elsewhere", "gpt-x"]);
    expect(user.told.map(({ method }) => method)).toEqual(["thread/started"]);
    const second = await user.client.threadStart({});
    expect(second.thread.id).not.toBe(thread.id);
    expect((await user.client.threadRead({ threadId: thread.id })).thread.cwd).toBe("/home/user/elsewhere");
    expect((await user.client.threadResume({ threadId: thread.id })).cwd).toBe("/home/user/elsewhere");
    expect((await user.client.threadFork({ threadId: thread.id })).thread.forkedFromId).toBe(thread.id);
  });

  test("are on schema for every method that has one", async () => {
    const threadId = await threadOf();
    const { client } = user;
    await client.accountRead({});
    await client.configRead({ includeLayers: false });
    await client.configRead({ includeLayers: true });
    await client.configRequirementsRead();
    await client.modelList({});
    await client.collaborationModeList({});
    await client.hooksList({});
    await client.skillsList({ cwds: ["/home/user/project"] });
    await client.mcpServerStatusList({});
    await client.threadList({});
    await client.threadLoadedList({});
    await client.threadGoalGet({ threadId });
    await client.threadNameSet({ threadId, name: "x" });
    await client.threadTurnsList({ threadId });
    await client.threadItemsList({ threadId });
    await client.threadBackgroundTerminalsList({ threadId });
    const { turn } = await client.turnStart({ threadId, input });
    expect(turn.status).toBe("inProgress");
    await client.turnSteer({ threadId, expectedTurnId: turn.id, input });
    await client.turnInterrupt({ threadId, turnId: turn.id });
    await client.threadUnsubscribe({ threadId });
    await client.threadArchive({ threadId });
  });

  test("are replaced by what the test says", async () => {
    ground.codex.on(requests.threadList, () => {
      throw new CodexFailure(-32601, "not supported", { why: "test" });
    });
    const failure = await user.client.threadList({}).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(CodexRequestError);
    expect(failure).toMatchObject({ code: -32601, message: "not supported", data: { why: "test" } });
    ground.codex.on(requests.threadList, async () => ({ data: [], nextCursor: "more" }));
    expect((await user.client.threadList({})).nextCursor).toBe("more");
  });
});

test("a request nobody answers fails the test", async () => {
  await expect(user.client.appList({})).rejects.toThrow("unknown variant");
  expect(ground.waits.failure?.message).toContain("no answer for app/list");
});

test("a held answer comes when the test says, and other answers pass it", async () => {
  const held = ground.codex.hold(requests.threadList);
  expect(() => held.answer({ data: [] })).toThrow("no thread/list is being held");
  const order: string[] = [];
  const first = user.client.threadList({ limit: 1 }).then(() => order.push("first"));
  expect(await held.received()).toEqual({ limit: 1 });
  await user.client.threadList({}).then(() => order.push("second"));
  held.answer({ data: [], nextCursor: null });
  await first;
  expect(order).toEqual(["second", "first"]);
  expect(() => held.fail(new CodexFailure(-1, "x"))).toThrow("no thread/list is being held");
});

test("requests are counted over the whole test", async () => {
  const threadId = await threadOf();
  await user.client.threadNameSet({ threadId, name: "a" });
  const second = ground.codex.received(requests.threadNameSet, 2);
  await user.client.threadNameSet({ threadId, name: "b" });
  expect(await second).toEqual({ threadId, name: "b" });
  expect(ground.codex.calls(requests.threadNameSet).map(({ params }) => params.name)).toEqual(["a", "b"]);
});

describe("requests of Codex", () => {
  test("count from 0, and their answers are followed by serverRequest/resolved", async () => {
    const threadId = await threadOf();
    const asked = ground.codex.ask(serverRequests.itemFileChangeRequestApproval, approval(threadId));
    const other = ground.codex.ask(serverRequests.itemFileChangeRequestApproval, approval(threadId));
    await ground.clock.settle();
    expect(user.asked.map(({ id }) => id)).toEqual([0, 1]);
    expect([asked.answered, other.answered]).toEqual([false, false]);
    user.connection.respond(0, { decision: "accept" });
    expect(await asked.answer).toEqual({ decision: "accept" });
    user.connection.respondError(1, -32601, "no");
    await expect(other.answer).rejects.toBeInstanceOf(AnswerError);
    await ground.clock.settle();
    expect(user.told.filter(({ method }) => method === "serverRequest/resolved").map(({ params }) => params)).toEqual([
      { threadId, requestId: 0 },
      { threadId, requestId: 1 },
    ]);
  });
});

test("a turn's frames are on schema and in order", async () => {
  const threadId = await threadOf();
  await user.client.turnStart({ threadId, input, clientUserMessageId: "mine" });
  const turn = await nextTurn(ground.codex);
  turn.begin();
  turn.reasoning(["a thought"]);
  turn.message("I look.", { phase: "commentary", deltas: ["I ", "look."] });
  turn.command("ls", { output: "a\nb\n", deltas: ["a\n", "b\n"] });
  turn.command("false", { exitCode: 1 });
  turn.patch([{ path: "/home/user/new.txt", kind: { type: "add" }, diff: "x\n" }]);
  turn.usage(10, 30);
  turn.error({ message: "Reconnecting... 1/5" }, true);
  turn.message("Done.");
  turn.complete();
  await ground.clock.settle();
  const methods = user.told.map(({ method }) => method).slice(1);
  expect(methods.slice(0, 4)).toEqual(["thread/status/changed", "turn/started", "item/started", "item/completed"]);
  expect(methods.slice(-2)).toEqual(["thread/status/changed", "turn/completed"]);
  expect(user.told.at(-1)?.params).toMatchObject({ turn: { status: "completed", items: [{ text: "Done." }] } });
  expect(user.told[3]?.params).toMatchObject({ item: { type: "userMessage", clientId: "mine", content: input } });
});

test("a failed turn says why", async () => {
  const threadId = await threadOf();
  await user.client.turnStart({ threadId, input });
  const turn = await nextTurn(ground.codex);
  turn.begin();
  turn.complete("failed", { message: "no luck", codexErrorInfo: "other" });
  await ground.clock.settle();
  expect(user.told.at(-1)?.params).toMatchObject({
    turn: { status: "failed", items: [], error: { message: "no luck" } },
  });
});

test("notifications the client opted out of are not sent", async () => {
  const next = connectUser(connectInProcess(ground.codex, ground.clock));
  await next.client.initialize({
    clientInfo: { name: "test", title: null, version: "0" },
    capabilities: { experimentalApi: true, requestAttestation: false, optOutNotificationMethods: ["skills/changed"] },
  });
  ground.codex.notify(notifications.skillsChanged, {});
  ground.codex.notify(notifications.threadClosed, { threadId: "t" });
  await ground.clock.settle();
  expect(next.told.map(({ method }) => method)).toEqual(["thread/closed"]);
});

test("a paused reader gets nothing until it resumes, and then all of it", async () => {
  user.connection.pause();
  ground.codex.notify(notifications.skillsChanged, {});
  ground.codex.notify(notifications.threadClosed, { threadId: "t" });
  await ground.clock.settle();
  expect(user.told).toEqual([]);
  user.connection.resume();
  await ground.clock.settle();
  expect(user.told.length).toBe(2);
});

test("death comes after what was sent, and takes open requests with it", async () => {
  const held = ground.codex.hold(requests.threadList);
  const lost = user.client.threadList({}).catch((error: unknown) => String(error));
  await held.received();
  ground.codex.notify(notifications.skillsChanged, {});
  ground.codex.die({ signal: "SIGKILL", stderr: "panicked" });
  expect(await lost).toContain("Codex was ended by SIGKILL");
  expect(user.told.length).toBe(1);
  expect(user.strays).toEqual(["lost SIGKILL panicked"]);
  expect(() => ground.codex.notify(notifications.skillsChanged, {})).toThrow("not running");
  expect(ground.codex.running).toBe(false);
});

test("a Codex can be started again, with ids from 0", async () => {
  ground.codex.ask(serverRequests.itemFileChangeRequestApproval, approval("t"));
  expect(await user.connection.stop()).toMatchObject({ code: 0 });
  const next = connectUser(connectInProcess(ground.codex, ground.clock));
  await handshake(next);
  expect(ground.codex.starts).toBe(2);
  expect(ground.codex.ask(serverRequests.itemFileChangeRequestApproval, approval("t")).id).toBe(0);
});

test("broken lines reach the client as they are", async () => {
  ground.codex.rawText('{"method":"skills/');
  ground.codex.rawText('changed","params":{}}\nnot json\n');
  ground.codex.raw({ strange: true });
  await ground.clock.settle();
  expect(user.told.map(({ method }) => method)).toEqual(["skills/changed"]);
  expect(user.strays).toEqual(["not-json", "not-a-frame"]);
});

test("a seed interleaves the two directions in other ways, and repeats itself", async () => {
  const run = async (seed: number): Promise<string> => {
    const { createVirtualClock, seededPick } = await import("../../../src/testing/virtual-clock.js");
    const clock = createVirtualClock({ auto: true, pick: seededPick(seed) });
    const { codex, log } = createGround();
    const other = connectUser(connectInProcess(codex, clock));
    await handshake(other);
    const order: string[] = [];
    const stop = log.subscribe((entry) => "from" in entry && order.push(entry.from[0] ?? ""));
    const told = other.told;
    Object.defineProperty(told, "push", { value: () => order.push("n") });
    for (let n = 0; n < 4; n += 1) {
      codex.notify(notifications.skillsChanged, {});
      void other.client.threadList({});
    }
    await clock.settle();
    stop();
    return order.join("");
  };
  const runs = [await run(1), await run(2), await run(3)];
  expect(new Set(runs).size).toBeGreaterThan(1);
  expect([await run(1), await run(2), await run(3)]).toEqual(runs);
});

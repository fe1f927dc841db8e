/** Faults that users of bridges like this one have met, each with its small input. Others stand where their kind is. */
import { afterEach, describe, expect, test } from "vitest";
import { notifications, requests } from "../../../src/generated/codex/methods.js";
import { hostRequests } from "../../../src/generated/contract/methods.js";
import { CodexFailure } from "../../../src/testing/scripted-codex/core.js";
import { commandExecution } from "../../../src/testing/scripted-codex/items.js";
import { recorded } from "../../../src/testing/scripted-codex/recorded.js";
import { nextTurn, turnOf, turnScript } from "../../../src/testing/scripted-codex/turn.js";
import { isUpdate } from "../../support/host.js";
import { kinds, type Rig, startRig } from "./rig.js";

let rig: Rig;

afterEach(() => rig.close());

const newSession = { cwd: "/home/user/project", mcpServers: [] };

test("K-03: a session that is opened anew while its turn runs still stops that turn, once", async () => {
  rig = await startRig();
  const { host, codex, sessionId } = rig;
  const turn = await rig.begin();
  const { result } = await codex.answered(requests.threadStart);
  const running = turnOf(turn.turnId, { itemsView: "full" });
  codex.on(requests.threadResume, () => {
    const thread = { ...result.thread, status: { type: "active" as const, activeFlags: [] } };
    return { ...recorded(requests.threadResume), thread };
  });
  codex.on(requests.threadTurnsList, () => ({ data: [running], nextCursor: null, backwardsCursor: null }));
  await host.request(hostRequests.sessionResume, { sessionId, ...newSession });
  await rig.clock.settle();
  rig.cancel();
  expect(await codex.received(requests.turnInterrupt)).toMatchObject({ turnId: turn.turnId });
  turn.complete("interrupted");
  expect(await host.idle(sessionId)).toMatchObject({ stopReason: "cancelled" });
  expect(codex.calls(requests.turnInterrupt)).toHaveLength(1);
  expect(rig.idles().filter((state) => "stopReason" in state)).toHaveLength(1);
});

test("K-06: the response is the first frame that names a session, also of two that are opened in one chunk", async () => {
  rig = await startRig();
  const { host, codex, clock } = rig;
  const answers = new Map<string, string>();
  codex.on(requests.threadStart, () => {
    const id = `early-${answers.size}`;
    answers.set(id, id);
    const response = recorded(requests.threadStart);
    const thread = { ...response.thread, id, sessionId: id };
    // Before its own answer, as no Codex should.
    codex.notify(notifications.threadStarted, { thread });
    codex.notify(notifications.warning, { threadId: id, message: "early" });
    codex.notify(notifications.threadNameUpdated, { threadId: id, threadName: "Early" });
    return { ...response, thread };
  });
  const frames = [1001, 1002].map((id) => ({
    jsonrpc: "2.0",
    id,
    method: hostRequests.sessionNew.method,
    params: newSession,
  }));
  host.rawFrames(...frames);
  await clock.settle();
  for (const id of answers.keys()) {
    const naming = host.frames().filter((frame) => JSON.stringify(frame).includes(`"${id}"`));
    expect(naming[0], id).toMatchObject({ result: { sessionId: id } });
    expect(naming.length, id).toBeGreaterThan(1);
  }
  expect(answers.size).toBe(2);
});

test("K-07: words are shown once, streamed or not, and the prompt's echo is no second message", async () => {
  rig = await startRig();
  const turn = await rig.begin();
  turn.message("abcd", { id: "m1", deltas: ["ab", "cd"] });
  turn.message("whole", { id: "m2", deltas: [] });
  turn.complete();
  await rig.host.idle(rig.sessionId);
  const shown = new Map<string, string>();
  for (const update of rig.updates()) {
    if (isUpdate("agent_message_chunk")(update)) {
      shown.set(update.messageId, (shown.get(update.messageId) ?? "") + Object(update.content).text);
    }
    if (isUpdate("agent_message")(update) && update.content) {
      shown.set(update.messageId, update.content.map((block) => Object(block).text).join(""));
    }
  }
  expect(Object.fromEntries(shown)).toEqual({ m1: "abcd", m2: "whole" });
  const prompts = rig.updates().filter(isUpdate("user_message"));
  expect(new Set(prompts.map(({ messageId }) => messageId)).size).toBe(1);
  expect(prompts.filter(({ content }) => content)).toHaveLength(1);
});

test("K-08: a prompt during a turn is steered into it and waits for no other turn", async () => {
  rig = await startRig();
  const { codex, host } = rig;
  const turn = await rig.begin();
  codex.on(requests.turnStart, () => ({ turn: turnOf("phantom") }));
  const { messageId, _meta } = await rig.prompt("and this");
  expect(_meta).toMatchObject({ codex: { steered: turn.turnId } });
  expect(codex.calls(requests.turnSteer).map(({ params }) => params)).toMatchObject([
    { expectedTurnId: turn.turnId, clientUserMessageId: messageId },
  ]);
  turn.complete();
  await host.idle(rig.sessionId);
  await rig.clock.advance(60_000);
  expect(codex.calls(requests.turnStart)).toHaveLength(1);
  expect(rig.idles()).toHaveLength(1);
});

test("K-10: a session without turns that Codex has not kept is not found, and no other one takes its place", async () => {
  rig = await startRig();
  const { host, codex } = rig;
  codex.on(requests.threadResume, ({ threadId }) => {
    throw new CodexFailure(-32600, `no rollout found for thread id ${threadId}`);
  });
  const starts = codex.calls(requests.threadStart).length;
  const resume = host.request(hostRequests.sessionResume, { sessionId: "gone", ...newSession });
  await expect(resume).rejects.toMatchObject({ code: -32002, data: { sessionId: "gone" } });
  expect(codex.calls(requests.threadStart)).toHaveLength(starts);
});

test("K-12: without the history methods a replay is refused, and a resume without one works", async () => {
  rig = await startRig();
  const { host, codex, sessionId } = rig;
  codex.on(requests.threadTurnsList, () => {
    throw new CodexFailure(-32601, "thread/turns/list is not supported yet");
  });
  const replay = { sessionId, ...newSession, replayFrom: { type: "start" as const } };
  await expect(host.request(hostRequests.sessionResume, replay)).rejects.toMatchObject({ code: -32601 });
  expect(await host.request(hostRequests.sessionResume, { sessionId, ...newSession })).toHaveProperty("configOptions");
});

describe("K-17: large frames", () => {
  test("an image of 18 MiB reaches Codex, and its echo is named as too large", async () => {
    rig = await startRig();
    const { host, codex, sessionId } = rig;
    const data = "A".repeat(24 * 1024 * 1024);
    await host.request(hostRequests.sessionPrompt, {
      sessionId,
      prompt: [{ type: "image", mimeType: "image/png", data }],
    });
    const { input } = await codex.received(requests.turnStart);
    expect(JSON.stringify(input).length).toBeGreaterThan(data.length);
    const turn = await nextTurn(codex);
    turn.begin();
    turn.complete();
    expect(await host.idle(sessionId)).toMatchObject({ stopReason: "end_turn" });
    for (const frame of host.frames()) expect(JSON.stringify(frame).length).toBeLessThan(24 * 1024 * 1024);
  });

  test("an item of 64 MiB ends its turn like any other", async () => {
    rig = await startRig();
    const turn = await rig.begin();
    turn.itemStarted(commandExecution({ id: "c" }));
    turn.itemCompleted(
      commandExecution({ id: "c", status: "completed", exitCode: 0, aggregatedOutput: "x".repeat(64 * 1024 * 1024) }),
    );
    turn.complete();
    expect(await rig.host.idle(rig.sessionId)).toMatchObject({ stopReason: "end_turn" });
    for (const frame of rig.host.frames()) expect(JSON.stringify(frame).length).toBeLessThan(24 * 1024 * 1024);
  });
});

test("K-35: frames go to their own session, whichever ends first, and those of unknown threads to none", async () => {
  rig = await startRig();
  const { host, codex, sessionId: first } = rig;
  const { sessionId: second } = await host.request(hostRequests.sessionNew, newSession);
  const one = await rig.begin();
  await host.request(hostRequests.sessionPrompt, { sessionId: second, prompt: [{ type: "text", text: "two" }] });
  const two = await nextTurn(codex, 2);
  two.begin();
  const stranger = turnScript(codex, { threadId: "stranger", turnId: "s1" });
  stranger.begin();
  for (const piece of ["a", "b", "c"]) {
    one.messageDelta("m-one", `one ${piece} `);
    two.messageDelta("m-two", `two ${piece} `);
    stranger.messageDelta("m-three", `three ${piece} `);
  }
  two.complete();
  expect(await host.idle(second)).toMatchObject({ stopReason: "end_turn" });
  const words = (id: string) =>
    host
      .updates(id)
      .flatMap((update) => (isUpdate("agent_message_chunk")(update) ? [Object(update.content).text] : []))
      .join("");
  expect(words(second)).toBe("two a two b two c ");
  expect(words(first)).toBe("one a one b one c ");
  expect(rig.idles()).toEqual([]);
  one.complete();
  expect(await host.idle(first)).toMatchObject({ stopReason: "end_turn" });
  expect(host.frames().some((frame) => JSON.stringify(frame).includes("three"))).toBe(false);
});

describe("K-37: a command's output is told once", () => {
  const whole = commandExecution({ id: "c", status: "completed", exitCode: 0, aggregatedOutput: "one\ntwo\n" });
  const deltas: Record<string, readonly string[]> = {
    "without deltas": [],
    "with all of it": ["one\n", "two\n"],
    "with some of it": ["two\n"],
  };
  test.each([
    ["without deltas", true],
    ["with all of it", true],
    ["with some of it", true],
    ["without deltas", false],
  ] as const)("%s, announced: %s", async (kind, announced) => {
    rig = await startRig();
    const turn = await rig.begin();
    if (announced) turn.itemStarted(commandExecution({ id: "c" }));
    for (const delta of deltas[kind] ?? []) turn.outputDelta("c", delta);
    turn.itemCompleted(whole);
    turn.complete();
    await rig.host.idle(rig.sessionId);
    let output = "";
    for (const update of rig.updates()) {
      if (isUpdate("terminal_output_chunk")(update)) output += Buffer.from(update.data, "base64").toString();
      if (isUpdate("terminal_update")(update) && update.output)
        output = Buffer.from(update.output.data, "base64").toString();
    }
    expect(output).toBe("one\ntwo\n");
    const [first] = rig.updates().filter(isUpdate("tool_call_update"));
    expect(first).toMatchObject({ name: "shell", kind: "execute", title: expect.any(String) });
    expect(kinds(rig.updates()).filter((kind) => kind === "state_update idle")).toHaveLength(1);
  });
});

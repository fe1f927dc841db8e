import { afterEach, expect, test } from "vitest";
import { requests } from "../../../src/generated/codex/methods.js";
import { hostRequests } from "../../../src/generated/contract/methods.js";
import { nextTurn } from "../../../src/testing/scripted-codex/turn.js";
import { clause } from "../../support/clause.js";
import { type Rig, startRig } from "./rig.js";

let rig: Rig;

afterEach(() => rig.close());

clause(
  ["PROMPT-01", "PROMPT-02", "PROMPT-07"],
  "a prompt is shown and answered while Codex starts its turn",
  async () => {
    rig = await startRig();
    const start = rig.codex.hold(requests.turnStart);
    const { messageId } = await rig.prompt("hi");
    const frames = rig.host.frames();
    const shown = frames.findIndex((frame) =>
      JSON.stringify(frame).includes(`"user_message","messageId":"${messageId}"`),
    );
    expect(shown).toBeGreaterThan(0);
    expect(shown).toBeLessThan(frames.findIndex(({ result }) => JSON.stringify(result)?.includes(messageId)));
    expect(await start.received()).toMatchObject({ clientUserMessageId: messageId });
  },
);

clause(["PROMPT-03"], "an empty prompt is refused and leaves the session as it is", async () => {
  rig = await startRig();
  await expect(
    rig.host.call(hostRequests.sessionPrompt.method, { sessionId: rig.sessionId, prompt: [] }),
  ).rejects.toMatchObject({
    code: -32602,
  });
  await (await rig.begin()).complete();
  expect(await rig.host.idle(rig.sessionId)).toMatchObject({ stopReason: "end_turn" });
});

clause(["PROMPT-05"], "a session that does not exist is named in the refusal", async () => {
  rig = await startRig();
  const prompt = [{ type: "text", text: "hi" }];
  await expect(rig.host.call(hostRequests.sessionPrompt.method, { sessionId: "none", prompt })).rejects.toMatchObject({
    code: -32602,
    data: { sessionId: "none" },
  });
});

const image = { type: "image", mimeType: "image/png", data: "AAAA" } as const;

async function textOnly(): Promise<void> {
  rig = await startRig({ defaults: true });
  const { result } = await rig.codex.answered(requests.modelList);
  const data = result.data.map((model) => ({ ...model, inputModalities: ["text" as const] }));
  rig.codex.on(requests.modelList, () => ({ data, nextCursor: null }));
  // What is known of the models is believed for half a minute.
  await rig.clock.advance(31_000);
}

clause(["PROMPT-04"], "an image for a model that takes text alone is refused before anything is sent", async () => {
  await textOnly();
  await expect(
    rig.host.request(hostRequests.sessionPrompt, { sessionId: rig.sessionId, prompt: [image] }),
  ).rejects.toMatchObject({
    code: -32602,
  });
  await rig.clock.settle();
  expect(rig.codex.calls(requests.turnStart)).toEqual([]);
  expect(rig.updates().filter(({ sessionUpdate }) => sessionUpdate === "user_message")).toEqual([]);
});

clause(["PROMPT-12"], "so is one for the running turn", async () => {
  await textOnly();
  const turn = await rig.begin();
  await expect(
    rig.host.request(hostRequests.sessionPrompt, { sessionId: rig.sessionId, prompt: [image] }),
  ).rejects.toMatchObject({
    code: -32602,
  });
  expect(rig.codex.calls(requests.turnSteer)).toEqual([]);
  turn.complete();
  await rig.host.idle(rig.sessionId);
});

clause(["PROMPT-06"], "an id is used once in a session, and is no empty string", async () => {
  rig = await startRig();
  const meta = { alwith: { messageId: "mine" } };
  expect(await rig.prompt("hi", meta)).toMatchObject({ messageId: "mine" });
  (await nextTurn(rig.codex)).begin();
  await expect(rig.prompt("again", meta)).rejects.toMatchObject({ code: -32602 });
  const params = {
    sessionId: rig.sessionId,
    prompt: [{ type: "text", text: "x" }],
    _meta: { alwith: { messageId: "" } },
  };
  await expect(rig.host.call(hostRequests.sessionPrompt.method, params)).rejects.toMatchObject({ code: -32602 });
  const shown = rig.updates().filter((update) => update.sessionUpdate === "user_message" && "content" in update);
  expect(shown).toHaveLength(1);
});

test("two prompts in one piece make one turn, and the second goes into it", async () => {
  rig = await startRig();
  const frame = (id: string, text: string) => ({
    jsonrpc: "2.0",
    id,
    method: hostRequests.sessionPrompt.method,
    params: { sessionId: rig.sessionId, prompt: [{ type: "text", text }] },
  });
  rig.host.rawFrames(frame("a", "one"), frame("b", "two"));
  const turn = await nextTurn(rig.codex);
  turn.begin();
  expect(await rig.codex.received(requests.turnSteer)).toMatchObject({ expectedTurnId: turn.turnId });
  expect(await rig.host.frame("the second answer", ({ id }) => id === "b")).toMatchObject({
    result: { _meta: { codex: { steered: turn.turnId } } },
  });
  turn.complete();
  await rig.host.idle(rig.sessionId);
  expect(rig.codex.calls(requests.turnStart)).toHaveLength(1);
});

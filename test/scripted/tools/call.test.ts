import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { requests } from "../../../src/generated/codex/methods.js";
import { hostNotifications, hostRequests } from "../../../src/generated/contract/methods.js";
import { dynamicToolCall } from "../../../src/testing/scripted-codex/items.js";
import { clause } from "../../support/clause.js";
import { isUpdate } from "../../support/host.js";
import { answersTo, chosen, dismissed, optionIds, startRig, withdrawn } from "../permissions/rig.js";
import { callTool, found, startTools, type ToolRig, withCallbacks } from "./rig.js";

let rig: ToolRig;

afterEach(() => rig.bridge.close());

const failedWith = (text: string) => ({
  success: false,
  contentItems: [{ type: "inputText", text: expect.stringContaining(text) }],
});

const cancel = (): void => rig.bridge.host.notify(hostNotifications.sessionCancel, { sessionId: rig.sessionId });

describe("a call", () => {
  clause(
    ["CTOOL-06", "CTOOL-07", "CTOOL-08", "CTOOL-22"],
    "goes to the host under its own name and the revision",
    async () => {
      rig = await startTools();
      const asked = callTool(rig, "call-1", { arguments: { key: [1, null] } });
      const { params, answer } = await rig.callback();
      expect(params).toEqual({
        sessionId: rig.sessionId,
        turnId: rig.turn.turnId,
        toolCallId: "call-1",
        name: "lookup",
        arguments: { key: [1, null] },
        toolSetRevision: "r1",
      });
      answer(found());
      expect(await asked.answer).toEqual({ success: true, contentItems: [{ type: "inputText", text: "found" }] });
      rig.turn.itemCompleted(dynamicToolCall({ id: "call-1", status: "completed", success: true }));
      await rig.finish();
      const frames = rig.bridge.host.updates(rig.sessionId).filter(isUpdate("tool_call_update"));
      expect(frames[0]).toMatchObject({ toolCallId: "call-1", name: "dynamic_tool", status: "in_progress" });
      expect(frames.at(-1)).toMatchObject({ toolCallId: "call-1", status: "completed" });
    },
  );

  test("of a tool that no host declared fails", async () => {
    rig = await startTools();
    expect(await callTool(rig, "call-1", { tool: "lookup" }).answer).toEqual(failedWith('"lookup"'));
    expect(await callTool(rig, "call-2", { namespace: "n" }).answer).toEqual(failedWith("No client tool"));
    expect(rig.callbacks).toEqual([]);
    await rig.finish();
  });

  clause(["CTOOL-06"], "fails where the opening named no revision", async () => {
    rig = withCallbacks(await startRig());
    expect(await callTool(rig, "call-1").answer).toEqual(failedWith("its revision is unknown"));
    expect(rig.callbacks).toEqual([]);
    expect(rig.permissions).toEqual([]);
    await rig.finish();
  });
});

describe("a result", () => {
  clause(["CTOOL-09"], "reaches Codex piece by piece", async () => {
    rig = await startTools();
    const asked = callTool(rig, "call-1");
    (await rig.callback()).answer({
      success: false,
      contentItems: [
        { type: "text", text: "no" },
        { type: "image", mimeType: "image/png", data: "aGk=" },
        { type: "audio", mimeType: "audio/wav", data: "aGk=" },
      ],
    });
    expect(await asked.answer).toEqual({
      success: false,
      contentItems: [
        { type: "inputText", text: "no" },
        { type: "inputImage", imageUrl: "data:image/png;base64,aGk=" },
        { type: "inputAudio", audioUrl: "data:audio/wav;base64,aGk=" },
      ],
    });
    await rig.finish();
  });

  clause(["CTOOL-09"], "of another shape fails the call, and says where", async () => {
    rig = await startTools();
    const shapes = [
      null,
      {},
      { success: "yes", contentItems: [] },
      { success: true, contentItems: "found" },
      { success: true, contentItems: [{ type: "video", mimeType: "video/mp4", data: "" }] },
      { success: true, contentItems: [{ type: "image", mimeType: "image/png", data: "not base64!" }] },
    ];
    for (const [index, shape] of shapes.entries()) {
      const asked = callTool(rig, `call-${index}`);
      rig.answerRaw(await rig.callback(index + 1), shape);
      expect(await asked.answer).toEqual(failedWith(`result of tool call call-${index} is off contract`));
    }
    await rig.finish();
  });

  test("that is an error fails the call with its text", async () => {
    rig = await startTools();
    const asked = callTool(rig, "call-1");
    (await rig.callback()).fail(new Error("the shelf is empty"));
    expect(await asked.answer).toEqual(failedWith("the shelf is empty"));
    await rig.finish();
  });

  clause(["CTOOL-10"], "has no address that is ever fetched", async () => {
    let visits = 0;
    const server = createServer((_, response) => {
      visits += 1;
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const uri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/secret.png`;
    try {
      rig = await startTools();
      const asked = ["one", "two", "three"].map((id) => callTool(rig, id));
      rig.answerRaw(await rig.callback(1), { success: true, contentItems: [{ type: "resource_link", uri }] });
      rig.answerRaw(await rig.callback(2), {
        success: true,
        contentItems: [{ type: "image", mimeType: "image/png", data: uri, uri }],
      });
      (await rig.callback(3)).answer(found(uri));
      expect(await asked[0]?.answer).toEqual(failedWith("off contract"));
      expect(await asked[1]?.answer).toEqual(failedWith("off contract"));
      expect(await asked[2]?.answer).toEqual({ success: true, contentItems: [{ type: "inputText", text: uri }] });
      await rig.finish();
      expect(visits).toBe(0);
    } finally {
      server.close();
    }
  });

  clause(["CTOOL-11"], "has at most 16 MiB", async () => {
    rig = await startTools();
    const limit = 16 * 1024 * 1024;
    const around = JSON.stringify(found("")).length;
    // Two bytes each: the limit counts bytes, not characters.
    const text = "é".repeat((limit - around - 1) / 2);
    const fits = callTool(rig, "call-1");
    (await rig.callback(1)).answer(found(`${text}a`));
    expect(await fits.answer).toMatchObject({ success: true });
    const over = callTool(rig, "call-2");
    (await rig.callback(2)).answer(found(`${text}ab`));
    expect(await over.answer).toEqual(failedWith(`has ${limit + 1} bytes`));
    await rig.finish();
  });
});

describe("permission", () => {
  clause(["CTOOL-12", "CTOOL-13"], "comes before the callback, and alone requires action", async () => {
    rig = await startTools("agent");
    const asked = callTool(rig, "call-1");
    const permission = await rig.permission();
    expect(permission.params).toMatchObject({
      title: "Run tool?",
      description: expect.stringContaining('"lookup"'),
      subject: { type: "tool_call", toolCall: { toolCallId: "call-1" } },
    });
    expect(optionIds(permission)).toEqual(["allow_once", "decline"]);
    await rig.settle();
    expect(rig.callbacks).toEqual([]);
    expect(rig.states()).toEqual(["running", "requires_action"]);
    permission.answer(chosen("allow_once"));
    const callback = await rig.callback();
    await rig.settle();
    expect(rig.states()).toEqual(["running", "requires_action", "running"]);
    callback.answer(found());
    expect(await asked.answer).toMatchObject({ success: true });
    await rig.finish();
    expect(rig.states()).toEqual(["running", "requires_action", "running", "idle"]);
  });

  clause(["CTOOL-12"], "not given, the host is not called", async () => {
    rig = await startTools("agent");
    for (const [index, answer] of [chosen("decline"), chosen("unheard_of"), dismissed].entries()) {
      const asked = callTool(rig, `call-${index}`);
      (await rig.permission(index + 1)).answer(answer);
      expect(await asked.answer).toEqual(failedWith("The tool was not run."));
    }
    const asked = callTool(rig, "call-9");
    (await rig.permission(4)).fail(new Error("no"));
    expect(await asked.answer).toEqual(failedWith("The tool was not run."));
    expect(rig.callbacks).toEqual([]);
    await rig.finish();
  });

  clause(["CTOOL-12"], "is not asked for in full access, until the host leaves it", async () => {
    rig = await startTools();
    callTool(rig, "call-1");
    await rig.callback();
    expect(rig.permissions).toEqual([]);
    const { host } = rig.bridge;
    await host.request(hostRequests.sessionSetConfigOption, {
      sessionId: rig.sessionId,
      configId: "mode",
      type: "id",
      value: "agent",
    });
    callTool(rig, "call-2");
    await rig.permission();
    expect(rig.callbacks).toHaveLength(1);
    cancel();
    rig.turn.complete("interrupted");
    await host.idle(rig.sessionId);
  });
});

describe("one call", () => {
  clause(["CTOOL-16"], "is made once, however often Codex asks", async () => {
    rig = await startTools();
    const first = callTool(rig, "call-1");
    const again = callTool(rig, "call-1", {}, false);
    const callback = await rig.callback();
    callback.answer(found());
    const result = { success: true, contentItems: [{ type: "inputText", text: "found" }] };
    expect(await first.answer).toEqual(result);
    expect(await again.answer).toEqual(result);
    expect(await callTool(rig, "call-1", {}, false).answer).toEqual(result);
    await rig.settle();
    expect(rig.callbacks).toHaveLength(1);
    await rig.finish();
    const turn = await rig.prompt(2);
    callTool({ bridge: rig.bridge, turn }, "call-1");
    (await rig.callback(2)).answer(found());
    turn.complete();
    await rig.bridge.host.idle(rig.sessionId, 2);
  });

  clause(["CTOOL-17"], "never has the id of another", async () => {
    rig = await startTools();
    const first = callTool(rig, "call-1");
    await rig.callback();
    const other = callTool(rig, "call-1", { arguments: { key: "b" } }, false);
    expect(await other.answer).toEqual(failedWith("already made with other arguments"));
    const tool = callTool(rig, "call-1", { tool: "alwith_client_write" }, false);
    expect(await tool.answer).toEqual(failedWith("already made with other arguments"));
    expect(first.answered).toBe(false);
    expect(rig.callbacks).toHaveLength(1);
    rig.callbacks[0]?.answer(found());
    expect(await first.answer).toMatchObject({ success: true });
    await rig.finish();
  });
});

describe("the wait ends", () => {
  clause(["CTOOL-15", "CTOOL-18", "CTOOL-19"], "with a stop, and what comes late changes nothing", async () => {
    rig = await startTools();
    const asked = callTool(rig, "call-1");
    const { id, answer } = await rig.callback();
    cancel();
    expect(await asked.answer).toEqual(failedWith("cancelled"));
    expect(withdrawn(rig.bridge)).toEqual([id]);
    rig.turn.complete("interrupted");
    await rig.bridge.host.idle(rig.sessionId);
    const turn = await rig.prompt(2);
    const current = callTool({ bridge: rig.bridge, turn }, "call-2");
    await rig.callback(2);
    await rig.settle();
    const before = rig.bridge.host.frames().length;
    answer(found("late"));
    await rig.settle();
    expect(rig.bridge.host.frames()).toHaveLength(before);
    expect(answersTo(rig.bridge, asked.id)).toHaveLength(1);
    expect(current.answered).toBe(false);
    rig.callbacks[1]?.answer(found());
    await current.answer;
    turn.complete();
    await rig.bridge.host.idle(rig.sessionId, 2);
  });

  clause(["CTOOL-15", "CTOOL-18"], "with a stop while the user is asked", async () => {
    rig = await startTools("agent");
    const asked = callTool(rig, "call-1");
    const { id, answer } = await rig.permission();
    cancel();
    expect(await asked.answer).toMatchObject({ success: false });
    expect(withdrawn(rig.bridge)).toEqual([id]);
    answer(chosen("allow_once"));
    await rig.settle();
    expect(rig.callbacks).toEqual([]);
    rig.turn.complete("interrupted");
    await rig.bridge.host.idle(rig.sessionId);
  });

  clause(["CTOOL-18"], "with the end of the turn", async () => {
    rig = await startTools();
    callTool(rig, "call-1");
    const { id } = await rig.callback();
    await rig.finish();
    expect(withdrawn(rig.bridge)).toEqual([id]);
  });

  clause(["CTOOL-15", "CTOOL-18"], "with the session", async () => {
    rig = await startTools();
    const asked = callTool(rig, "call-1");
    const { id } = await rig.callback();
    const { host, codex } = rig.bridge;
    const closing = host.request(hostRequests.sessionClose, { sessionId: rig.sessionId });
    expect(await asked.answer).toEqual(failedWith("cancelled"));
    expect(withdrawn(rig.bridge)).toEqual([id]);
    await codex.received(requests.turnInterrupt);
    rig.turn.complete("interrupted");
    await codex.received(requests.threadUnsubscribe);
    await closing;
  });

  clause(["CTOOL-15", "CTOOL-18", "CTOOL-19"], "with Codex", async () => {
    rig = await startTools();
    callTool(rig, "call-1");
    const { id, answer } = await rig.callback();
    rig.bridge.codex.die();
    await rig.bridge.host.idle(rig.sessionId);
    expect(withdrawn(rig.bridge)).toEqual([id]);
    const before = rig.bridge.host.frames().length;
    answer(found("late"));
    await rig.settle();
    expect(rig.bridge.host.frames()).toHaveLength(before);
  });
});

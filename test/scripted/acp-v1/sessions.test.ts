import { describe, expect, test } from "vitest";
import { agentRequests, hostRequests } from "../../../src/generated/acp-v1/methods.js";
import { notifications, requests, serverRequests } from "../../../src/generated/codex/methods.js";
import { agentRequests as contractRequests } from "../../../src/generated/contract/methods.js";
import {
  agentMessage,
  commandExecution,
  fileChange,
  reasoning,
  userMessage,
} from "../../../src/testing/scripted-codex/items.js";
import { turnOf } from "../../../src/testing/scripted-codex/turn.js";
import { callTool, found, toolSet } from "../tools/rig.js";
import { startRig, textOf, updatesOf } from "./rig.js";

const cwd = "/home/user/project";

describe("a stored session", () => {
  const turn = turnOf("t1", {
    status: "completed",
    itemsView: "full",
    items: [
      userMessage({ id: "u", content: [{ type: "text", text: "do it", text_elements: [] }] }),
      reasoning({ id: "r", summary: ["thought"] }),
      commandExecution({ id: "c", command: "make", status: "completed", aggregatedOutput: "made\n", exitCode: 0 }),
      fileChange({ id: "f", status: "completed", changes: [{ path: "a", kind: { type: "add" }, diff: "x\n" }] }),
      agentMessage({ id: "m", text: "done" }),
    ],
  });

  test("is loaded with all that was said in it, before the answer", async () => {
    const rig = await startRig();
    rig.codex.on(requests.threadTurnsList, () => ({ data: [turn], nextCursor: null, backwardsCursor: null }));
    const before = rig.updates().length;
    const answer = await rig.host.request(hostRequests.sessionLoad, { sessionId: rig.sessionId, cwd, mcpServers: [] });
    expect(answer.modes?.availableModes.map(({ id }) => id)).toContain(answer.modes?.currentModeId);
    const told = rig.updates().slice(before);
    expect(
      told.map(({ sessionUpdate }) => sessionUpdate).filter((kind) => kind !== "available_commands_update"),
    ).toEqual(["user_message_chunk", "agent_thought_chunk", "tool_call", "tool_call", "agent_message_chunk"]);
    expect(rig.of("user_message_chunk")).toMatchObject([
      { content: { text: "do it" }, _meta: { codex: { historyReplay: true } } },
    ]);
    expect(rig.of("tool_call")[0]?.content).toEqual([
      { type: "content", content: { type: "text", text: "```\nmade\n```" } },
    ]);
    const answered = rig.host.frames().findIndex((frame) => frame["id"] === rig.host.lastId);
    const last = rig.host.frames().findIndex((frame) => JSON.stringify(frame).includes('"done"'));
    expect(last).toBeLessThan(answered);
    // Loaded once more, it is all told once more.
    await rig.host.request(hostRequests.sessionLoad, { sessionId: rig.sessionId, cwd, mcpServers: [] });
    expect(textOf(rig.of("agent_message_chunk"))).toBe("donedone");
    await rig.close();
  });

  test("is loaded with the messages that the host itself wrote before", async () => {
    const rig = await startRig();
    const { turn: live, answer } = await rig.begin();
    live.complete();
    await answer;
    expect(rig.of("user_message_chunk")).toEqual([]);
    const { params } = await rig.codex.answered(requests.turnStart);
    const clientId = params.clientUserMessageId ?? null;
    const own = userMessage({ id: "u", clientId, content: [{ type: "text", text: "prompt 1", text_elements: [] }] });
    rig.codex.on(requests.threadTurnsList, () => ({
      data: [{ ...turn, items: [own] }],
      nextCursor: null,
      backwardsCursor: null,
    }));
    await rig.host.request(hostRequests.sessionLoad, { sessionId: rig.sessionId, cwd, mcpServers: [] });
    expect(textOf(rig.of("user_message_chunk"))).toBe("prompt 1");
    await rig.close();
  });

  test("that cannot be opened anew goes on as it was", async () => {
    const rig = await startRig();
    const { turn: live, answer } = await rig.begin();
    live.itemStarted(agentMessage({ id: "m" }));
    live.messageDelta("m", "so far");
    await rig.clock.settle();
    await expect(
      rig.host.request(hostRequests.sessionLoad, { sessionId: rig.sessionId, cwd: "relative", mcpServers: [] }),
    ).rejects.toMatchObject({ code: -32602 });
    live.itemCompleted(agentMessage({ id: "m", text: "so far so good" }));
    live.complete();
    expect(await answer).toMatchObject({ stopReason: "end_turn" });
    expect(textOf(rig.of("agent_message_chunk"))).toBe("so far so good");
    await rig.close();
  });

  test("is resumed without a word, and forked with all", async () => {
    const rig = await startRig();
    rig.codex.on(requests.threadTurnsList, () => ({ data: [turn], nextCursor: null, backwardsCursor: null }));
    const before = rig.updates().length;
    await rig.host.request(hostRequests.sessionResume, { sessionId: rig.sessionId, cwd });
    expect(
      rig
        .updates()
        .slice(before)
        .filter(({ sessionUpdate }) => sessionUpdate !== "available_commands_update"),
    ).toEqual([]);
    const forked = await rig.host.request(hostRequests.sessionFork, { sessionId: rig.sessionId, cwd });
    expect(forked.sessionId).not.toBe(rig.sessionId);
    expect(updatesOf(rig, forked.sessionId)).toContainEqual(expect.objectContaining({ sessionUpdate: "tool_call" }));
    await rig.close();
  });

  test("with a running turn answers the prompt that is still open", async () => {
    const rig = await startRig();
    const { turn: running, answer } = await rig.begin();
    rig.codex.on(requests.threadTurnsList, () => ({
      data: [turnOf(running.turnId)],
      nextCursor: null,
      backwardsCursor: null,
    }));
    await rig.host.request(hostRequests.sessionLoad, { sessionId: rig.sessionId, cwd, mcpServers: [] });
    running.complete();
    expect(await answer).toHaveProperty("stopReason");
    await rig.close();
  });
});

describe("options", () => {
  test("a mode is set by its old method, and told in both ways", async () => {
    const rig = await startRig();
    await rig.host.request(hostRequests.sessionSetMode, { sessionId: rig.sessionId, modeId: "read-only" });
    expect(rig.of("current_mode_update")).toMatchObject([{ currentModeId: "read-only" }]);
    const [mode] = rig.of("config_option_update").at(-1)?.configOptions ?? [];
    expect(mode).toMatchObject({ id: "mode", type: "select", currentValue: "read-only" });
    await expect(
      rig.host.request(hostRequests.sessionSetMode, { sessionId: rig.sessionId, modeId: "wild" }),
    ).rejects.toMatchObject({ code: -32602 });
    // Another option does not tell the mode again.
    await rig.host.request(hostRequests.sessionSetConfigOption, {
      sessionId: rig.sessionId,
      configId: "collaboration_mode",
      value: "plan",
    });
    expect(rig.of("current_mode_update")).toHaveLength(1);
    await rig.close();
  });

  test.each([
    { name: "a choice", capabilities: {}, value: { value: "on" }, want: { type: "select", currentValue: "on" } },
    {
      name: "a boolean",
      capabilities: { session: { configOptions: { boolean: {} } } },
      value: { type: "boolean" as const, value: true },
      want: { type: "boolean", currentValue: true },
    },
  ])("fast mode is $name, as the host knows it", async ({ capabilities, value, want }) => {
    const rig = await startRig({ capabilities });
    const fast = await rig.host.request(hostRequests.sessionSetConfigOption, {
      sessionId: rig.sessionId,
      configId: "fast_mode",
      ...value,
    });
    expect(fast.configOptions.find(({ id }) => id === "fast_mode")).toMatchObject(want);
    await rig.close();
  });
});

describe("what passes as it is", () => {
  test("commands are listed, without the words of draft v2", async () => {
    const rig = await startRig();
    const [commands] = rig.of("available_commands_update");
    expect(commands?.availableCommands.find(({ name }) => name === "compact")).toBeDefined();
    expect(commands?.availableCommands.some((command) => "type" in command)).toBe(false);
    await rig.close();
  });

  test("an elicitation goes to a host that declared it", async () => {
    const rig = await startRig({ capabilities: { elicitation: { form: {} } } });
    const { turn, answer } = await rig.begin();
    rig.host.on(agentRequests.elicitationCreate, (params) => {
      expect(params).toMatchObject({ mode: "form", sessionId: rig.sessionId, requestedSchema: { type: "object" } });
      return { action: "accept", content: { name: "Ada" } };
    });
    const { answer: reply } = rig.codex.ask(serverRequests.mcpServerElicitationRequest, {
      threadId: rig.sessionId,
      turnId: turn.turnId,
      serverName: "s",
      mode: "form",
      _meta: null,
      message: "Who?",
      requestedSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
    });
    expect(await reply).toMatchObject({ action: "accept", content: { name: "Ada" } });
    turn.complete();
    await answer;
    await rig.close();
  });

  test("the host's own tools, by `_meta` and a request of the contract", async () => {
    const rig = await startRig({ meta: { alwith: { tools: toolSet() } } });
    const { turn, answer } = await rig.begin();
    const asked: unknown[] = [];
    rig.host.on(contractRequests.toolCall, (params) => {
      asked.push(params);
      return found("it");
    });
    const reply = callTool({ bridge: rig, turn }, "t1");
    expect(await reply.answer).toMatchObject({ success: true, contentItems: [{ text: "it" }] });
    expect(asked).toMatchObject([{ sessionId: rig.sessionId, name: "lookup" }]);
    expect(rig.of("tool_call")).toMatchObject([{ toolCallId: "t1", name: "dynamic_tool" }]);
    turn.complete();
    await answer;
    await rig.close();
  });

  test("MCP servers, with and without a type, go to Codex", async () => {
    const rig = await startRig();
    rig.codex.on(requests.configRead, () => ({ config: {}, origins: {}, layers: null }) as never);
    await rig.host.request(hostRequests.sessionNew, {
      cwd,
      mcpServers: [
        { name: "local", command: "/bin/server", args: ["-v"], env: [{ name: "A", value: "b" }] },
        { type: "http", name: "far", url: "https://example.invalid/mcp", headers: [] },
      ],
    });
    const { params } = await rig.codex.answered(requests.threadStart, 2);
    expect(params.config?.["mcp_servers"]).toMatchObject({
      local: { command: "/bin/server", args: ["-v"], env: { A: "b" } },
      far: { url: "https://example.invalid/mcp" },
    });
    await expect(
      rig.host.request(hostRequests.sessionNew, {
        cwd,
        mcpServers: [{ type: "sse", name: "old", url: "https://example.invalid/sse", headers: [] }],
      }),
    ).rejects.toMatchObject({ code: -32602 });
    await rig.close();
  });

  test("sign-in and sign-out have their old names", async () => {
    const rig = await startRig({ env: { OPENAI_API_KEY: "key" } });
    rig.codex.on(requests.accountLoginStart, () => ({ type: "apiKey" as const }));
    expect(await rig.host.request(hostRequests.authenticate, { methodId: "api-key" })).toEqual({});
    await expect(rig.host.request(hostRequests.authenticate, { methodId: "none" })).rejects.toMatchObject({
      code: -32602,
    });
    rig.codex.on(requests.accountLogout, () => ({}));
    expect(await rig.host.request(hostRequests.logout, {})).toEqual({});
    await rig.close();
  });

  test("a title and the notices of the process", async () => {
    const rig = await startRig();
    const { turn, answer } = await rig.begin();
    rig.codex.notify(notifications.threadNameUpdated, { threadId: rig.sessionId, threadName: "Named" });
    turn.complete();
    await answer;
    expect(rig.of("session_info_update").at(-1)).toMatchObject({ title: "Named" });
    await rig.close();
  });
});

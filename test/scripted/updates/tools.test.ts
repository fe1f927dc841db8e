import { afterEach, describe, expect, test } from "vitest";
import { notifications } from "../../../src/generated/codex/methods.js";
import type {
  GuardianApprovalReview,
  ItemGuardianApprovalReviewCompletedNotification,
} from "../../../src/generated/codex/types.js";
import { agentNotifications } from "../../../src/generated/contract/methods.js";
import {
  commandExecution,
  dynamicToolCall,
  type ItemOf,
  imageView,
  mcpToolCall,
  webSearch,
} from "../../../src/testing/scripted-codex/items.js";
import { clause } from "../../support/clause.js";
import { isUpdate } from "../../support/host.js";
import { type Rig, startRig } from "../turn/rig.js";

let rig: Rig;

afterEach(() => rig.close());

const calls = (id?: string) =>
  rig
    .updates()
    .filter(isUpdate("tool_call_update"))
    .filter(({ toolCallId }) => id === undefined || toolCallId === id);

const collab = (fields: Partial<ItemOf<"collabAgentToolCall">>): ItemOf<"collabAgentToolCall"> => ({
  type: "collabAgentToolCall",
  id: "k1",
  tool: "spawnAgent",
  status: "inProgress",
  senderThreadId: "t0",
  receiverThreadIds: ["t1"],
  prompt: "go and look",
  agentsStates: { t1: { status: "running", message: null } },
  ...fields,
});

const activity = (kind: ItemOf<"subAgentActivity">["kind"], id: string): ItemOf<"subAgentActivity"> => ({
  type: "subAgentActivity",
  id,
  kind,
  agentThreadId: "t1",
  agentPath: "/root/helper",
});

describe("a call's first frame", () => {
  clause(
    ["TOOL-01", "TOOL-02", "TOOL-06", "TOOL-07", "TOOL-09", "TOOL-10", "TOOL-11", "TOOL-12"],
    "names it, and no later one does",
    async () => {
      rig = await startRig();
      const { codex, sessionId: threadId } = rig;
      const turn = await rig.begin();
      const read = commandExecution({
        id: "read",
        commandActions: [{ type: "read", command: "cat a", name: "a", path: "a" }],
      });
      const list = commandExecution({ id: "list", commandActions: [{ type: "listFiles", command: "ls", path: null }] });
      const find = commandExecution({
        id: "find",
        commandActions: [{ type: "search", command: "rg x", query: "x", path: null }],
      });
      const ended = { status: "completed", exitCode: 0, aggregatedOutput: "out" } as const;
      for (const item of [read, list, find]) turn.item(item, { ...item, ...ended });
      turn.itemStarted(mcpToolCall({ id: "mcp" }));
      codex.notify(notifications.itemMcpToolCallProgress, {
        threadId,
        turnId: turn.turnId,
        itemId: "mcp",
        message: "half of it",
      });
      turn.itemCompleted(
        mcpToolCall({
          id: "mcp",
          status: "completed",
          result: { content: [{ type: "text", text: "all" }], structuredContent: null, _meta: null },
        }),
      );
      turn.item(
        dynamicToolCall({ id: "dynamic" }),
        dynamicToolCall({ id: "dynamic", status: "failed", success: false, contentItems: [] }),
      );
      turn.item(
        webSearch({ id: "web" }),
        webSearch({ id: "web", query: "tea", action: { type: "search", query: "tea", queries: null } }),
      );
      turn.item(imageView({ id: "image" }));
      turn.complete();
      await rig.host.idle(threadId);

      const firsts = [...new Set(calls().map(({ toolCallId }) => toolCallId))].map((id) => calls(id)[0]);
      expect(firsts.map((call) => [call?.toolCallId, call?.name, call?.kind])).toEqual([
        ["read", "read_file", "read"],
        ["list", "list_files", "read"],
        ["find", "search", "search"],
        ["mcp", "mcp", "execute"],
        ["dynamic", "dynamic_tool", "execute"],
        ["web", "web_search", "fetch"],
        ["image", "view_image", "read"],
      ]);
      for (const first of firsts) {
        expect(first).toMatchObject({ title: expect.stringMatching(/./), status: "in_progress" });
        const later = calls(first?.toolCallId).slice(1);
        expect(later.length).toBe(1);
        const known = ["sessionUpdate", "toolCallId", "status", "content", "rawOutput"];
        for (const call of later) expect(Object.keys(call).filter((key) => !known.includes(key))).toEqual([]);
      }
      expect(calls("dynamic").at(-1)?.status).toBe("failed");
      expect(rig.updates().filter(isUpdate("tool_call_content_chunk"))).toEqual([
        {
          sessionUpdate: "tool_call_content_chunk",
          toolCallId: "mcp",
          content: { type: "content", content: { type: "text", text: "half of it" } },
        },
      ]);
    },
  );
});

test("what the model types into a running command is told with the call, all of it each time", async () => {
  rig = await startRig();
  const { codex, sessionId: threadId } = rig;
  const { turnId, itemStarted } = await rig.begin();
  itemStarted(commandExecution({ id: "c1" }));
  for (const stdin of ["y\n", "quit\n"]) {
    codex.notify(notifications.itemCommandExecutionTerminalInteraction, {
      threadId,
      turnId,
      itemId: "c1",
      processId: "4711",
      stdin,
    });
  }
  await rig.clock.settle();
  expect(calls("c1").slice(1)).toEqual([
    expect.objectContaining({ _meta: { codex: { stdin: ["y\n"] } } }),
    expect.objectContaining({ _meta: { codex: { stdin: ["y\n", "quit\n"] } } }),
  ]);
});

clause(["TOOL-13"], "a generated image is the call's content", async () => {
  rig = await startRig();
  const turn = await rig.begin();
  const item = { type: "imageGeneration", id: "i1", status: "in_progress", revisedPrompt: null, result: "" } as const;
  turn.item(item, { ...item, status: "completed", result: "aGVsbG8=" });
  turn.complete();
  await rig.host.idle(rig.sessionId);
  expect(calls("i1")[0]).toMatchObject({ name: "image_generation", kind: "other", status: "in_progress" });
  expect(calls("i1").at(-1)).toMatchObject({
    status: "completed",
    content: [{ type: "content", content: { type: "image", data: "aGVsbG8=", mimeType: "image/png" } }],
  });
});

clause(["TOOL-03", "TOOL-14"], "sub-agents are calls that say all Codex knows of them", async () => {
  rig = await startRig();
  const turn = await rig.begin();
  turn.item(collab({}), collab({ status: "interrupted" }));
  turn.itemCompleted(activity("started", "s1"));
  turn.itemCompleted(activity("interrupted", "s2"));
  turn.complete();
  await rig.host.idle(rig.sessionId);
  const collaboration = {
    tool: "spawnAgent",
    senderThreadId: "t0",
    receiverThreadIds: ["t1"],
    agentsStates: { t1: { status: "running", message: null } },
  };
  expect(calls("k1")).toMatchObject([
    { name: "collab", kind: "other", status: "in_progress", _meta: { codex: { collaboration } } },
    { status: "cancelled", _meta: { codex: { collaboration } } },
  ]);
  const subagent = (kind: string) => ({ kind, agentThreadId: "t1", agentPath: "/root/helper" });
  expect([...calls("s1"), ...calls("s2")]).toMatchObject([
    { name: "subagent", kind: "other", status: "completed", _meta: { codex: { subagent: subagent("started") } } },
    { name: "subagent", kind: "other", status: "cancelled", _meta: { codex: { subagent: subagent("interrupted") } } },
  ]);
});

clause(["TOOL-04"], "what is open when a turn is stopped is cancelled before the session is idle", async () => {
  rig = await startRig();
  const turn = await rig.begin();
  turn.itemStarted(mcpToolCall({ id: "mcp" }));
  turn.itemStarted(webSearch({ id: "web" }));
  rig.cancel();
  await rig.clock.settle();
  turn.complete("interrupted");
  expect(await rig.host.idle(rig.sessionId)).toMatchObject({ stopReason: "cancelled" });
  const end = rig.updates().findIndex((update) => isUpdate("state_update")(update) && update.state === "idle");
  const before = rig.updates().slice(0, end).filter(isUpdate("tool_call_update"));
  expect(before.filter(({ status }) => status === "cancelled").map(({ toolCallId }) => toolCallId)).toEqual([
    "mcp",
    "web",
  ]);
});

clause(["TOOL-15", "PASS-17"], "a file search under a session's id is a call of it besides", async () => {
  rig = await startRig();
  const { codex, sessionId } = rig;
  const file = (path: string) => ({
    root: "/home/user/project",
    path,
    file_name: path,
    match_type: "file" as const,
    score: 1,
    indices: null,
  });
  const found = (id: string, ...paths: string[]) =>
    codex.notify(notifications.fuzzyFileSearchSessionUpdated, { sessionId: id, query: "a", files: paths.map(file) });
  found(sessionId, "a.ts");
  found(sessionId, "a.ts", "b/a.ts");
  found("the-hosts-own", "x");
  codex.notify(notifications.fuzzyFileSearchSessionCompleted, { sessionId });
  codex.notify(notifications.fuzzyFileSearchSessionCompleted, { sessionId });
  found(sessionId);
  await rig.clock.settle();
  const id = calls()[0]?.toolCallId;
  const shown = (text: string) => [{ type: "content", content: { type: "text", text } }];
  expect(calls(id)).toMatchObject([
    { name: "fuzzy_file_search", kind: "search", status: "in_progress", content: shown("a.ts") },
    { status: "in_progress", content: shown("a.ts\nb/a.ts") },
    { status: "completed" },
  ]);
  // The next search is another call.
  expect(calls().slice(3)).toMatchObject([{ name: "fuzzy_file_search", status: "in_progress", content: [] }]);
  expect(calls()[3]?.toolCallId).not.toBe(id);
  expect(rig.host.notifications(agentNotifications.codexFuzzyFileSearchUpdated)).toHaveLength(4);
  expect(rig.host.notifications(agentNotifications.codexFuzzyFileSearchCompleted)).toHaveLength(2);
});

clause(["TOOL-16"], "what Codex reviews by itself is a call beside the one it is about", async () => {
  rig = await startRig();
  const { codex, sessionId: threadId } = rig;
  const turn = await rig.begin();
  const tell = (reviewId: string, status: GuardianApprovalReview["status"], rationale: string | null = null) => {
    const params: ItemGuardianApprovalReviewCompletedNotification = {
      threadId,
      turnId: turn.turnId,
      reviewId,
      targetItemId: "c1",
      startedAtMs: 1,
      completedAtMs: 2,
      decisionSource: "agent",
      action: { type: "command", source: "unifiedExec", command: "rm x", cwd: "/home/user/project" },
      review: { status, rationale, riskLevel: "low", userAuthorization: null },
    };
    if (status !== "inProgress") return codex.notify(notifications.itemAutoApprovalReviewCompleted, params);
    const { completedAtMs: _end, decisionSource: _source, ...started } = params;
    codex.notify(notifications.itemAutoApprovalReviewStarted, started);
  };
  for (const id of ["r1", "r2", "r3", "r4", "r5"]) tell(id, "inProgress");
  tell("r1", "approved", "It is harmless.");
  tell("r2", "denied", "It is not.");
  tell("r3", "timedOut");
  tell("r4", "aborted");
  turn.complete();
  await rig.host.idle(threadId);
  for (const id of ["r1", "r2", "r3", "r4", "r5"]) {
    expect(calls(`guardian-${id}`)[0]).toMatchObject({
      name: "guardian_review",
      kind: "think",
      title: "Review rm x",
      status: "in_progress",
    });
  }
  const last = (id: string) => {
    const [, ...later] = calls(`guardian-${id}`);
    expect(later).toHaveLength(1);
    expect(later[0]).not.toHaveProperty("name");
    return later[0];
  };
  expect(last("r1")).toMatchObject({
    status: "completed",
    content: [{ content: { text: "It is harmless." } }],
    rawOutput: { status: "approved" },
  });
  expect(last("r2")).toMatchObject({ status: "completed", rawOutput: { status: "denied" } });
  expect(last("r3")).toMatchObject({ status: "failed" });
  expect(last("r4")).toMatchObject({ status: "cancelled" });
  // Its end was never told: the turn's is its own.
  expect(last("r5")).toMatchObject({ status: "completed", _meta: { codex: { reconciled: true } } });
});

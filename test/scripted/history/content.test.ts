import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { requests } from "../../../src/generated/codex/methods.js";
import type { ThreadItem, UserInput } from "../../../src/generated/codex/types.js";
import type { HistoryOmission } from "../../../src/generated/contract/types.js";
import * as items from "../../../src/testing/scripted-codex/items.js";
import { clause } from "../../support/clause.js";
import { isUpdate } from "../../support/host.js";
import { type HistoryRig, startHistory, storedThread, storedTurn } from "./rig.js";

let rig: HistoryRig;

afterEach(() => rig.bridge.close());

const start = async (stored: ThreadItem[], fields: Parameters<typeof storedTurn>[2] = {}) => {
  rig = await startHistory([{ thread: storedThread(), turns: [storedTurn("turn-1", stored, fields)] }]);
};

/** The one turn of the thread, in full. */
async function full(includeNative = false) {
  const { turns } = await rig.turns({ itemsView: "full", includeNative, maxBytes: 16 * 1024 * 1024 });
  const [turn] = turns;
  if (!turn) throw new Error("there is no turn");
  return turn;
}

const omitted = (omissions: readonly HistoryOmission[]) => omissions.map(({ itemId, field }) => `${itemId} ${field}`);

const user = (...content: UserInput[]) => items.userMessage({ id: "user", clientId: "receipt", content });

describe("a user message", () => {
  clause(
    ["HIST-55", "HIST-56", "HIST-57", "HIST-58", "HIST-59", "HIST-38", "HIST-41"],
    "keeps a block for each input, says what each was, and fetches none",
    async () => {
      let asked = 0;
      const server = createServer((_request, response) => {
        asked += 1;
        response.end();
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.png`;
      const spans = [{ byteRange: { start: 0, end: 4 }, placeholder: "@a" }];
      await start([
        user(
          { type: "text", text: "look", text_elements: spans },
          { type: "image", url },
          { type: "image", fileId: "file id/1" },
          { type: "image", url: "data:image/png;base64,aGk=" },
          { type: "localImage", path: "/tmp/My Pictures/a#1.png" },
          { type: "audio", url: "https://example.invalid/b.wav" },
          { type: "localAudio", path: "/tmp/b.wav" },
          { type: "skill", name: "tidy", path: "/skills/tidy/SKILL.md" },
          { type: "mention", name: "notes", path: "app://notes" },
          { type: "text", text: "thanks", text_elements: [] },
        ),
      ]);
      const link = (inputType: string, name: string, uri: string, more = {}) => ({
        type: "resource_link",
        name,
        uri,
        _meta: { codex: { inputType, ...more } },
      });
      const content = [
        { type: "text", text: "look", _meta: { codex: { textElements: spans } } },
        link("image", "a.png", url),
        link("image", "image", "codex-file:file%20id%2F1", { fileId: "file id/1" }),
        { type: "image", mimeType: "image/png", data: "aGk=", _meta: { codex: { inputType: "image" } } },
        link("localImage", "a#1.png", "file:///tmp/My%20Pictures/a%231.png"),
        link("audio", "b.wav", "https://example.invalid/b.wav"),
        link("localAudio", "b.wav", "file:///tmp/b.wav"),
        link("skill", "tidy", "file:///skills/tidy/SKILL.md"),
        link("mention", "notes", "app://notes"),
        { type: "text", text: "thanks" },
      ];
      const turn = await full();
      expect(turn.updates).toEqual([
        {
          sessionUpdate: "user_message",
          messageId: "receipt",
          content,
          _meta: { codex: { turnId: "turn-1", turnStartedAt: 1_796_000_010_000 } },
        },
      ]);
      expect(turn.omissions).toEqual([]);
      const { items: single } = await rig.items();
      expect(single[0]?.updates).toMatchObject([{ messageId: "receipt", content }]);
      expect(asked).toBe(0);
      await new Promise((resolve) => server.close(resolve));
    },
  );

  clause(["REPLAY-22"], "keeps the native input as it is, envelopes and all", async () => {
    const envelope = "# Files mentioned by the user:\n\n## a.png: /tmp/a.png\n\n## My request:\nlook";
    const stored = user(
      { type: "text", text: envelope, text_elements: [] },
      { type: "localImage", path: "/tmp/a.png" },
    );
    await start([stored]);
    expect((await full(true))._meta?.codex.items).toEqual([stored]);
    const { items: single } = await rig.items({ includeNative: true });
    expect(single[0]?._meta?.codex.item).toEqual(stored);
  });
});

describe("omissions", () => {
  clause(
    ["HIST-60", "HIST-28"],
    "name each loss: unknown items, reasoning behind its summary, fields without a place",
    async () => {
      await start([
        items.reasoning({ id: "both", summary: ["short"], content: ["long"] }),
        items.reasoning({ id: "raw", summary: [], content: ["long"] }),
        items.reasoning({ id: "summary", summary: ["short"], content: [] }),
        items.agentMessage({
          id: "agent",
          text: "hi",
          questions: [],
          delivery: "async",
          memoryCitation: { entries: [], threadIds: ["t"] },
        }),
        items.commandExecution({
          id: "cut",
          status: "completed",
          aggregatedOutput: `${"x".repeat(524_288)}\n... 5 bytes omitted ...\n${"x".repeat(524_288)}`,
        }),
        items.mcpToolCall({ id: "mcp", status: "completed", durationMs: 3 }),
        items.fileChange({
          id: "kept",
          status: "completed",
          changes: [{ path: "/a", kind: { type: "delete" }, diff: "text\n" }],
        }),
        items.fileChange({
          id: "lost",
          status: "completed",
          changes: [{ path: "/b", kind: { type: "delete" }, diff: "" }],
        }),
      ]);
      const turn = await full();
      const losses = [
        "both content",
        "agent memoryCitation",
        "agent delivery",
        "cut aggregatedOutput",
        "mcp durationMs",
        "lost changes",
      ];
      expect(omitted(turn.omissions)).toEqual(losses);
      expect(turn.omissions.every(({ reason }) => reason.length > 10)).toBe(true);
      const paged = await rig.items({ maxBytes: 16 * 1024 * 1024 });
      expect(paged.items.flatMap(({ omissions }) => omitted(omissions))).toEqual(losses);
      for (const result of [paged, await rig.turns({ maxBytes: 16 * 1024 * 1024 })])
        expect(Object.keys(result)).not.toContain("omittedItems");
    },
  );

  clause(["HIST-60"], "name the whole of an item that this version does not know", async () => {
    await start([]);
    const unknown = { type: "crystalBall", id: "ball", vision: "fog" };
    rig.bridge.codex.on(requests.threadTurnsList, () => ({ data: [], nextCursor: null, backwardsCursor: null }));
    const held = rig.bridge.codex.hold(requests.threadTurnsList);
    const asked = rig.bridge.host.call("_codex/session_history", {
      sessionId: storedThread().id,
      itemsView: "full",
      includeNative: true,
    });
    await held.received();
    // A newer Codex than the schemas.
    rig.answerRaw({ data: [storedTurn("turn-1", [unknown as never])], nextCursor: null });
    expect(await asked).toMatchObject({
      turns: [
        {
          updates: [{ sessionUpdate: "tool_call_update", toolCallId: "ball", name: "_codex_item" }],
          omissions: [{ itemId: "ball", field: "*" }],
          _meta: { codex: { items: [unknown] } },
        },
      ],
    });
  });
});

describe("updates", () => {
  clause(
    ["HIST-37", "HIST-41", "HIST-08"],
    "are the final state of each tool, with the turn they come from",
    async () => {
      await start([
        items.commandExecution({ id: "call", status: "completed", aggregatedOutput: "out\n", exitCode: 0 }),
        items.fileChange({
          id: "patch",
          status: "completed",
          changes: [{ path: "/a", kind: { type: "delete" }, diff: "old\n" }],
        }),
        items.plan({ id: "plan", text: "# Plan" }),
        items.contextCompaction({ id: "compaction" }),
        items.agentMessage({ id: "agent", text: "done", completedAtMs: 1_796_000_011_500 }),
      ]);
      const { updates } = await full();
      expect(updates).toMatchObject([
        { sessionUpdate: "terminal_update", terminalId: "call", exitStatus: { exitCode: 0 } },
        { sessionUpdate: "tool_call_update", toolCallId: "call", name: "shell", status: "completed" },
        { sessionUpdate: "tool_call_update", toolCallId: "patch", name: "apply_patch", status: "completed" },
        { sessionUpdate: "plan_update", plan: { type: "markdown", planId: "plan" } },
        { sessionUpdate: "compaction_update", compactionId: "compaction", status: "completed" },
        {
          sessionUpdate: "agent_message",
          messageId: "agent",
          _meta: { codex: { messageCompletedAt: 1_796_000_011_500 } },
        },
      ]);
      for (const update of updates) expect(update).toMatchObject({ _meta: { codex: { turnId: "turn-1" } } });
      expect(JSON.stringify(updates)).not.toContain("historyReplay");
    },
  );

  test("of an interrupted turn end what it left open; a running turn's go on", async () => {
    const open = items.commandExecution({ id: "call", status: "inProgress" });
    await start([open], { status: "interrupted", completedAt: null, durationMs: null });
    const told = (await full()).updates;
    expect(told.findLast(isUpdate("tool_call_update"))).toMatchObject({ toolCallId: "call", status: "cancelled" });
    expect(told.at(-1)).toMatchObject({ exitStatus: { exitCode: null, signal: null } });
    await rig.bridge.close();
    await start([open], { status: "inProgress", completedAt: null, durationMs: null });
    const running = await full();
    expect(running.updates).toMatchObject([
      { sessionUpdate: "terminal_update", terminalId: "call" },
      { toolCallId: "call", status: "in_progress" },
    ]);
    expect(running.updates[0]).not.toHaveProperty("exitStatus");
  });

  clause(["REVIEW-01", "REVIEW-04"], "show a review once in its turn, and each item by itself", async () => {
    await start([
      items.enteredReviewMode({ id: "enter", review: "current changes" }),
      items.exitedReviewMode({ id: "exit", review: "All good.\n" }),
      items.agentMessage({ id: "agent", text: "All good." }),
    ]);
    // Of another client, so that no receipt is missing.
    for (const stored of rig.store.values()) stored.thread.originator = "codex_exec";
    expect((await full()).updates.map((update) => update.sessionUpdate)).toEqual(["tool_call_update", "agent_message"]);
    const { items: single } = await rig.items();
    expect(single.map(({ itemId, updates }) => `${itemId} ${updates.map((it) => it.sessionUpdate).join()}`)).toEqual([
      "enter tool_call_update",
      "exit agent_message",
      "agent agent_message",
    ]);
  });
});

describe("native records", () => {
  clause(["HIST-61", "HIST-22", "HIST-36"], "are as Codex gave them, and only there when asked for", async () => {
    const stored = [
      user({ type: "text", text: "hi", text_elements: [] }),
      items.mcpToolCall({ id: "mcp", status: "completed", arguments: { deep: [1, { x: null }] } }),
      items.agentMessage({ id: "agent", text: "done", phase: "final_answer" }),
    ];
    await start(stored);
    expect((await full(true))._meta).toEqual({ codex: { items: stored } });
    expect(await full()).not.toHaveProperty("_meta");
    const { items: withNative } = await rig.items({ includeNative: true });
    expect(withNative.map((entry) => entry._meta?.codex.item)).toEqual(stored);
    for (const entry of (await rig.items()).items) expect(entry).not.toHaveProperty("_meta");
  });
});

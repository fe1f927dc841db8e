import { afterEach, describe, expect } from "vitest";
import { requests } from "../../../src/generated/codex/methods.js";
import { hostRequests } from "../../../src/generated/contract/methods.js";
import { CodexFailure } from "../../../src/testing/scripted-codex/core.js";
import { agentMessage, commandExecution, userMessage } from "../../../src/testing/scripted-codex/items.js";
import { nextTurn } from "../../../src/testing/scripted-codex/turn.js";
import { clause } from "../../support/clause.js";
import { type HistoryRig, startHistory, storedThread, storedTurn, threadId } from "./rig.js";

let rig: HistoryRig;

afterEach(() => rig.bridge.close());

const turn = (n: number) =>
  storedTurn(`turn-${n}`, [
    userMessage({ id: `user-${n}`, clientId: `receipt-${n}`, content: [{ type: "text", text: `ask ${n}` }] }),
    commandExecution({ id: `call-${n}`, status: "completed", aggregatedOutput: `out ${n}\n`, exitCode: 0 }),
    agentMessage({ id: `msg-${n}`, text: `answer ${n}` }),
  ]);

const thread = (count: number, fields: Parameters<typeof storedThread>[0] = {}) => ({
  thread: storedThread(fields),
  turns: Array.from({ length: count }, (_, index) => turn(index + 1)),
});

const reading = ["thread/read", "thread/turns/list"];

describe("a page of turns", () => {
  clause(
    ["HIST-02", "HIST-06", "HIST-46", "HIST-43"],
    "costs one metadata read and one page read, and nothing but reads, however it is asked for",
    async () => {
      rig = await startHistory([thread(5)]);
      for (const params of [
        {},
        { itemsView: "full" },
        { itemsView: "full", includeNative: true, sortDirection: "desc" },
      ] as const) {
        const first = await rig.turns({ ...params, limit: 2 });
        expect(rig.reads()).toEqual(reading);
        const second = await rig.turns({ ...params, limit: 2, cursor: first.nextCursor });
        expect(rig.reads()).toEqual(reading);
        expect(second).toMatchObject({ consistency: "live", revision: null, complete: false });
      }
    },
  );

  clause(
    ["HIST-07", "HIST-34", "HIST-29"],
    "has turn metadata alone by default, and asks Codex for no items",
    async () => {
      rig = await startHistory([thread(1)]);
      expect(await rig.turns()).toEqual({
        sessionId: threadId,
        cwd: "/home/user/project",
        title: "hello",
        createdAt: 1_796_000_000,
        updatedAt: 1_796_000_100,
        forkedFromId: null,
        running: null,
        consistency: "live",
        revision: null,
        nextCursor: null,
        complete: true,
        turns: [
          {
            turnId: "turn-1",
            status: "completed",
            error: null,
            startedAt: 1_796_000_010,
            completedAt: 1_796_000_012,
            durationMs: 2_345,
            itemsView: "summary",
            updates: [],
            omissions: [],
          },
        ],
      });
      expect(await rig.bridge.codex.received(requests.threadTurnsList)).toMatchObject({
        itemsView: "notLoaded",
        sortDirection: "asc",
        limit: 50,
      });
    },
  );

  clause(
    ["HIST-17", "HIST-18", "HIST-15", "HIST-42"],
    "counts turns, 50 unless told otherwise, from page to page",
    async () => {
      rig = await startHistory([thread(60)]);
      const first = await rig.turns({ cursor: null });
      expect(first.turns).toHaveLength(50);
      expect(first.complete).toBe(false);
      const second = await rig.turns({ cursor: first.nextCursor, limit: 3 });
      expect(second.turns.map(({ turnId }) => turnId)).toEqual(["turn-51", "turn-52", "turn-53"]);
      const third = await rig.turns({ cursor: second.nextCursor, limit: 100 });
      expect(third.turns).toHaveLength(7);
      expect(third).toMatchObject({ nextCursor: null, complete: true });
    },
  );

  clause(["HIST-19", "HIST-20"], "goes backwards by turns, and forwards within each", async () => {
    rig = await startHistory([thread(2)]);
    const { turns } = await rig.turns({ sortDirection: "desc", itemsView: "full" });
    expect(turns.map(({ turnId }) => turnId)).toEqual(["turn-2", "turn-1"]);
    expect(turns[0]?.updates.map(({ sessionUpdate }) => sessionUpdate)).toEqual([
      "user_message",
      "terminal_update",
      "tool_call_update",
      "agent_message",
    ]);
  });

  clause(["HIST-30"], "is titled by name, else preview, else not at all", async () => {
    rig = await startHistory([{ thread: storedThread({ name: "Named" }), turns: [] }]);
    const titleOf = async (fields: { name: string | null; preview: string }) => {
      rig.store.set(threadId, { thread: storedThread(fields), turns: [] });
      return (await rig.turns()).title;
    };
    expect(await titleOf({ name: "Named", preview: "hello" })).toBe("Named");
    expect(await titleOf({ name: null, preview: "hello" })).toBe("hello");
    expect(await titleOf({ name: null, preview: "" })).toBeNull();
  });

  clause(["HIST-32", "HIST-33"], "says whether the thread runs, as far as Codex knows", async () => {
    rig = await startHistory();
    const runningIn = async (status: Parameters<typeof storedThread>[0] & object) => {
      rig.store.set(threadId, { thread: storedThread(status), turns: [] });
      return (await rig.turns()).running;
    };
    expect(await runningIn({ status: { type: "notLoaded" } })).toBeNull();
    expect(await runningIn({ status: { type: "idle" } })).toBe(false);
    expect(await runningIn({ status: { type: "systemError" } })).toBe(false);
    expect(await runningIn({ status: { type: "active", activeFlags: [] } })).toBe(true);
  });

  clause(
    ["HIST-32", "HIST-43", "HIST-04", "HIST-83"],
    "of a session that runs here says so, and disturbs nothing",
    async () => {
      rig = await startHistory();
      const { host, codex, clock } = rig.bridge;
      const { sessionId } = await host.request(hostRequests.sessionNew, { cwd: "/home/user/project", mcpServers: [] });
      rig.store.set(sessionId, { thread: storedThread({ id: sessionId, status: { type: "idle" } }), turns: [] });
      await host.request(hostRequests.sessionPrompt, { sessionId, prompt: [{ type: "text", text: "hi" }] });
      const running = await nextTurn(codex);
      running.begin();
      await clock.settle();
      const before = host.updates(sessionId).length;
      expect(await rig.turns({ sessionId, itemsView: "full" })).toMatchObject({ running: true, consistency: "live" });
      await rig.items({ sessionId });
      expect(host.updates(sessionId)).toHaveLength(before);
      running.message("done");
      running.complete();
      expect(await host.idle(sessionId)).toMatchObject({ stopReason: "end_turn" });
      expect(codex.calls(requests.turnInterrupt)).toEqual([]);
      expect(await rig.turns({ sessionId })).toMatchObject({ running: false });
    },
  );

  clause(["HIST-44"], "follows its cursor when a turn is appended meanwhile", async () => {
    rig = await startHistory([thread(2)]);
    const first = await rig.turns({ limit: 1 });
    rig.store.get(threadId)?.turns.push(turn(3));
    rig.store.set(threadId, { thread: storedThread({ updatedAt: 1_796_000_999 }), turns: [turn(1), turn(2), turn(3)] });
    const second = await rig.turns({ limit: 5, cursor: first.nextCursor });
    expect(second.turns.map(({ turnId }) => turnId)).toEqual(["turn-2", "turn-3"]);
  });

  clause(
    ["HIST-30", "HIST-78"],
    "of a thread that was never prompted is empty, on both methods and in both modes",
    async () => {
      rig = await startHistory([
        { thread: storedThread({ preview: "", historyMode: "paginated", status: { type: "idle" } }), turns: [] },
      ]);
      const { codex } = rig.bridge;
      codex.on(requests.threadTurnsList, () => {
        throw new CodexFailure(
          -32600,
          `thread ${threadId} is not materialized yet; thread/turns/list is unavailable before first user message`,
        );
      });
      codex.on(requests.threadItemsList, () => {
        throw new CodexFailure(-32601, "thread/items/list is not supported yet");
      });
      for (const mode of ["browse", "export"] as const) {
        expect(await rig.turns({ mode })).toMatchObject({ turns: [], title: null, complete: true });
        expect(await rig.items({ mode })).toMatchObject({ items: [], title: null, complete: true });
      }
    },
  );
});

describe("a page of items", () => {
  clause(["HIST-46", "HIST-13", "HIST-35", "HIST-09"], "costs two reads and needs no turn to be loaded", async () => {
    rig = await startHistory([thread(2)]);
    const page = await rig.items({ turnId: "turn-2", limit: 2 });
    expect(rig.reads()).toEqual(["thread/read", "thread/items/list"]);
    expect(page.items.map(({ turnId, itemId }) => `${turnId} ${itemId}`)).toEqual(["turn-2 user-2", "turn-2 call-2"]);
    expect(page.items[0]).toMatchObject({ startedAtMs: 1_796_000_010_000, completedAtMs: 1_796_000_011_000 });
    expect(JSON.stringify(page.items)).not.toContain("turnStartedAt");
    const all = await rig.items();
    expect(all.items.map(({ itemId }) => itemId)).toEqual(["user-1", "call-1", "msg-1", "user-2", "call-2", "msg-2"]);
    expect(rig.reads()).toEqual(["thread/read", "thread/items/list"]);
  });

  clause(
    ["HIST-11", "HIST-12", "HIST-19", "HIST-20"],
    "starts after its anchor, and goes on by its cursor",
    async () => {
      rig = await startHistory([thread(1)]);
      const up = await rig.items({ turnId: "turn-1", anchorItemId: "user-1", limit: 1 });
      expect(up.items.map(({ itemId }) => itemId)).toEqual(["call-1"]);
      const further = await rig.items({ turnId: "turn-1", cursor: up.nextCursor, limit: 5 });
      expect(further.items.map(({ itemId }) => itemId)).toEqual(["msg-1"]);
      const down = await rig.items({ turnId: "turn-1", anchorItemId: "msg-1", sortDirection: "desc" });
      expect(down.items.map(({ itemId }) => itemId)).toEqual(["call-1", "user-1"]);
    },
  );

  clause(["HIST-11", "HIST-12"], "finds its anchor by paging where Codex takes none", async () => {
    const items = Array.from({ length: 230 }, (_, index) => agentMessage({ id: `msg-${index}`, text: `${index}` }));
    rig = await startHistory([{ thread: storedThread(), turns: [storedTurn("turn-1", items)] }]);
    const { codex } = rig.bridge;
    const answer = codex.calls(requests.threadItemsList);
    const listed = await rig.items({ turnId: "turn-1", limit: 1 });
    expect(listed.items).toHaveLength(1);
    expect(answer).toHaveLength(1);
    withoutAnchors(rig);
    const page = async (params: Parameters<HistoryRig["items"]>[0]) => {
      const result = await rig.items({ turnId: "turn-1", limit: 2, ...params });
      return { ids: result.items.map(({ itemId }) => itemId), cursor: result.nextCursor };
    };
    const middle = await page({ anchorItemId: "msg-150" });
    expect(middle.ids).toEqual(["msg-151", "msg-152"]);
    expect((await page({ cursor: middle.cursor })).ids).toEqual(["msg-153", "msg-154"]);
    expect((await page({ anchorItemId: "msg-99" })).ids).toEqual(["msg-100", "msg-101"]);
    expect((await page({ anchorItemId: "msg-150", sortDirection: "desc" })).ids).toEqual(["msg-149", "msg-148"]);
    expect((await page({ anchorItemId: "msg-229" })).ids).toEqual([]);
    expect((await rig.refusal({ turnId: "turn-1", anchorItemId: "nobody" }, "items")).data).toMatchObject({
      reason: "history_invalid_cursor",
      retryable: false,
    });
  });
});

/** As Codex was before 0.161.0: the cursor is a string. */
function withoutAnchors({ bridge, store }: HistoryRig): void {
  bridge.codex.on(requests.threadItemsList, ({ cursor, limit, sortDirection }) => {
    if (typeof cursor === "object" && cursor !== null) {
      throw new CodexFailure(-32600, "Invalid request: invalid type: map, expected a string");
    }
    const entries = (store.get(threadId)?.turns ?? []).flatMap(({ id, items }) =>
      items.map((item) => ({ turnId: id, item })),
    );
    const ordered = sortDirection === "desc" ? entries.reverse() : entries;
    const start = Number(cursor ?? 0);
    const end = start + (limit ?? 20);
    return {
      data: ordered.slice(start, end),
      nextCursor: end < ordered.length ? String(end) : null,
      backwardsCursor: null,
    };
  });
}

describe("replay", () => {
  clause(["HIST-54"], "is the same before and after the history was read", async () => {
    rig = await startHistory([thread(2)]);
    const { host } = rig.bridge;
    const replay = async () => {
      const before = host.updates(threadId).length;
      await host.request(hostRequests.sessionResume, {
        sessionId: threadId,
        cwd: "/home/user/project",
        mcpServers: [],
        replayFrom: { type: "start" },
      });
      const frames = host.updates(threadId).slice(before);
      await host.request(hostRequests.sessionClose, { sessionId: threadId });
      return frames.filter((update) => "_meta" in update && JSON.stringify(update._meta).includes("historyReplay"));
    };
    const first = await replay();
    await rig.turns({ itemsView: "full", includeNative: true });
    await rig.items();
    expect(await replay()).toEqual(first);
    expect(first.length).toBeGreaterThan(6);
  });
});

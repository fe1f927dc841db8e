import { afterEach, describe, expect, test } from "vitest";
import { requests } from "../../../src/generated/codex/methods.js";
import { hostRequests } from "../../../src/generated/contract/methods.js";
import { agentMessage, mcpToolCall, userMessage } from "../../../src/testing/scripted-codex/items.js";
import { turnOf } from "../../../src/testing/scripted-codex/turn.js";
import { clause } from "../../support/clause.js";
import { type HistoryRig, startHistory, storedThread, storedTurn, threadId } from "./rig.js";

let rig: HistoryRig;

afterEach(() => rig.bridge.close());

const secret = "the large result of a tool";

const turns = (count = 3) =>
  Array.from({ length: count }, (_, n) =>
    storedTurn(`turn-${n}`, [
      userMessage({ id: `user-${n}`, content: [{ type: "text", text: `ask ${n}` }] }),
      mcpToolCall({
        id: `call-${n}`,
        status: "completed",
        result: { content: [secret], structuredContent: null, _meta: null },
      }),
      agentMessage({ id: `msg-${n}`, text: `answer ${n}` }),
    ]),
  );

const idle = { status: { type: "idle" } } as const;
const start = async () => {
  rig = await startHistory([{ thread: storedThread(idle), turns: turns() }]);
};

const changed = { code: -32600, data: { reason: "history_changed", retryable: true } };
const busy = { code: -32600, data: { reason: "history_busy", retryable: true } };

describe("an export", () => {
  clause(
    ["HIST-47", "HIST-50", "HIST-51"],
    "looks at metadata and the last turn's summary before and after each page",
    async () => {
      await start();
      const first = await rig.turns({ mode: "export", itemsView: "full", limit: 2 });
      expect(first).toMatchObject({ consistency: "optimistic", revision: expect.stringMatching(/^[0-9a-f]{64}$/) });
      const look = ["thread/read", "thread/turns/list"];
      expect(rig.reads()).toEqual([...look, "thread/turns/list", ...look]);
      const second = await rig.turns({ mode: "export", itemsView: "full", limit: 2, cursor: first.nextCursor });
      expect(second.revision).toBe(first.revision);
      await rig.items({ mode: "export", limit: 1 });
      const views = rig.bridge.codex
        .calls(requests.threadTurnsList)
        .map(({ params }) => [params.itemsView, params.limit]);
      expect(views).toEqual([
        ["summary", 1],
        ["full", 2],
        ["summary", 1],
        ["summary", 1],
        ["full", 2],
        ["summary", 1],
        ["summary", 1],
        ["summary", 1],
      ]);
      const summaries = rig.bridge.codex
        .calls(requests.threadTurnsList)
        .filter(({ params }) => params.itemsView === "summary");
      expect(summaries).toHaveLength(6);
      expect(JSON.stringify(summaries)).not.toContain(secret);
    },
  );

  clause(
    ["HIST-50", "HIST-52", "HIST-70", "HIST-77"],
    "is void once the thread changes between or during its pages",
    async () => {
      await start();
      const { nextCursor: cursor } = await rig.turns({ mode: "export", limit: 1 });
      rig.store.set(threadId, { thread: storedThread({ ...idle, updatedAt: 1_796_000_555 }), turns: turns() });
      expect(await rig.refusal({ mode: "export", cursor })).toMatchObject(changed);
      expect(await rig.refusal({ mode: "export", cursor, limit: 7 })).toMatchObject(changed);
      const again = await rig.turns({ mode: "export", limit: 1 });
      rig.store.set(threadId, {
        thread: storedThread({ ...idle, updatedAt: 1_796_000_555, name: "New" }),
        turns: turns(),
      });
      expect(await rig.refusal({ mode: "export", cursor: again.nextCursor })).toMatchObject(changed);

      const page = rig.bridge.codex.hold(requests.threadItemsList);
      const answer = rig.refusal({ mode: "export" }, "items");
      await page.received();
      rig.store.set(threadId, { thread: storedThread(idle), turns: [...turns(), storedTurn("turn-new", [])] });
      page.answer({ data: [], nextCursor: null, backwardsCursor: null });
      expect(await answer).toMatchObject(changed);
    },
  );

  test("sees that the last turn's summary changed under the same metadata", async () => {
    await start();
    const { nextCursor: cursor } = await rig.turns({ mode: "export", limit: 1 });
    const altered = turns();
    altered[2] = storedTurn("turn-2", [agentMessage({ id: "msg-2", text: "another answer" })]);
    rig.store.set(threadId, { thread: storedThread(idle), turns: altered });
    expect(await rig.refusal({ mode: "export", cursor })).toMatchObject(changed);
  });

  clause(["HIST-53"], "passes over what neither metadata nor the summary shows", async () => {
    await start();
    const { nextCursor: cursor } = await rig.turns({ mode: "export", limit: 1 });
    const altered = turns();
    altered[0] = storedTurn("turn-0", []);
    rig.store.set(threadId, { thread: storedThread(idle), turns: altered });
    expect((await rig.turns({ mode: "export", cursor })).turns).toHaveLength(2);
  });

  clause(["HIST-48", "HIST-70", "HIST-77"], "refuses a thread that is known to run", async () => {
    await start();
    rig.store.set(threadId, { thread: storedThread({ status: { type: "active", activeFlags: [] } }), turns: turns() });
    rig.reads();
    expect(await rig.refusal({ mode: "export" })).toMatchObject(busy);
    expect(await rig.refusal({ mode: "export" }, "items")).toMatchObject(busy);
    expect(rig.bridge.codex.calls(requests.threadItemsList)).toEqual([]);
  });

  clause(["HIST-48", "HIST-50"], "refuses a thread that began to run during the page", async () => {
    await start();
    const page = rig.bridge.codex.hold(requests.threadItemsList);
    const answer = rig.refusal({ mode: "export" }, "items");
    await page.received();
    rig.store.set(threadId, { thread: storedThread({ status: { type: "active", activeFlags: [] } }), turns: turns() });
    page.answer({ data: [], nextCursor: null, backwardsCursor: null });
    expect(await answer).toMatchObject(busy);
  });

  clause(["HIST-49"], "refuses a thread with a prompt that is accepted here and not stored yet", async () => {
    await start();
    const { host, codex } = rig.bridge;
    const { sessionId } = await host.request(hostRequests.sessionNew, { cwd: "/home/user/project", mcpServers: [] });
    rig.store.set(sessionId, { thread: storedThread({ id: sessionId, ...idle }), turns: turns() });
    expect(await rig.turns({ sessionId, mode: "export" })).toMatchObject({ running: false });
    const held = codex.hold(requests.turnStart);
    const prompt = host.request(hostRequests.sessionPrompt, { sessionId, prompt: [{ type: "text", text: "hi" }] });
    await held.received();
    expect(await rig.refusal({ sessionId, mode: "export" })).toMatchObject(busy);
    expect(await rig.turns({ sessionId })).toMatchObject({ running: true });
    held.answer({ turn: turnOf("turn-9") });
    await prompt;
  });
});

import { access, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { agentRequests, hostRequests } from "../../src/generated/contract/methods.js";
import type { CodexSessionHistoryItemsParams, CodexSessionHistoryParams } from "../../src/generated/contract/types.js";
import { applyPatch, execCommand, message, reasoning } from "../../src/testing/scripted-model/steps.js";
import { clause } from "../support/clause.js";
import { codexes } from "../support/codexes.js";
import { AgentError, type Update } from "../support/host.js";
import { type RealBridge, startRealBridge } from "../support/real-bridge.js";
import { greet, type SecondAgent, startSecondAgent } from "../support/second-agent.js";

const patch = ["*** Begin Patch", "*** Add File: new.txt", "+new", "*** Delete File: old.txt", "*** End Patch"].join(
  "\n",
);
const review = JSON.stringify({
  findings: [],
  overall_correctness: "correct",
  overall_explanation: "All is well.",
  overall_confidence_score: 0.9,
});

/** A thread recorded through one bridge, and read through another. */
let bridge: RealBridge;
let reader: SecondAgent;
let sessionId: string;
const live = new Map<string, readonly Update[]>();

const prompt = async (receipt: string, text: string) => {
  const before = bridge.host.updates(sessionId).length;
  const idles = bridge.host.updates(sessionId).filter((it) => "state" in it && it.state === "idle").length;
  await bridge.host.request(hostRequests.sessionPrompt, {
    sessionId,
    prompt: [{ type: "text", text }],
    _meta: { alwith: { messageId: receipt } },
  });
  await bridge.host.idle(sessionId, idles + 1);
  live.set(receipt, bridge.host.updates(sessionId).slice(before));
};

describe.each(codexes)("Codex $version", (codex) => {
  beforeAll(async () => {
    bridge = await startRealBridge({
      codex,
      git: true,
      files: { "old.txt": "the old text\n" },
      env: { INITIAL_AGENT_MODE: "agent-full-access" },
      scripts: [
        {
          key: "WORK",
          steps: [
            [reasoning(["I think."]), message({ text: "First.", phase: "commentary" }), execCommand("echo one")],
            applyPatch(patch),
            message({ text: "All done.", phase: "final_answer" }),
          ],
        },
        { key: "SAY", steps: [message("Said.")] },
        { key: "TIDY", steps: [message("Before.\n<proposed_plan>\n# Plan\n</proposed_plan>")] },
        { key: "CHECK", steps: [message(review)] },
      ],
    });
    bridge.host.on(agentRequests.requestPermission, () => ({
      outcome: { outcome: "selected", optionId: "revise_plan" },
    }));
    await greet(bridge.host);
    ({ sessionId } = await bridge.host.request(hostRequests.sessionNew, {
      cwd: bridge.home.workspace,
      mcpServers: [],
    }));
    await prompt("r-work", "WORK on it");
    await prompt("r-say", "SAY it");
    await prompt("r-plan", "/plan TIDY up");
    await prompt("r-review", "/review CHECK it");
    // For ROLL-08: what is on the disk now is not what was deleted.
    await writeFile(join(bridge.home.workspace, "old.txt"), "another text\n");
    await bridge.host.request(hostRequests.sessionClose, { sessionId });
    reader = await startSecondAgent(bridge);
  }, 90_000);

  afterAll(async () => {
    await reader.close();
    await bridge.close();
  });

  const turns = (params: Partial<CodexSessionHistoryParams> = {}) =>
    reader.host.request(hostRequests.codexSessionHistory, { sessionId, ...params });
  const items = (params: Partial<CodexSessionHistoryItemsParams> = {}) =>
    reader.host.request(hostRequests.codexSessionHistoryItems, { sessionId, ...params });

  const refusal = async (params: object, endpoint: "turns" | "items" = "turns") => {
    const descriptor = endpoint === "turns" ? hostRequests.codexSessionHistory : hostRequests.codexSessionHistoryItems;
    const error = await reader.host.call(descriptor.method, { sessionId, ...params }).catch((it: unknown) => it);
    if (!(error instanceof AgentError)) throw new Error(`it was answered: ${JSON.stringify(error).slice(0, 300)}`);
    return { code: error.code, data: error.data as Record<string, unknown> };
  };

  const head = [
    "sessionId",
    "cwd",
    "title",
    "createdAt",
    "updatedAt",
    "forkedFromId",
    "running",
    "consistency",
    "revision",
    "nextCursor",
    "complete",
  ];

  const isSecond = (value: number | null) => value !== null && value > 1_700_000_000 && value < 5_000_000_000;
  const messages = (entries: readonly { readonly updates: readonly Update[] }[]) =>
    entries.flatMap(({ updates }) =>
      updates.flatMap((update) =>
        update.sessionUpdate === "user_message" && "messageId" in update ? [[update.messageId, textOf(update)]] : [],
      ),
    );
  const textOf = (update: object): unknown =>
    ((Reflect.get(update, "content") ?? []) as { text?: unknown }[]).map(({ text }) => text).join("");

  describe("a closed thread", () => {
    clause(
      ["HIST-01", "HIST-05", "HIST-29", "HIST-28", "HIST-31", "HIST-33", "HIST-30"],
      "is read without a session",
      async () => {
        for (const result of [await turns(), await items()]) {
          expect(Object.keys(result).filter((key) => key !== "turns" && key !== "items")).toEqual(head);
          expect(result).toMatchObject({ sessionId, cwd: bridge.home.workspace, title: "WORK on it", running: null });
          expect(isSecond(result.createdAt) && isSecond(result.updatedAt)).toBe(true);
        }
        expect(reader.host.updates(sessionId)).toEqual([]);
      },
    );

    clause(
      ["HIST-07", "HIST-34", "HIST-42", "HIST-15"],
      "has turns, by default with their metadata alone",
      async () => {
        const result = await turns();
        expect(result.complete).toBe(true);
        expect(await turns({ cursor: null })).toEqual(result);
        for (const turn of result.turns) {
          expect(Object.keys(turn)).toEqual([
            "turnId",
            "status",
            "error",
            "startedAt",
            "completedAt",
            "durationMs",
            "itemsView",
            "updates",
            "omissions",
          ]);
          expect(turn).toMatchObject({ itemsView: "summary", updates: [], omissions: [], error: null });
          expect(isSecond(turn.startedAt)).toBe(true);
        }
        expect(result.turns[0]).toMatchObject({ status: "completed" });
        expect(isSecond(result.turns[0]?.completedAt ?? null)).toBe(true);
        expect(result.turns[0]?.durationMs).toBeGreaterThan(0);
      },
    );

    clause(
      ["HIST-08", "HIST-37", "HIST-38", "HIST-41", "HIST-20"],
      "shows whole turns as the host saw them live",
      async () => {
        const { turns: list } = await turns({ itemsView: "full", limit: 1 });
        const [work] = list;
        expect(messages(list)).toEqual([["r-work", "WORK on it"]]);
        const startedAt = (work?.startedAt ?? 0) * 1000;
        for (const update of work?.updates ?? []) {
          expect(update).toMatchObject({ _meta: { codex: { turnId: work?.turnId } } });
          if (update.sessionUpdate.endsWith("_message")) {
            expect(update).toMatchObject({ _meta: { codex: { turnStartedAt: startedAt } } });
          }
        }
        const kinds = work?.updates.map((update) => update.sessionUpdate);
        expect(kinds).toEqual([
          "user_message",
          "agent_thought",
          "agent_message",
          "terminal_update",
          "tool_call_update",
          "tool_call_update",
          "agent_message",
        ]);
        const final = (updates: readonly object[]) => {
          const calls = new Map<unknown, object>();
          for (const update of updates) {
            if (Reflect.get(update, "sessionUpdate") !== "tool_call_update") continue;
            const id = Reflect.get(update, "toolCallId");
            calls.set(id, { ...calls.get(id), ...update });
          }
          return [...calls.values()].map((call) => [
            Reflect.get(call, "toolCallId"),
            Reflect.get(call, "name"),
            Reflect.get(call, "status"),
            Reflect.get(call, "content"),
          ]);
        };
        expect(final(work?.updates ?? [])).toEqual(final(live.get("r-work") ?? []));
      },
    );

    clause(["HIST-39"], "shows slash commands as they were sent", async () => {
      const { turns: list } = await turns({ itemsView: "full" });
      expect(messages(list)).toEqual([
        ["r-work", "WORK on it"],
        ["r-say", "SAY it"],
        ["r-plan", "/plan TIDY up"],
        ["r-review", "/review CHECK it"],
      ]);
      expect(messages((await items()).items)).toEqual(messages(list));
      const state = join(bridge.home.home, ".local/state/codex-acp-kit/receipts");
      expect((await readdir(state)).length).toBeGreaterThanOrEqual(2);
    });

    clause(
      ["HIST-09", "HIST-35", "HIST-22", "HIST-36"],
      "has items, of one turn or of all, with native records when asked",
      async () => {
        const [first, second] = (await turns()).turns;
        const one = await items({ turnId: String(second?.turnId) });
        expect(one.items.map(({ turnId }) => turnId)).toEqual([second?.turnId, second?.turnId]);
        const all = await items({ includeNative: true });
        expect(all.items.length).toBeGreaterThan(9);
        for (const entry of all.items) {
          expect(Object.keys(entry)).toEqual([
            "turnId",
            "itemId",
            "startedAtMs",
            "completedAtMs",
            "updates",
            "omissions",
            "_meta",
          ]);
          expect(entry._meta?.codex.item.id).toBe(entry.itemId);
          expect(isSecond((entry.completedAtMs ?? 0) / 1000)).toBe(true);
        }
        for (const entry of (await items({ turnId: String(first?.turnId) })).items) {
          expect(entry).not.toHaveProperty("_meta");
        }
        const full = await turns({ itemsView: "full", includeNative: true, limit: 1 });
        expect(full.turns[0]?._meta?.codex.items.map(({ id }) => id)).toEqual(
          all.items.filter(({ turnId }) => turnId === first?.turnId).map(({ itemId }) => itemId),
        );
        expect((await turns({ itemsView: "full", limit: 1 })).turns[0]).not.toHaveProperty("_meta");
      },
    );

    clause(["HIST-17", "HIST-18", "HIST-19"], "is paged in either direction, with limits that change", async () => {
      for (const limit of [0, 101, 1.5]) expect((await refusal({ limit })).code).toBe(-32602);
      const ids = (await turns()).turns.map(({ turnId }) => turnId);
      for (const sortDirection of ["asc", "desc"] as const) {
        const first = await turns({ sortDirection, limit: 1 });
        const second = await turns({ sortDirection, limit: 2, cursor: first.nextCursor });
        const found = [...first.turns, ...second.turns].map(({ turnId }) => turnId);
        expect(found).toEqual((sortDirection === "asc" ? ids : [...ids].reverse()).slice(0, 3));
      }
    });

    clause(
      ["HIST-11", "HIST-12", "HIST-20"],
      "starts after an anchor in either direction, and never repeats it",
      async () => {
        const turnId = String((await turns({ limit: 1 })).turns[0]?.turnId);
        const ids = (await items({ turnId })).items.map(({ itemId }) => itemId);
        expect(ids.length).toBe(6);
        const walkFrom = async (sortDirection: "asc" | "desc") => {
          const first = await items({ turnId, anchorItemId: String(ids[2]), sortDirection, limit: 1 });
          const rest =
            first.nextCursor === null ? [] : (await items({ turnId, sortDirection, cursor: first.nextCursor })).items;
          return [...first.items, ...rest].map(({ itemId }) => itemId);
        };
        expect(await walkFrom("asc")).toEqual(ids.slice(3));
        expect(await walkFrom("desc")).toEqual(ids.slice(0, 2).reverse());
        expect((await refusal({ turnId, anchorItemId: "nobody" }, "items")).data).toMatchObject({
          reason: "history_invalid_cursor",
          retryable: false,
        });
      },
    );

    clause(["HIST-16", "HIST-65", "HIST-66"], "takes a cursor for its own traversal alone", async () => {
      const { nextCursor: cursor } = await turns({ limit: 1 });
      for (const [params, endpoint] of [
        [{ cursor, sortDirection: "desc" }, "turns"],
        [{ cursor, mode: "export" }, "turns"],
        [{ cursor, itemsView: "full" }, "turns"],
        [{ cursor }, "items"],
      ] as const) {
        expect((await refusal(params, endpoint)).data).toMatchObject({
          reason: "history_invalid_cursor",
          retryable: false,
        });
      }
    });

    clause(
      ["ROLL-07", "ROLL-08"],
      "still has the text of a deleted file, from Codex's record and not from the disk",
      async () => {
        const { turns: list } = await turns({ itemsView: "full", includeNative: true, limit: 1 });
        const path = join(bridge.home.workspace, "old.txt");
        await access(path);
        const item = list[0]?._meta?.codex.items.find(({ type }) => type === "fileChange");
        expect(item).toMatchObject({
          changes: expect.arrayContaining([{ path, kind: { type: "delete" }, diff: "the old text\n" }]),
        });
        expect(JSON.stringify(list[0]?.updates)).toContain("-the old text");
        expect(list[0]?.omissions).toEqual([]);
      },
    );

    clause(["HIST-54", "ROLL-10"], "replays the same before and after it was read", async () => {
      const replay = async () => {
        const before = bridge.host.updates(sessionId).length;
        await bridge.host.request(hostRequests.sessionResume, {
          sessionId,
          cwd: bridge.home.workspace,
          mcpServers: [],
          replayFrom: { type: "start" },
        });
        const frames = bridge.host.updates(sessionId).slice(before);
        await bridge.host.request(hostRequests.sessionClose, { sessionId });
        return frames.filter((update) => JSON.stringify(update).includes("historyReplay"));
      };
      const first = await replay();
      for (const { host } of [bridge, reader]) {
        await host.request(hostRequests.codexSessionHistory, { sessionId, itemsView: "full", includeNative: true });
        await host.request(hostRequests.codexSessionHistoryItems, { sessionId, includeNative: true });
      }
      expect(await replay()).toEqual(first);
      expect(messages([{ updates: first }])).toEqual([
        ["r-work", "WORK on it"],
        ["r-say", "SAY it"],
        ["r-plan", "/plan TIDY up"],
        ["r-review", "/review CHECK it"],
      ]);
      const text = JSON.stringify(first);
      for (const kept of ["echo one", "-the old text", "All done."]) expect(text).toContain(kept);
    });
  });
});

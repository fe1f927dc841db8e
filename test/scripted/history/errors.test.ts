import { afterEach, describe, expect, test } from "vitest";
import { requests } from "../../../src/generated/codex/methods.js";
import type { ThreadItem, Turn } from "../../../src/generated/codex/types.js";
import { CodexFailure } from "../../../src/testing/scripted-codex/core.js";
import { agentMessage } from "../../../src/testing/scripted-codex/items.js";
import { clause } from "../../support/clause.js";
import { type HistoryRig, startHistory, storedThread, storedTurn, threadId } from "./rig.js";

let rig: HistoryRig;

afterEach(() => rig.bridge.close());

const long = (bytes: number) => agentMessage({ id: "msg", text: "x".repeat(bytes) });
const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value), "utf8");

describe("params off contract", () => {
  clause(
    ["HIST-10", "HIST-14", "HIST-17", "HIST-21", "HIST-23", "HIST-25", "HIST-26", "HIST-69", "HIST-77"],
    "are refused by name, and nothing is sent to Codex",
    async () => {
      rig = await startHistory();
      const turnFaults: [object, string][] = [
        [{ sessionId: undefined }, ""],
        [{ sessionId: "" }, "/sessionId"],
        [{ sessionId: 7 }, "/sessionId"],
        [{ foo: 1 }, "/foo"],
        [{ limit: 0 }, "/limit"],
        [{ limit: 101 }, "/limit"],
        [{ limit: 1.5 }, "/limit"],
        [{ limit: null }, "/limit"],
        [{ mode: "snapshot" }, "/mode"],
        [{ sortDirection: "up" }, "/sortDirection"],
        [{ includeNative: true }, ""],
        [{ includeNative: true, itemsView: "summary" }, "/itemsView"],
        [{ maxBytes: 1023 }, "/maxBytes"],
        [{ maxBytes: 16 * 1024 * 1024 + 1 }, "/maxBytes"],
        [{ turnId: "t" }, "/turnId"],
        [{ cursor: 1 }, "/cursor"],
      ];
      const itemFaults: [object, string][] = [
        [{ anchorItemId: "a" }, ""],
        [{ anchorItemId: "a", turnId: "t", cursor: "c" }, "/cursor"],
        [{ itemsView: "full" }, "/itemsView"],
        [{ turnId: "" }, "/turnId"],
        [{ limit: 101 }, "/limit"],
      ];
      for (const [faults, endpoint] of [
        [turnFaults, "turns"],
        [itemFaults, "items"],
      ] as const) {
        for (const [params, path] of faults) {
          expect(await rig.refusal({ ...params }, endpoint), JSON.stringify(params)).toMatchObject({
            code: -32602,
            data: { reason: "history_invalid_params", retryable: false, path },
          });
        }
      }
      expect(rig.reads()).toEqual([]);
    },
  );
});

describe("the budget", () => {
  clause(
    ["HIST-24", "HIST-25", "HIST-62", "HIST-70"],
    "counts the UTF-8 of the compact result, to the byte",
    async () => {
      rig = await startHistory([{ thread: storedThread({ preview: "ü€😀" }), turns: [storedTurn("t", [long(2000)])] }]);
      const result = await rig.turns({ itemsView: "full" });
      const bytes = bytesOf(result);
      expect(await rig.turns({ itemsView: "full", maxBytes: bytes })).toEqual(result);
      expect(await rig.refusal({ itemsView: "full", maxBytes: bytes - 1 })).toMatchObject({
        code: -32600,
        data: { reason: "history_page_too_large", retryable: true, bytes, maxBytes: bytes - 1 },
      });
    },
  );

  clause(["HIST-24"], "is 1 MiB by default", async () => {
    rig = await startHistory([{ thread: storedThread(), turns: [storedTurn("t", [long(1000)])] }]);
    const rest = bytesOf(await rig.items()) - 1000;
    const fill = (bytes: number) =>
      rig.store.set(threadId, { thread: storedThread(), turns: [storedTurn("t", [long(bytes)])] });
    fill(1024 * 1024 - rest);
    expect(bytesOf(await rig.items())).toBe(1024 * 1024);
    fill(1024 * 1024 - rest + 1);
    expect((await rig.refusal({}, "items")).data).toMatchObject({ bytes: 1024 * 1024 + 1, maxBytes: 1024 * 1024 });
  });

  clause(
    ["HIST-63", "HIST-64", "HIST-77"],
    "cuts nothing and uses no cursor up; one item over it fails by itself",
    async () => {
      const turns = [storedTurn("small", [long(10)]), storedTurn("big", [long(5000)]), storedTurn("last", [long(10)])];
      rig = await startHistory([{ thread: storedThread(), turns }]);
      const first = await rig.turns({ itemsView: "full", limit: 1, maxBytes: 4096 });
      const next = { itemsView: "full", cursor: first.nextCursor } as const;
      for (const limit of [2, 1]) {
        expect((await rig.refusal({ ...next, limit, maxBytes: 4096 })).data["reason"]).toBe("history_page_too_large");
      }
      const second = await rig.turns({ ...next, limit: 1, maxBytes: 65_536 });
      expect(second.turns.map(({ turnId }) => turnId)).toEqual(["big"]);
      expect(await rig.refusal({ turnId: "big", limit: 1, maxBytes: 4096 }, "items")).toMatchObject({
        data: { reason: "history_page_too_large" },
      });
    },
  );

  clause(["HIST-84"], "is applied once the native reply is there, and names both sizes", async () => {
    rig = await startHistory([{ thread: storedThread(), turns: [storedTurn("t", [long(20 * 1024 * 1024)])] }]);
    const { data } = await rig.refusal({ itemsView: "full" });
    expect(data).toMatchObject({ reason: "history_page_too_large", maxBytes: 1024 * 1024 });
    expect(data["bytes"]).toBeGreaterThan(20 * 1024 * 1024);
  });
});

describe("a failure of Codex", () => {
  const failing = async (failure: CodexFailure, endpoint: "turns" | "items" = "turns") => {
    rig.bridge.codex.on(endpoint === "turns" ? requests.threadTurnsList : requests.threadItemsList, () => {
      throw failure;
    });
    return rig.refusal({}, endpoint);
  };

  clause(["HIST-71", "HIST-68", "HIST-66"], "is not-found in every wording of it", async () => {
    rig = await startHistory();
    for (const message of [
      `thread not loaded: ${threadId}`,
      `no rollout found for thread id ${threadId}`,
      `no archived rollout found for thread id ${threadId}`,
      `thread not found: ${threadId}`,
      "invalid thread id: invalid length: expected length 32 for simple format, found 4",
    ]) {
      rig.bridge.codex.on(requests.threadRead, () => {
        throw new CodexFailure(-32600, message);
      });
      for (const endpoint of ["turns", "items"] as const) {
        expect(await rig.refusal({}, endpoint), message).toMatchObject({
          code: -32600,
          data: {
            reason: "history_not_found",
            retryable: false,
            sessionId: threadId,
            native: { code: -32600, data: null },
          },
        });
      }
    }
  });

  clause(
    ["HIST-72", "HIST-78"],
    "is unsupported where Codex has no such method or the history is of the legacy kind",
    async () => {
      rig = await startHistory();
      const unsupported = { reason: "history_unsupported", retryable: false };
      const listing =
        "Invalid request: unknown variant `thread/turns/list`, expected one of `initialize`, `thread/start`";
      const lacking = await failing(new CodexFailure(-32600, listing));
      expect(lacking).toMatchObject({ code: -32600, data: unsupported });
      expect(lacking.message).not.toContain("thread/start");
      expect(await failing(new CodexFailure(-32601, "Method not found"))).toMatchObject({
        code: -32601,
        data: unsupported,
      });
      rig.store.set(threadId, { thread: storedThread({ historyMode: "legacy" }), turns: [] });
      expect(await failing(new CodexFailure(-32601, "thread/items/list is not supported yet"), "items")).toMatchObject({
        code: -32601,
        data: { ...unsupported, native: { code: -32601, data: null } },
      });
    },
  );

  clause(["HIST-67", "HIST-68", "HIST-74"], "that nobody knows keeps its words, code and data", async () => {
    rig = await startHistory();
    expect(await failing(new CodexFailure(-31999, "the moon is full", { phase: ["full"] }))).toEqual({
      code: -31999,
      message: "the moon is full",
      data: {
        reason: "history_source_error",
        retryable: null,
        native: { code: -31999, data: { phase: ["full"] } },
      },
    });
  });

  clause(["HIST-73"], "is unavailable when Codex goes away, and works again after it", async () => {
    rig = await startHistory([{ thread: storedThread(), turns: [storedTurn("t", [])] }]);
    const { codex } = rig.bridge;
    for (const descriptor of [requests.threadRead, requests.threadTurnsList] as const) {
      const held = codex.hold(descriptor);
      const answer = rig.refusal({});
      await held.received();
      codex.die({ code: 1 });
      expect(await answer).toMatchObject({ code: -32603, data: { reason: "history_unavailable", retryable: true } });
    }
    expect((await rig.turns()).turns).toHaveLength(1);
  });

  test("to start at all is unavailable too", async () => {
    rig = await startHistory([{ thread: storedThread(), turns: [] }]);
    const { codex } = rig.bridge;
    codex.on(requests.initialize, () => {
      throw new CodexFailure(-32603, "out of order");
    });
    codex.die({ code: 1 });
    await rig.bridge.clock.settle();
    expect(await rig.refusal({})).toMatchObject({
      code: -32603,
      data: { reason: "history_unavailable", retryable: true },
    });
  });
});

describe("an answer of Codex that is not what was asked for", () => {
  const answering = (page: object, endpoint: "turns" | "items" = "turns") => {
    const held = rig.bridge.codex.hold(endpoint === "turns" ? requests.threadTurnsList : requests.threadItemsList);
    const answer = rig.refusal(
      endpoint === "turns" ? { itemsView: "full", limit: 2 } : { limit: 2, turnId: "t" },
      endpoint,
    );
    return held.received().then(() => {
      rig.answerRaw(page);
      return answer;
    });
  };
  const item: ThreadItem = agentMessage({ id: "m", text: "x" });
  const turn: Turn = storedTurn("t", [item]);

  clause(["HIST-75", "HIST-77", "HIST-79", "HIST-66"], "is an invalid page", async () => {
    rig = await startHistory();
    for (const page of [
      {},
      { data: {} },
      { data: [7] },
      { data: [{ ...turn, id: 7 }] },
      { data: [{ ...turn, items: null }] },
      { data: [{ ...turn, items: [{ type: "agentMessage" }] }] },
      { data: [{ ...turn, items: [{ type: "userMessage", id: "u" }] }] },
      { data: [turn, turn, turn] },
      { data: [], nextCursor: 7 },
    ]) {
      expect(await answering(page), JSON.stringify(page)).toMatchObject({
        code: -32603,
        data: { reason: "history_invalid_page", retryable: false },
      });
    }
    for (const page of [
      { data: [{ item }] },
      { data: [{ turnId: "another", item }] },
      { data: [{ turnId: "t", item: { id: "m" } }] },
    ]) {
      expect((await answering(page, "items")).data["reason"], JSON.stringify(page)).toBe("history_invalid_page");
    }
  });

  clause(["HIST-75", "HIST-79"], "and does not advance is an invalid page", async () => {
    rig = await startHistory([{ thread: storedThread(), turns: [turn, { ...turn, id: "t2" }] }]);
    const { nextCursor: cursor } = await rig.turns({ limit: 1 });
    rig.bridge.codex.on(requests.threadTurnsList, (params) => ({
      data: [],
      nextCursor: params.cursor ?? null,
      backwardsCursor: null,
    }));
    expect((await rig.refusal({ cursor })).data["reason"]).toBe("history_invalid_page");
  });

  clause(["HIST-75", "HIST-77"], "with less of its items is incomplete", async () => {
    rig = await startHistory();
    for (const itemsView of ["summary", "notLoaded"]) {
      expect(await answering({ data: [{ ...turn, itemsView }] })).toMatchObject({
        code: -32603,
        data: { reason: "history_incomplete", retryable: false },
      });
    }
    const deferred = await answering({ data: [{ turnId: "t", item, outputDeferred: true }] }, "items");
    expect(deferred.data["reason"]).toBe("history_incomplete");
  });

  test("as metadata is an invalid page", async () => {
    rig = await startHistory();
    for (const thread of [null, { id: threadId }, { ...storedThread(), createdAt: "today" }]) {
      const held = rig.bridge.codex.hold(requests.threadRead);
      const answer = rig.refusal({});
      await held.received();
      rig.answerRaw({ thread });
      expect((await answer).data["reason"]).toBe("history_invalid_page");
    }
  });
});

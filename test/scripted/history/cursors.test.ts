import { afterEach, describe, expect, test } from "vitest";
import { requests } from "../../../src/generated/codex/methods.js";
import { CodexFailure } from "../../../src/testing/scripted-codex/core.js";
import { agentMessage } from "../../../src/testing/scripted-codex/items.js";
import { clause } from "../../support/clause.js";
import { type HistoryRig, startHistory, storedThread, storedTurn, threadId } from "./rig.js";

let rig: HistoryRig;

afterEach(() => rig.bridge.close());

const other = "0199cccc-0000-7000-8000-000000000002";

const turns = () =>
  Array.from({ length: 4 }, (_, n) =>
    storedTurn(`turn-${n}`, [
      agentMessage({ id: `a-${n}`, text: "a" }),
      agentMessage({ id: `b-${n}`, text: "b" }),
      agentMessage({ id: `c-${n}`, text: "c" }),
    ]),
  );

const start = async () => {
  rig = await startHistory([
    { thread: storedThread(), turns: turns() },
    { thread: storedThread({ id: other }), turns: turns() },
  ]);
};

const invalid = { code: -32602, data: { reason: "history_invalid_cursor", retryable: false } };

describe("a cursor", () => {
  clause(["HIST-16", "HIST-19", "HIST-65", "HIST-69"], "of turns goes on with its own traversal alone", async () => {
    await start();
    const { nextCursor: cursor } = await rig.turns({ limit: 1, itemsView: "full" });
    const same = { cursor, itemsView: "full" };
    rig.reads();
    for (const changed of [
      { sessionId: other },
      { sortDirection: "desc" },
      { mode: "export" },
      { itemsView: "summary" },
      { includeNative: true },
    ]) {
      expect(await rig.refusal({ ...same, ...changed })).toMatchObject(invalid);
    }
    expect(await rig.refusal({ cursor }, "items")).toMatchObject(invalid);
    expect(rig.reads()).toEqual([]);
    expect((await rig.turns({ cursor, itemsView: "full" })).turns).toHaveLength(3);
  });

  clause(["HIST-16", "HIST-65"], "of items goes on with its own traversal and turn alone", async () => {
    await start();
    const { nextCursor: cursor } = await rig.items({ turnId: "turn-1", limit: 1 });
    for (const changed of [
      { turnId: "turn-2" },
      { turnId: undefined },
      { sessionId: other },
      { sortDirection: "desc" },
      { mode: "export" },
      { includeNative: true },
    ]) {
      expect(await rig.refusal({ cursor, turnId: "turn-1", ...changed }, "items")).toMatchObject(invalid);
    }
    expect(await rig.refusal({ cursor })).toMatchObject(invalid);
    expect((await rig.items({ cursor, turnId: "turn-1" })).items).toHaveLength(2);
  });

  clause(["HIST-27", "HIST-77"], "that is old or made up is refused before anything is read", async () => {
    await start();
    const old = Buffer.from(JSON.stringify({ version: 1, sessionId: threadId, cursor: "at 1" })).toString("base64url");
    rig.reads();
    for (const cursor of [old, `h1.${old}`, "at 1", "", "h2.", "h2..", "h2.a.b.c", '{"rolloutOrdinal":1}']) {
      expect(await rig.refusal({ cursor }), cursor).toMatchObject(invalid);
      expect(await rig.refusal({ cursor }, "items"), cursor).toMatchObject(invalid);
    }
    expect(rig.reads()).toEqual([]);
  });

  test("that was changed anywhere is refused", async () => {
    await start();
    const { nextCursor } = await rig.turns({ limit: 1 });
    const cursor = nextCursor ?? "";
    expect(cursor.length).toBeGreaterThan(60);
    for (let at = 0; at < cursor.length; at += 7) {
      const changed = `${cursor.slice(0, at)}${cursor[at] === "A" ? "B" : "A"}${cursor.slice(at + 1)}`;
      expect(await rig.refusal({ cursor: changed }), `at ${at}`).toMatchObject(invalid);
    }
    expect(await rig.refusal({ cursor: cursor.slice(0, -1) })).toMatchObject(invalid);
    expect(await rig.refusal({ cursor: `${cursor}A` })).toMatchObject(invalid);
  });

  clause(["HIST-45", "HIST-67", "HIST-68"], "that Codex refuses is an invalid one, with Codex's code", async () => {
    await start();
    const { nextCursor: cursor } = await rig.turns({ limit: 1 });
    rig.bridge.codex.on(requests.threadTurnsList, () => {
      throw new CodexFailure(-32600, "invalid cursor: rolled back", { at: 3 });
    });
    expect(await rig.refusal({ cursor })).toMatchObject({
      code: -32600,
      data: { reason: "history_invalid_cursor", retryable: false, native: { code: -32600, data: { at: 3 } } },
    });
  });

  clause(["HIST-18", "HIST-25"], "takes another limit and another budget on each page", async () => {
    await start();
    const first = await rig.turns({ limit: 1, maxBytes: 1024 * 1024 });
    const second = await rig.turns({ limit: 2, maxBytes: 16 * 1024 * 1024, cursor: first.nextCursor });
    expect(second.turns.map(({ turnId }) => turnId)).toEqual(["turn-1", "turn-2"]);
    const third = await rig.turns({ limit: 9, maxBytes: 1024, cursor: second.nextCursor });
    expect(third).toMatchObject({ complete: true });
  });
});

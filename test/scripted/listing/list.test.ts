import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { requests } from "../../../src/generated/codex/methods.js";
import { hostRequests } from "../../../src/generated/contract/methods.js";
import { CodexFailure } from "../../../src/testing/scripted-codex/core.js";
import { clause } from "../../support/clause.js";
import { type ListRig, row, startList } from "./rig.js";

let rig: ListRig;

beforeEach(async () => {
  rig = await startList(new Map([["b", "a"]]));
});
afterEach(() => rig.bridge.close());

const list = (params: object = {}) => rig.bridge.host.request(hostRequests.sessionList, params);
const listAll = (params?: unknown) => rig.bridge.host.call(hostRequests.codexSessionList.method, params);
const ids = (result: unknown): string[] => Object(result).sessions.map((it: { sessionId: string }) => it.sessionId);

describe("a page", () => {
  clause(["BRANCH-09", "BRANCH-10", "BRANCH-18", "BRANCH-19"], "is Codex's own, with the lineage of each", async () => {
    const { codex } = rig.bridge;
    rig.pages.set("", { rows: [row("a", { name: "Named" }), row("b", { parentThreadId: "a" })], next: "c-1" });
    expect(await list()).toEqual({
      sessions: [
        {
          sessionId: "a",
          cwd: "/home/user/project",
          title: "Named",
          updatedAt: "2027-01-15T08:00:00.000Z",
          archived: false,
          _meta: { codex: { archived: false, nativeSessionId: "a", forkedFromId: null } },
        },
        {
          sessionId: "b",
          cwd: "/home/user/project",
          title: "about b",
          updatedAt: "2027-01-15T08:00:00.000Z",
          archived: false,
          _meta: { codex: { archived: false, nativeSessionId: "b", forkedFromId: "a" } },
        },
      ],
      nextCursor: "c-1",
    });
    rig.pages.set("c-1", { rows: [row("c")], next: null });
    const second = await list({ cursor: "c-1", cwd: "/home/user/project" });
    expect(ids(second)).toEqual(["c"]);
    expect(second).not.toHaveProperty("nextCursor");
    expect(rig.asked()).toEqual([{ archived: false }, { archived: false, cursor: "c-1", cwd: "/home/user/project" }]);
    expect(codex.calls(requests.threadRead)).toHaveLength(3);
  });

  test("of the archived ones is asked for in either way", async () => {
    rig.pages.set("", { rows: [row("a")], next: null });
    for (const params of [{ archived: "only" }, { _meta: { codex: { archived: true } } }]) {
      expect((await list(params)).sessions[0]).toMatchObject({ archived: true, _meta: { codex: { archived: true } } });
    }
    expect(rig.asked()).toEqual([{ archived: true }, { archived: true }]);
  });

  test("off the contract is refused with its path", async () => {
    rig.pages.set("", { rows: [], next: null });
    for (const [params, path] of [
      [{ cwd: "here" }, "/cwd"],
      [{ archived: "never" }, "/archived"],
      [{ cursor: 1 }, "/cursor"],
      [{ _meta: { codex: { archived: 1 } } }, "/_meta/codex/archived"],
    ] as const) {
      const answer = rig.bridge.host.call(hostRequests.sessionList.method, params);
      await expect(answer).rejects.toMatchObject({ code: -32602, data: { path } });
    }
    expect(rig.asked()).toEqual([]);
    await expect(list({ cursor: "no such" })).rejects.toMatchObject({ code: -32602, data: { path: "/cursor" } });
  });

  test("does not lead back to itself", async () => {
    rig.pages.set("", { rows: [row("a")], next: "1" });
    rig.pages.set("1", { rows: [row("b")], next: "1" });
    expect(await list()).toMatchObject({ nextCursor: "1" });
    await expect(list({ cursor: "1" })).rejects.toMatchObject({ code: -32603, data: { method: "thread/list" } });
  });

  test("has a thread that cannot be read any more", async () => {
    rig.pages.set("", { rows: [row("a")], next: null });
    rig.bridge.codex.on(requests.threadRead, () => {
      throw new CodexFailure(-32603, "its file is gone");
    });
    expect(ids(await list())).toEqual(["a"]);
  });
});

describe("the whole list", () => {
  const three = (): void => {
    rig.pages.set("", { rows: [row("a"), row("b", { cwd: "/elsewhere" })], next: "1" });
    rig.pages.set("1", { rows: [row("b"), row("c")], next: "2" });
    rig.pages.set("2", { rows: [row("d")], next: null });
  };

  clause(["LIST-12", "LIST-13", "LIST-18", "LIST-20"], "has each thread once, walked anew each time", async () => {
    three();
    for (const params of [undefined, null, {}]) {
      const result = await listAll(params);
      expect(ids(result)).toEqual(["a", "b", "c", "d"]);
      expect(Object.keys(Object(result))).toEqual(["sessions"]);
    }
    const walk = [{ archived: false, limit: 100 }].concat(
      ["1", "2"].map((cursor) => ({ archived: false, limit: 100, cursor })),
    );
    expect(rig.asked()).toEqual([...walk, ...walk, ...walk]);
    await list();
    const scopes = rig.bridge.codex.calls(requests.threadList).map(({ params: { modelProviders, sourceKinds } }) => ({
      modelProviders,
      sourceKinds,
    }));
    expect(new Set(scopes.map((scope) => JSON.stringify(scope))).size).toBe(1);
    expect(scopes[0]?.modelProviders).toEqual([]);
  });

  test("is one page as soon as anything is asked for", async () => {
    three();
    for (const params of [{ cursor: null }, { cwd: null }, { _meta: null }]) {
      expect(await listAll(params)).toMatchObject({ nextCursor: "1" });
    }
    expect(rig.asked()).toEqual([{ archived: false }, { archived: false }, { archived: false }]);
  });

  clause(["LIST-16"], "comes whole or not at all", async () => {
    three();
    const { codex } = rig.bridge;
    codex.on(requests.threadList, ({ cursor }) => {
      if (cursor === "1") throw new CodexFailure(-32603, "the disk is gone");
      return { data: [row("a")], nextCursor: "1", backwardsCursor: null };
    });
    await expect(listAll()).rejects.toMatchObject({ code: -32603, message: "the disk is gone" });
  });

  clause(["LIST-17"], "ends in an error when Codex's pages do not end", async () => {
    rig.pages.set("", { rows: [row("a")], next: "1" });
    rig.pages.set("1", { rows: [row("b")], next: "2" });
    rig.pages.set("2", { rows: [row("c")], next: "1" });
    await expect(listAll()).rejects.toMatchObject({ code: -32603, data: { method: "thread/list" } });
  });

  clause(["LIST-21"], "stands when threads come and go between its pages", async () => {
    three();
    const { codex } = rig.bridge;
    codex.on(requests.threadList, ({ cursor }) => {
      if (cursor == null) return { data: [row("a"), row("b")], nextCursor: "1", backwardsCursor: null };
      // One was added at the front and one was deleted, so that the second page repeats one of the first.
      return { data: [row("b"), row("c")], nextCursor: null, backwardsCursor: null };
    });
    expect(ids(await listAll())).toEqual(["a", "b", "c"]);
  });
});

describe("what the rows do not tell", () => {
  const reads = () => rig.bridge.codex.calls(requests.threadRead).map(({ params }) => params.threadId);

  test("is asked for by at most eight reads at once, over all lists", async () => {
    const { codex, clock } = rig.bridge;
    rig.pages.set("", { rows: Array.from({ length: 20 }, (_, n) => row(`t-${n}`)), next: null });
    const held = Array.from({ length: 40 }, () => codex.hold(requests.threadRead));
    const lists = Promise.all([listAll(), list()]);
    for (const [n, one] of held.entries()) {
      await clock.settle();
      expect(reads()).toHaveLength(Math.min(40, n + 8));
      one.answer({ thread: row(reads()[n] ?? "") });
    }
    for (const result of await lists) expect(ids(result)).toHaveLength(20);
  });

  test("is asked for once, and again when the thread has changed", async () => {
    rig.pages.set("", { rows: [row("a"), row("b"), row("c", { forkedFromId: "a" })], next: null });
    const first = await listAll();
    expect(reads()).toEqual(["a", "b"]);
    expect(await listAll()).toEqual(first);
    expect(Object(await list()).sessions).toEqual(Object(first).sessions);
    expect(reads()).toEqual(["a", "b"]);
    rig.pages.set("", { rows: [row("a"), row("b", { updatedAt: 1_800_000_001 })], next: null });
    await list();
    expect(reads()).toEqual(["a", "b", "b"]);
  });
});

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { requests } from "../../../src/generated/codex/methods.js";
import type { Thread } from "../../../src/generated/codex/types.js";
import { hostRequests } from "../../../src/generated/contract/methods.js";
import { CodexFailure } from "../../../src/testing/scripted-codex/core.js";
import { type ListRig, row, startList } from "./rig.js";

let rig: ListRig;
/** Codex's pages by archive state and cursor. */
let pages: Map<string, { readonly rows: readonly Thread[]; readonly next: string | null }>;

beforeEach(async () => {
  rig = await startList();
  pages = new Map();
  rig.bridge.codex.on(requests.threadList, ({ archived, cursor }) => {
    const page = pages.get(`${archived === true} ${cursor ?? ""}`);
    if (!page) throw new CodexFailure(-32600, `invalid cursor: ${cursor}`);
    return { data: [...page.rows], nextCursor: page.next, backwardsCursor: null };
  });
});
afterEach(() => rig.bridge.close());

const list = (cursor?: string | null) =>
  rig.bridge.host.request(hostRequests.sessionList, {
    cwd: "/home/user/project",
    archived: "include",
    ...(cursor == null ? {} : { cursor }),
  });

/** The whole walk of a host: what each page had, and whether that was archived. */
async function walk(): Promise<(readonly [string, unknown])[][]> {
  const walked: (readonly [string, unknown])[][] = [];
  for (let cursor: string | null | undefined = null; walked.length === 0 || cursor != null; ) {
    const page = await list(cursor);
    walked.push(page.sessions.map(({ sessionId, archived }) => [sessionId, archived] as const));
    cursor = page.nextCursor;
  }
  return walked;
}

describe("a list over both archive states", () => {
  test("has the live threads first, then the archived ones, a native page at a time", async () => {
    pages.set("false ", { rows: [row("a")], next: "1" });
    pages.set("false 1", { rows: [row("b")], next: null });
    pages.set("true ", { rows: [row("x")], next: "1" });
    pages.set("true 1", { rows: [row("y")], next: null });
    expect(await walk()).toEqual([[["a", false]], [["b", false]], [["x", true]], [["y", true]]]);
    const cwd = "/home/user/project";
    expect(rig.asked()).toEqual([
      { archived: false, cwd },
      { archived: false, cwd, cursor: "1" },
      { archived: true, cwd },
      { archived: true, cwd, cursor: "1" },
    ]);
  });

  test("goes on to the archive at once when nothing is live", async () => {
    pages.set("false ", { rows: [], next: null });
    pages.set("true ", { rows: [row("x")], next: null });
    expect(await walk()).toEqual([[["x", true]]]);
  });

  test("refuses a cursor that another list gave, and one that Codex refuses", async () => {
    pages.set("false ", { rows: [row("a")], next: "1" });
    for (const cursor of ["1", "live:", "live:no such", "archived:no such", "Archived:"]) {
      await expect(list(cursor), cursor).rejects.toMatchObject({ code: -32602, data: { path: "/cursor" } });
    }
  });

  test("refuses a page that leads back to itself, in either part", async () => {
    pages.set("false 1", { rows: [row("a")], next: "1" });
    pages.set("true 1", { rows: [row("x")], next: "1" });
    for (const cursor of ["live:1", "archived:1"]) {
      await expect(list(cursor)).rejects.toMatchObject({ code: -32603, data: { method: "thread/list" } });
    }
  });
});

import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { requests } from "../../../src/generated/codex/methods.js";
import type { Thread } from "../../../src/generated/codex/types.js";
import { hostRequests } from "../../../src/generated/contract/methods.js";
import { clause } from "../../support/clause.js";
import { scratch } from "../../support/places.js";
import { type ListRig, row, startList } from "./rig.js";

const cwd = "/home/user/project";
const idOf = (n: number): string => `01a22f9f-9fd2-74b1-aaf7-${String(n).padStart(12, "0")}`;
const [source, fork, other] = [idOf(1), idOf(2), idOf(3)];

let codexHome: string;
let rig: ListRig;

beforeEach(() => {
  mkdirSync(scratch, { recursive: true });
  codexHome = mkdtempSync(join(scratch, "home-"));
});
afterEach(async () => {
  await rig.bridge.close();
  rmSync(codexHome, { recursive: true });
});

const header = (id: string, meta: object): string =>
  JSON.stringify({ timestamp: "2026-12-01T03:00:00Z", type: "session_meta", payload: { id, cwd, ...meta } });

function write(id: string, lines: readonly string[], folder = "sessions/2026/12/01"): string {
  const path = join(codexHome, folder, `rollout-2026-12-01T03-00-00-${id}.jsonl`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, lines.map((line) => `${line}\n`).join(""));
  return path;
}

/** A fork that nobody has prompted: Codex reads it, and does not list it. */
function hide(id: string, fields: Partial<Thread> = {}, folder?: string): void {
  const thread = row(id, { preview: "", forkedFromId: source, ...fields });
  write(id, [header(id, { forked_from_id: source, cwd: thread.cwd })], folder);
  rig.hidden.set(id, thread);
}

const start = async (version = "0.161.0"): Promise<void> => {
  rig = await startList(new Map(), { version, codexHome });
  rig.pages.set("", { rows: [row(source)], next: null });
};

const list = (params: object = {}) => rig.bridge.host.request(hostRequests.sessionList, params);
const listAll = () => rig.bridge.host.request(hostRequests.codexSessionList, {});
const ids = ({ sessions }: Awaited<ReturnType<typeof list>>): string[] => sessions.map(({ sessionId }) => sessionId);
const read = (): string[] => rig.bridge.codex.calls(requests.threadRead).map(({ params }) => params.threadId);

describe("forks that Codex leaves out of its list", () => {
  clause(["BRANCH-15"], "are found in the headers of its rollouts and read like any thread", async () => {
    await start();
    hide(fork);
    const { sessions } = await list();
    expect(sessions.at(-1)).toMatchObject({
      sessionId: fork,
      cwd,
      title: null,
      archived: false,
      _meta: { codex: { archived: false, nativeSessionId: fork, forkedFromId: source } },
    });
    expect(read().sort()).toEqual([source, fork]);
    expect(ids(await listAll())).toEqual([source, fork]);
  });

  clause(["BRANCH-14"], "only the first line of a rollout counts, and only beneath Codex's own folders", async () => {
    await start();
    hide(fork);
    const poison = header(other, { forked_from_id: source });
    write(other, [header(other, {}), poison]);
    rig.hidden.set(other, row(other, { forkedFromId: source }));
    const outside = idOf(4);
    rig.hidden.set(outside, row(outside, { forkedFromId: source }));
    write(outside, [header(outside, { forked_from_id: source })], "elsewhere");
    symlinkSync(join(codexHome, "elsewhere"), join(codexHome, "sessions", "2027"));
    expect(ids(await list())).toEqual([source, fork]);
    expect(read()).not.toContain(other);
    expect(read()).not.toContain(outside);
  });

  clause(["BRANCH-16"], "every page is looked at before one is added", async () => {
    await start();
    hide(fork);
    hide(other);
    rig.pages.set("", { rows: [row(source)], next: "1" });
    rig.pages.set("1", { rows: [row(idOf(8))], next: "2" });
    rig.pages.set("2", { rows: [row(fork, { forkedFromId: source })], next: null });
    const first = await list({ cwd });
    expect(ids(first)).toEqual([source, other]);
    expect(first.nextCursor).toBe("1");
    expect(rig.asked()).toEqual([
      { archived: false, cwd },
      { archived: false, cwd, cursor: "1" },
      { archived: false, cwd, cursor: "2" },
    ]);
    expect(ids(await list({ cwd, cursor: "1" }))).toEqual([idOf(8)]);
    expect(ids(await list({ cwd, cursor: "2" }))).toEqual([fork]);
    expect(ids(await listAll())).toEqual([source, idOf(8), fork, other]);
  });

  clause(["BRANCH-17"], "those of another source, archive state or folder stay out", async () => {
    await start();
    hide(fork);
    hide(other, {}, "archived_sessions");
    const [agents, elsewhere, root, gone] = [idOf(4), idOf(5), idOf(6), idOf(7)];
    hide(agents, { source: { subAgent: "review" } });
    hide(elsewhere, { cwd: "/elsewhere" });
    // The header says what Codex does not confirm.
    hide(root, { forkedFromId: null });
    write(gone, [header(gone, { forked_from_id: source })]);
    expect(ids(await list({ cwd })).sort()).toEqual([source, fork]);
    expect(ids(await list()).sort()).toEqual([source, fork, elsewhere]);
    expect(ids(await list({ archived: "only" })).sort()).toEqual([source, other]);
    expect(ids(await list({ cwd: "/elsewhere" }))).toEqual([source, elsewhere]);
  });

  test("are not looked for on a Codex that lists them", async () => {
    await start("0.171.0");
    hide(fork);
    expect(ids(await list())).toEqual([source]);
    expect(ids(await listAll())).toEqual([source]);
    expect(read()).not.toContain(fork);
  });

  test("are not looked for in pages that nobody needs", async () => {
    await start();
    rig.pages.set("", { rows: [row(source)], next: "1" });
    expect(ids(await list())).toEqual([source]);
    expect(rig.asked()).toEqual([{ archived: false }]);
  });
});

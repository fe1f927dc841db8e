import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { requests } from "../../../src/generated/codex/methods.js";
import { agentMessage, reasoning, userMessage } from "../../../src/testing/scripted-codex/items.js";
import { type StandIn, serveStandIn } from "../../../src/testing/scripted-codex/serve-stand-in.js";
import { bundledAgent } from "../../support/bridge.js";
import { createGround, type Ground } from "../../support/codex-rig.js";
import { scratch } from "../../support/places.js";
import { keepThreads, type Stored, storedThread, storedTurn, threadId } from "./rig.js";

let ground: Ground;
let standIn: StandIn;
let folder: string;
let store: Map<string, Stored>;

const turn = (n: number) =>
  storedTurn(`turn-${n}`, [
    userMessage({ id: `user-${n}`, content: [{ type: "text", text: `ask ${n}` }] }),
    reasoning({ id: `thought-${n}`, summary: ["short"], content: ["long"] }),
    agentMessage({ id: `msg-${n}`, text: `answer ${n}` }),
  ]);

beforeEach(async () => {
  ground = createGround();
  const turns = Array.from({ length: 60 }, (_, n) => turn(n));
  store = keepThreads(ground.codex, [{ thread: storedThread({ status: { type: "idle" } }), turns }]);
  standIn = await serveStandIn(ground.codex);
  await mkdir(scratch, { recursive: true });
  folder = await mkdtemp(join(scratch, "history-"));
});

afterEach(async () => {
  await standIn.close();
  await rm(folder, { recursive: true, force: true });
  ground.checker.assertClean();
});

/** `dist/cli.js history …`, with its home in the test's folder. */
function start(...args: string[]) {
  const child = spawn(bundledAgent.command, [...bundledAgent.args, "history", ...args], {
    cwd: folder,
    env: { ...bundledAgent.env, ...standIn.env, HOME: folder, NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      output[name] += text;
    });
  }
  const exited = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) =>
    child.once("close", (code) => resolve({ code, ...output })),
  );
  return { child, exited };
}

const files = () => readdir(folder);
const lines = async () =>
  (await readFile(join(folder, "out.jsonl"), "utf8"))
    .trimEnd()
    .split("\n")
    .map((it) => JSON.parse(it));

describe("codex-acp-kit history", () => {
  test("exports a session: a line for it, one for each turn, its progress and its omissions on stderr", async () => {
    const { code, stdout, stderr } = await start(threadId, "--export", "out.jsonl").exited;
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    const [session, ...turns] = await lines();
    expect(session).toMatchObject({ type: "session", sessionId: threadId, revision: expect.any(String) });
    expect(turns.map(({ type, turnId }) => `${type} ${turnId}`)).toEqual(
      Array.from({ length: 60 }, (_, n) => `turn turn-${n}`),
    );
    expect(stderr).toMatch(/^50 turns\n60 turns, complete\n/);
    expect(stderr.match(/^omitted {2}thought-\d+ {2}content: /gm)).toHaveLength(60);
    expect(await files()).toEqual(["out.jsonl"]);
  });

  test("exports items with native records", async () => {
    const { code, stderr } = await start(threadId, "--export", "out.jsonl", "--items", "--native").exited;
    expect(code).toBe(0);
    const [, ...items] = await lines();
    expect(items).toHaveLength(180);
    expect(items[0]).toMatchObject({ type: "item", itemId: "user-0", _meta: { codex: { item: { id: "user-0" } } } });
    expect(stderr).toContain("180 items, complete");
  });

  test("prints a session for people", async () => {
    const { code, stdout } = await start(threadId).exited;
    expect(code).toBe(0);
    expect(stdout).toMatch(/^hello {2}\/home\/user\/project\n/);
    for (const said of ["user    ask 7", "agent   answer 7", "thinks  short"]) expect(stdout).toContain(said);
  });

  test("fails when the session changed meanwhile, and leaves the old file and nothing else", async () => {
    await writeFile(join(folder, "out.jsonl"), "kept\n");
    let pages = 0;
    const { turns } = store.get(threadId) ?? { turns: [] };
    ground.codex.on(requests.threadTurnsList, (params) => {
      if (params.itemsView === "full") pages += 1;
      if (pages === 1)
        store.set(threadId, { thread: storedThread({ status: { type: "idle" }, name: "changed" }), turns });
      const data = params.itemsView === "full" ? turns.slice(0, 50) : [];
      return { data, nextCursor: params.itemsView === "full" ? "at 50" : null, backwardsCursor: null };
    });
    const { code, stderr } = await start(threadId, "--export", "out.jsonl").exited;
    expect(code).toBe(1);
    expect(stderr).toContain("history_changed");
    expect(await files()).toEqual(["out.jsonl"]);
    expect(await readFile(join(folder, "out.jsonl"), "utf8")).toBe("kept\n");
  });

  test("fails for a session that does not exist, and for a folder that does not", async () => {
    const unknown = await start("0199aaaa-0000-7000-8000-000000000000", "--export", "out.jsonl").exited;
    expect(unknown).toMatchObject({ code: 1, stdout: "" });
    expect(unknown.stderr).toContain("history_not_found");
    expect((await start(threadId, "--export", "nowhere/out.jsonl").exited).code).toBe(1);
    expect(await files()).toEqual([]);
  });

  test("refuses native records on a terminal as wrong use", async () => {
    expect(await start(threadId, "--native").exited).toMatchObject({ code: 2, stdout: "" });
  });

  test("ends at once when it is interrupted, with nothing left behind", async () => {
    const held = ground.codex.hold(requests.threadTurnsList);
    const { child, exited } = start(threadId, "--export", "out.jsonl");
    await held.received();
    child.kill("SIGINT");
    const { code, stderr } = await exited;
    expect({ code, cancelled: stderr.includes("history_cancelled") }).toEqual({ code: 130, cancelled: true });
    expect(await files()).toEqual([]);
  });
});

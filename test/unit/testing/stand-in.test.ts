import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { listProcesses } from "../../../src/codex/process-table.js";
import { startCodexProcess } from "../../../src/codex/process-transport.js";
import { notifications, requests, serverRequests } from "../../../src/generated/codex/methods.js";
import { type StandIn, serveStandIn } from "../../../src/testing/scripted-codex/serve-stand-in.js";
import { type CodexUser, connectUser, createGround, type Ground, handshake } from "../../support/codex-rig.js";

let ground: Ground;
let standIn: StandIn;

beforeEach(async () => {
  ground = createGround();
  standIn = await serveStandIn(ground.codex);
});

afterEach(async () => {
  await standIn.close();
  ground.checker.assertClean();
});

const env = (): NodeJS.ProcessEnv => ({ PATH: process.env["PATH"], ...standIn.env });

const start = async (): Promise<CodexUser> => {
  const command = standIn.env["CODEX_PATH"] ?? "";
  const user = connectUser(startCodexProcess({ command, args: ["app-server"], env: env() }));
  await handshake(user);
  return user;
};

/** A process that waits to be reaped is gone, too. */
const gone = (pid: number | undefined): boolean => !listProcesses().some((entry) => entry.pid === pid);

test("the process speaks for the test, and one log holds both sides", async () => {
  const user = await start();
  expect(standIn.args).toEqual(["app-server"]);
  const { thread } = await user.client.threadStart({ cwd: "/home/user/project" });
  const asked = ground.codex.ask(serverRequests.itemFileChangeRequestApproval, {
    threadId: thread.id,
    turnId: "t",
    itemId: "i",
    startedAtMs: 1,
  });
  await ground.codex.waits.within("the request", user.client.threadList({}));
  user.connection.respond(0, { decision: "cancel" });
  expect(await asked.answer).toEqual({ decision: "cancel" });
  expect(ground.log.frames("codex").map(({ from, frame }) => `${from} ${Object(frame).method ?? "answer"}`)).toEqual([
    "bridge initialize",
    "codex answer",
    "bridge initialized",
    "bridge thread/start",
    "codex answer",
    "codex thread/started",
    "codex item/fileChange/requestApproval",
    "bridge thread/list",
    "codex answer",
    "bridge answer",
    "codex serverRequest/resolved",
  ]);
  expect(await user.connection.stop()).toMatchObject({ code: 0 });
  expect(gone(standIn.pids[0])).toBe(true);
});

test("it dies as told, after what it sent", async () => {
  const user = await start();
  const lost = user.client.appList({}).catch((error: unknown) => String(error));
  ground.codex.notify(notifications.skillsChanged, {});
  ground.codex.die({ code: 3, stderr: "fatal: scripted\n" });
  expect(await lost).toContain("Codex exited with code 3");
  expect(user.told.map(({ method }) => method)).toEqual(["skills/changed"]);
  expect(user.strays).toEqual(["lost 3 fatal: scripted"]);
});

test("it can be killed by a signal", async () => {
  const user = await start();
  ground.codex.die({ signal: "SIGKILL" });
  await expect(user.client.threadList({})).rejects.toThrow("Codex was ended by SIGKILL");
});

test("a stubborn one with a child of its own must be forced", async () => {
  ground.codex.obedient = false;
  const user = await start();
  const child = await standIn.spawnChild();
  expect(gone(child)).toBe(false);
  await user.connection.stop();
  expect([gone(standIn.pids[0]), gone(child)]).toEqual([true, true]);
  expect(ground.log.tail()).toContain("codex is asked to end: stdin-end");
}, 15_000);

test("a string of 64 MiB goes through it both ways", async () => {
  const user = await start();
  const text = "x".repeat(64 << 20);
  ground.codex.on(requests.fuzzyFileSearch, ({ query }) => ({ files: [], query }));
  const answer = await user.client.fuzzyFileSearch({ query: text, roots: [] });
  expect(Object(answer).query.length).toBe(text.length);
  expect(ground.codex.calls(requests.fuzzyFileSearch)[0]?.params.query.length).toBe(text.length);
  await user.connection.stop();
});

test("it ends when the test does", async () => {
  const user = await start();
  await standIn.close();
  await expect(user.client.threadList({})).rejects.toThrow("Codex exited with code 70");
});

test("it has a version, and refuses to run without a test", async () => {
  const command = standIn.env["CODEX_PATH"] ?? "";
  const { stdout } = await promisify(execFile)(command, ["--version"], { env: env() });
  expect(stdout).toMatch(/^codex-cli 0\.171\.\d+\n$/);
  await expect(promisify(execFile)(command, ["app-server"], { env: { PATH: process.env["PATH"] } })).rejects.toThrow(
    "needs SCRIPTED_CODEX",
  );
});

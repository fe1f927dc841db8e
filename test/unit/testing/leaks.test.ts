import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { leaksSince, leftProcesses, openResources, settledLeaks } from "../../support/leaks.js";
import { scratch } from "../../support/places.js";

const idle = ["-e", "process.stdout.write('up'); setInterval(() => undefined, 60_000)"];

test("a child process and a server are found while they live, and not after", async () => {
  const before = openResources();
  const child = spawn(process.execPath, idle, { stdio: "ignore" });
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const found = leaksSince(before);
  expect(found.slice(0, 2)).toEqual(["1 ProcessWrap", "1 TCPServerWrap"]);
  expect(found[2]).toContain(`process ${child.pid}: `);
  child.kill("SIGKILL");
  server.close();
  await Promise.all([once(child, "close"), once(server, "close")]);
  expect(await settledLeaks(before)).toEqual([]);
});

test.runIf(process.platform === "linux")("a process is known by its mark or by its folder", async () => {
  // Its own: other files of the run have theirs beside it.
  const folder = join(scratch, "leaks");
  mkdirSync(folder, { recursive: true });
  const stdio = ["ignore", "pipe", "ignore"] as const;
  const marked = spawn(process.execPath, idle, { stdio: [...stdio], env: { MARK: "a b" }, cwd: "/" });
  const placed = spawn(process.execPath, idle, { stdio: [...stdio], env: {}, cwd: folder });
  const children = [marked, placed];
  await Promise.all(children.map(({ stdout }) => once(stdout ?? child(), "data")));
  const pids = (lines: string[]): (number | undefined)[] =>
    children.map(({ pid }) => pid).filter((pid) => lines.some((line) => line.startsWith(`process ${pid}: `)));
  expect(pids(leftProcesses("MARK=a b", "/no/such/folder", () => false))).toEqual([marked.pid]);
  expect(pids(leftProcesses("MARK=other", folder, () => false))).toEqual([placed.pid]);
  expect(leftProcesses("MARK=a b", folder, () => true)).toEqual([]);
  for (const it of children) it.kill("SIGKILL");
  await Promise.all(children.map((it) => once(it, "close")));
  rmSync(folder, { recursive: true, force: true });
});

function child(): never {
  throw new Error("the child has no stdout");
}

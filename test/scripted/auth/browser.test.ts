/** The agent as a host starts it, on a machine whose browser is a script of this test. */

import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type BridgeProcess, startBridgeProcess } from "../../support/bridge.js";
import { scratch } from "../../support/places.js";
import { initialize } from "../handshake/rig.js";
import { ended, givenUp, login, serveLogins, started } from "./rig.js";

let folder: string;
let bridge: BridgeProcess | undefined;

beforeEach(async () => {
  await mkdir(scratch, { recursive: true });
  folder = await mkdtemp(join(scratch, "browser-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));
afterEach(() => bridge?.close());

const opened = () => readFile(join(folder, "opened"), "utf8");

/** `PATH` with what opens pages on Linux and macOS. */
async function withBrowser(): Promise<string> {
  for (const name of ["xdg-open", "open"]) {
    const path = join(folder, name);
    await writeFile(path, `#!/bin/sh\nprintf '%s\\n' "$@" >> '${join(folder, "opened")}'\n`);
    await chmod(path, 0o755);
  }
  return `${folder}:${process.env["PATH"]}`;
}

async function start(env: Readonly<Record<string, string>>) {
  bridge = await startBridgeProcess({ env });
  serveLogins(bridge);
  const { authMethods } = await initialize(bridge);
  return { bridge, offered: (authMethods ?? []).map(({ methodId }) => methodId) };
}

test("the page of a sign-in opens there, its address in one piece", async () => {
  const { bridge: it, offered } = await start({ PATH: await withBrowser() });
  expect(offered).toContain("chat-gpt");
  const answer = login(it, "chat-gpt");
  const url = "https://auth.openai.com/authorize?state=1&b=%20";
  await vi.waitFor(async () => expect(await opened()).toBe(`${url}\n`), 5000);
  ended(it, true);
  expect(await answer).toEqual({});
  expect(it.agent.stderr).toBe("");
});

test("NO_BROWSER keeps it shut: the way is not offered, and refused", async () => {
  const { bridge: it, offered } = await start({ PATH: await withBrowser(), NO_BROWSER: "1" });
  expect(offered).not.toContain("chat-gpt");
  await expect(login(it, "chat-gpt")).rejects.toMatchObject({ code: -32602 });
  expect(started(it)).toEqual([]);
  await expect(opened()).rejects.toMatchObject({ code: "ENOENT" });
});

test("a machine without one fails the sign-in, and the agent goes on", async () => {
  // Node's own folder may hold a browser's command, too; the stand-in for Codex finds Node through a link.
  const bin = join(folder, "bin");
  await mkdir(bin);
  await writeFile(join(bin, "node"), `#!/bin/sh\nexec '${process.execPath}' "$@"\n`);
  await chmod(join(bin, "node"), 0o755);
  const { bridge: it } = await start({ PATH: bin });
  for (let n = 1; n <= 2; n++) {
    await expect(login(it, "chat-gpt")).rejects.toMatchObject({
      code: -32603,
      message: "Sign-in failed: no browser can be opened here",
    });
    expect(givenUp(it)).toHaveLength(n);
  }
});

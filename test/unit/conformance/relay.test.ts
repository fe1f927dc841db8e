import { fileURLToPath } from "node:url";
import { afterEach, expect, test, vi } from "vitest";
import { createRelay, type Relay } from "../../../src/conformance/real/relay.js";
import { createFrameLog } from "../../../src/testing/frames.js";
import type { CodexLink } from "../../../src/testing/scripted-codex/link.js";
import { createWaits } from "../../../src/testing/waits.js";

const log = createFrameLog();
const waits = createWaits(log, 5_000);
let relay: Relay;

afterEach(() => relay.close());

/** Says back each line that it gets, and ends with its input. */
const echoes = fileURLToPath(new URL("../../support/children/echoes.mjs", import.meta.url));

/** Starts a process in a session of its own, says its pid, and runs until it is killed. */
const leaves = `
  const child = require("node:child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], {
    detached: true,
    stdio: "ignore",
  });
  console.log(JSON.stringify({ pid: child.pid }));
  setInterval(() => {}, 1000);
`;

function start(args: readonly string[] = [echoes]): {
  readonly said: string[];
  readonly ended: Promise<object>;
  readonly events: ReturnType<Relay["attach"]>;
} {
  relay = createRelay({ log, waits, command: process.execPath, args, env: {} });
  const said: string[] = [];
  let end = (_how: object): void => undefined;
  const ended = new Promise<object>((resolve) => {
    end = resolve;
  });
  const link: CodexLink = {
    frame: (frame) => void said.push(`${JSON.stringify(frame)}\n`),
    text: (text) => void said.push(text),
    stderr: () => undefined,
    closeOutput: () => undefined,
    die: end,
  };
  return { said, ended, events: relay.attach(link, { args: [], cwd: process.cwd(), env: {} }) };
}

test("what both say is logged and passed on, but not the answer to what was asked in Codex's name", async () => {
  const { said, ended, events } = start();
  relay.raw({ id: "own", method: "ping" });
  events.frame({ id: "own", error: { code: 1, message: "no" } });
  events.frame({ id: 7, method: "theirs" });
  events.asked("stdin-end");
  expect(await ended).toEqual({ code: 0 });
  expect(said).toEqual(['{"id":"own","method":"ping"}\n', '{"id":7,"method":"theirs"}\n']);
  expect(log.frames("codex").map(({ from, deliberate }) => [from, deliberate])).toEqual([
    ["codex", true],
    ["bridge", false],
    ["bridge", false],
    ["codex", false],
  ]);
  expect(relay.running).toBe(false);
});

test("a Codex that is killed ends so for the agent", async () => {
  const { ended } = start();
  expect(relay.running).toBe(true);
  relay.die();
  expect(await ended).toEqual({ signal: "SIGKILL" });
});

test("a Codex whose agent is gone takes with it what it runs", async () => {
  const { said, ended, events } = start(["-e", leaves]);
  await vi.waitFor(() => expect(said).toHaveLength(1), 5000);
  const { pid }: { pid: number } = JSON.parse(said[0] ?? "");
  expect(process.kill(pid, 0)).toBe(true);
  events.closed("gone");
  expect(await ended).toEqual({ signal: "SIGKILL" });
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow("ESRCH"), 5000);
});

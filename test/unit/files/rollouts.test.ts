import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createRollouts } from "../../../src/files/rollouts.js";
import { scratch } from "../../support/places.js";

let root: string;
let home: string;

beforeEach(() => {
  mkdirSync(scratch, { recursive: true });
  root = mkdtempSync(join(scratch, "rollouts-"));
  home = join(root, "codex-home");
  mkdirSync(home);
});
afterEach(() => rmSync(root, { recursive: true }));

const idOf = (n: number): string => `01a22f9f-9fd2-74b1-aaf7-${String(n).padStart(12, "0")}`;
const source = idOf(1);

const header = (id: string, meta: object = { forked_from_id: source }): string =>
  JSON.stringify({ timestamp: "t", type: "session_meta", payload: { id, cwd: "/w", ...meta } });

const day = "sessions/2026/12/01";
const fileOf = (id: string): string => `rollout-2026-12-01T03-00-00-${id}.jsonl`;

function write(path: string, content: string | Buffer): string {
  const whole = join(home, path);
  mkdirSync(dirname(whole), { recursive: true });
  writeFileSync(whole, content);
  return whole;
}

const found = async (archived = false): Promise<string[]> =>
  (await createRollouts().readForks(home, archived)).map(({ id }) => id).sort();

test("forks are told by the first line of their rollouts, live and archived apart", async () => {
  write(`${day}/${fileOf(source)}`, `${header(source, {})}\n`);
  write(`${day}/${fileOf(idOf(2))}`, `${header(idOf(2))}\n{"type":"event_msg"}\n`);
  write(`archived_sessions/${fileOf(idOf(3))}`, `${header(idOf(3), { forked_from_id: source, cwd: 1 })}\n`);
  const rollouts = createRollouts();
  expect(await rollouts.readForks(home, false)).toEqual([{ id: idOf(2), forkedFromId: source, cwd: "/w" }]);
  expect(await rollouts.readForks(home, true)).toEqual([{ id: idOf(3), forkedFromId: source, cwd: null }]);
});

test("a first line as long as instructions and tools make it is read, and a longer one is not", async () => {
  const long = (id: string, length: number): string =>
    header(id, { forked_from_id: source, base_instructions: { text: "x".repeat(length) } });
  write(`${day}/${fileOf(idOf(2))}`, `${long(idOf(2), 900_000)}\n`);
  write(`${day}/${fileOf(idOf(3))}`, `${long(idOf(3), 1_100_000)}\n`);
  expect(await found()).toEqual([idOf(2)]);
});

test("what is damaged, cut off or another's is left out", async () => {
  write(`${day}/${fileOf(idOf(2))}`, header(idOf(2)));
  write(`${day}/${fileOf(idOf(3))}`, "");
  write(`${day}/${fileOf(idOf(4))}`, `{"forked_from_id"\n`);
  write(`${day}/${fileOf(idOf(5))}`, `\n${header(idOf(5))}\n`);
  write(`${day}/${fileOf(idOf(6))}`, `${header(idOf(7))}\n`);
  write(`${day}/${fileOf(idOf(8))}`, `${header(idOf(8), { forked_from_id: "" })}\n`);
  write(`${day}/${fileOf(idOf(9))}`, `${header(idOf(9), { forked_from_id: { a: 1 } })}\n`);
  write(`${day}/${fileOf(idOf(10))}`, `${header(idOf(10)).replace("session_meta", "event_msg")}\n`);
  write(`${day}/${fileOf(idOf(11))}`, Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(`${header(idOf(11))}\n`)]));
  write(`${day}/${fileOf(idOf(12))}`, `[${header(idOf(12))}]\n`);
  write(`${day}/${fileOf(idOf(13))}`, `null "forked_from_id"\n`);
  write(`${day}/notes-${idOf(14)}.jsonl`, `${header(idOf(14))}\n`);
  write(`${day}/${fileOf(idOf(15))}.zst`, `${header(idOf(15))}\n`);
  write(`${fileOf(idOf(16))}`, `${header(idOf(16))}\n`);
  write(`${day}/${fileOf(idOf(17))}`, `${header(idOf(17))}\n`);
  expect(await found()).toEqual([idOf(17)]);
});

test("no link is followed, no pipe or device waited for, and no folder taken for a file", async () => {
  const outside = join(root, "outside");
  mkdirSync(outside);
  writeFileSync(join(outside, fileOf(idOf(2))), `${header(idOf(2))}\n`);
  write(`${day}/${fileOf(idOf(9))}`, `${header(idOf(9))}\n`);
  symlinkSync(join(outside, fileOf(idOf(2))), join(home, day, fileOf(idOf(2))));
  symlinkSync(outside, join(home, "sessions", "2027"));
  symlinkSync("/dev/zero", join(home, day, fileOf(idOf(3))));
  execFileSync("mkfifo", [join(home, day, fileOf(idOf(4)))]);
  mkdirSync(join(home, day, fileOf(idOf(5))));
  symlinkSync(outside, join(home, "archived_sessions"));
  expect(await found()).toEqual([idOf(9)]);
  expect(await found(true)).toEqual([]);
});

test("folders that are missing, deeper than Codex's or in circles end the search", async () => {
  expect(await found()).toEqual([]);
  write(`${day}/deeper/${fileOf(idOf(2))}`, `${header(idOf(2))}\n`);
  symlinkSync(join(home, "sessions"), join(home, day, "back"));
  expect(await found()).toEqual([]);
  writeFileSync(join(home, "archived_sessions"), "no folder");
  expect(await found(true)).toEqual([]);
});

test("each header is read once, and one that was not whole yet is read again", async () => {
  const rollouts = createRollouts();
  const read = async () => (await rollouts.readForks(home, false)).map(({ id }) => id);
  const whole = write(`${day}/${fileOf(idOf(2))}`, `${header(idOf(2))}\n`);
  const part = write(`${day}/${fileOf(idOf(3))}`, header(idOf(3)));
  expect(await read()).toEqual([idOf(2)]);
  writeFileSync(whole, "overwritten\n");
  appendFileSync(part, "\n");
  expect((await read()).sort()).toEqual([idOf(2), idOf(3)]);
  rmSync(whole);
  expect(await read()).toEqual([idOf(3)]);
});

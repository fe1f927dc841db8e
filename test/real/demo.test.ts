import { spawn } from "node:child_process";
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { repository, scratch } from "../support/places.js";

const folders: string[] = [];

afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

interface Run {
  readonly stdout: string;
  readonly exit: Promise<number | string | null>;
  kill(signal: NodeJS.Signals): void;
  /** Resolves when stdout has `text`. */
  shows(text: string): Promise<void>;
}

/** Runs the bundled demo with its cache and temporary folders in one of ours. */
async function startDemo(...args: string[]): Promise<Run & { readonly cache: string; readonly tmp: string }> {
  const base = join(scratch, `demo-${folders.length}-${args.length}-${process.hrtime.bigint()}`);
  folders.push(base);
  const [cache, tmp] = [join(base, "cache"), join(base, "tmp")];
  for (const folder of [cache, tmp]) await mkdir(folder, { recursive: true });
  const child = spawn(process.execPath, [join(repository, "dist/cli.js"), "demo", ...args], {
    env: { ...process.env, XDG_CACHE_HOME: cache, TMPDIR: tmp, NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let stdout = "";
  const waiting = new Map<string, () => void>();
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
    for (const [wanted, found] of waiting) if (stdout.includes(wanted)) found();
  });
  return {
    cache,
    tmp,
    get stdout() {
      return stdout;
    },
    exit: new Promise((resolve) => child.once("close", (code, signal) => resolve(code ?? signal))),
    kill: (signal) => void child.kill(signal),
    shows: (text) => new Promise((found) => (stdout.includes(text) ? found() : waiting.set(text, found))),
  };
}

const workingFolders = (cache: string): Promise<string[]> => readdir(join(cache, "codex-acp-kit/demo"));

describe("the demo", () => {
  test("shows a whole turn, leaves its frames and nothing else", async () => {
    const demo = await startDemo("--prompt", "Tidy up, please.");
    expect(await demo.exit).toBe(0);
    const { stdout } = demo;
    const order = [
      "* running",
      'You asked: "Tidy up, please."',
      "tool shell",
      "  | tick 1\n",
      "  | tick 4\n",
      "exit     0",
      "tool apply_patch",
      "* idle (end_turn)",
      "frames of both sides: ",
    ].map((text) => stdout.indexOf(text));
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(order[0]).toBeGreaterThan(-1);
    expect(stdout).toMatch(/^ {4}\+Written by the demo's patch\.$/m);
    expect(stdout).toMatch(/^ {4}-Fälligkeit: 3 June\.$/m);

    const log = /frames of both sides: (.*)/.exec(stdout)?.[1] ?? "";
    const lines = (await readFile(log, "utf8")).trim().split("\n");
    const directions = new Set(lines.map((line) => JSON.parse(line).direction));
    expect([...directions]).toEqual(expect.arrayContaining(["from-host", "to-host", "from-codex", "to-codex"]));
    expect(await workingFolders(demo.cache)).toEqual([]);
  });

  test("prints the wire with --frames and keeps the folders with --keep", async () => {
    const demo = await startDemo("--frames", "--keep");
    expect(await demo.exit).toBe(0);
    const frames = [...demo.stdout.matchAll(/^([<>]) (\{.*\})$/gm)].map(([, way, json]) => ({
      way,
      frame: JSON.parse(json ?? ""),
    }));
    expect(frames[0]).toMatchObject({ way: ">", frame: { method: "initialize" } });
    expect(frames.some(({ way, frame }) => way === "<" && frame.method === "session/update")).toBe(true);
    const [folder] = await workingFolders(demo.cache);
    expect(await readdir(join(demo.cache, "codex-acp-kit/demo", folder ?? "", "workspace"))).toEqual(["notes.md"]);
  });

  test("Ctrl-C in the middle of the command ends everything and cleans up", async () => {
    const demo = await startDemo();
    await demo.shows("| tick 2");
    demo.kill("SIGINT");
    expect(await demo.exit).toBe(130);
    expect(demo.stdout).toContain("demo: interrupted");
    expect(await workingFolders(demo.cache)).toEqual([]);
  });
});

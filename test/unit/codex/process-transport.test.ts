import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it, vi } from "vitest";
import { listProcesses } from "../../../src/codex/process-table.js";
import { type ProcessTransportOptions, startCodexProcess } from "../../../src/codex/process-transport.js";
import type { CodexExit, CodexTransport, UnreadableLine } from "../../../src/codex/transport.js";

const script = (name: string): string => fileURLToPath(new URL(`../../support/children/${name}.mjs`, import.meta.url));

interface Heard {
  readonly transport: CodexTransport;
  readonly frames: unknown[];
  readonly unreadable: UnreadableLine[];
  /** Everything in order: frames as JSON, then `closed`. */
  readonly order: string[];
  readonly closed: Promise<CodexExit>;
  /** Resolves with the first frame that `wanted` accepts, also one that came before. */
  until(wanted: (frame: unknown) => boolean): Promise<unknown>;
}

const open: CodexTransport[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((transport) => transport.stop()));
});

function listen(options: ProcessTransportOptions): Heard {
  const transport = startCodexProcess(options);
  open.push(transport);
  const frames: unknown[] = [];
  const unreadable: UnreadableLine[] = [];
  const order: string[] = [];
  const waiting = new Set<() => void>();
  let tell: (exit: CodexExit) => void;
  const closed = new Promise<CodexExit>((resolve) => {
    tell = resolve;
  });
  transport.start({
    frame(frame) {
      frames.push(frame);
      order.push(JSON.stringify(frame).slice(0, 40));
      for (const look of waiting) look();
    },
    batchEnd: () => void order.push("-"),
    unreadable: (line) => void unreadable.push(line),
    closed(exit) {
      order.push("closed");
      tell(exit);
    },
  });
  const until = (wanted: (frame: unknown) => boolean): Promise<unknown> =>
    new Promise((resolve) => {
      const look = (): void => {
        const found = frames.find(wanted);
        if (found === undefined) return;
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
    });
  return { transport, frames, unreadable, order, closed, until };
}

const run = (name: string, more: Partial<ProcessTransportOptions> = {}): Heard =>
  listen({ command: process.execPath, args: [script(name)], ...more });

const pidsOf = (frame: unknown): number[] => (frame as { pids: number[] }).pids;
const running = (pids: readonly number[]): number[] => {
  const all = new Set(listProcesses().map(({ pid }) => pid));
  return pids.filter((pid) => all.has(pid));
};
const any = (): boolean => true;

describe("startCodexProcess", () => {
  it("ends the whole tree within 5 s when EOF and SIGTERM are ignored", async () => {
    const codex = run("stubborn");
    const pids = pidsOf(await codex.until(any));
    expect(running(pids)).toEqual(pids);
    const before = performance.now();
    const exit = await codex.transport.stop();
    expect(performance.now() - before).toBeLessThan(5000);
    expect(running(pids)).toEqual([]);
    expect(exit.signal).toBe("SIGKILL");
  });

  it("ends what Codex leaves behind in a session of its own when it ends with its stdin", async () => {
    const codex = run("leaves-session");
    const pids = pidsOf(await codex.until(any));
    expect((await codex.transport.stop()).code).toBe(0);
    expect(running(pids)).toEqual([]);
  });

  it("ends what a Codex that exited by itself left in its group, without being told to", async () => {
    const codex = run("leaves-child");
    const pids = pidsOf(await codex.until(any));
    expect((await codex.closed).code).toBe(0);
    await vi.waitFor(() => expect(running(pids)).toEqual([]));
  });

  it("does not wait for a pipe that something out of reach holds open", async () => {
    const codex = listen({ command: process.execPath, args: [script("leaves-session"), "now"] });
    const [, orphan] = pidsOf(await codex.until(any));
    expect((await codex.closed).code).toBe(0);
    if (orphan !== undefined) process.kill(orphan, "SIGKILL");
    await vi.waitFor(() => expect(running([orphan ?? 0])).toEqual([]));
  });

  it("gives up a Codex that closes its stdin but runs on", async () => {
    const codex = run("closes-stdin");
    const pids = pidsOf(await codex.until(any));
    codex.transport.send({ method: "initialized" });
    await codex.closed;
    expect(running(pids)).toEqual([]);
  });

  it("kills the tree when our process exits without stopping it", async () => {
    const host = spawn(process.execPath, [script("host-exits")], { stdio: ["ignore", "pipe", "inherit"] });
    const [line] = await once(host.stdout, "data");
    const pids = pidsOf(JSON.parse(String(line)));
    await once(host, "close");
    // Killed with it; whoever inherits the dead takes a moment to bury them.
    await vi.waitFor(() => expect(running(pids)).toEqual([]));
  });

  it("delivers every complete frame before the end, and no half frame (CLOSE-09)", async () => {
    const codex = run("exits-mid-line");
    const exit = await codex.closed;
    expect(codex.frames).toEqual([{ n: 1 }, { n: 2 }]);
    expect(codex.unreadable).toEqual([{ kind: "not-json", text: '{"n":' }]);
    expect(codex.order.at(-1)).toBe("closed");
    expect(exit).toEqual({ code: 0, signal: null, stderrTail: "ERROR out of ideas" });
  });

  it("keeps the frames of a Codex that dies while we do not read", async () => {
    const codex = run("exits-mid-line");
    codex.transport.pause();
    await codex.closed;
    expect(codex.frames).toEqual([{ n: 1 }, { n: 2 }]);
  });

  it("reports what is no JSON and goes on, whatever the borders of chunks", async () => {
    const codex = run("speaks-badly");
    await codex.until((frame) => Object.hasOwn(frame as object, "last"));
    expect(codex.frames).toEqual([{ text: "é€𝄞" }, { last: true }]);
    expect(codex.unreadable).toEqual([{ kind: "not-json", text: "not json" }]);
  });

  it("takes a frame of 64 MiB", async () => {
    const codex = run("huge-frame");
    await codex.until((frame) => Object.hasOwn(frame as object, "after"));
    expect((codex.frames[0] as { text: string }).text.length).toBe(64 << 20);
  });

  it("drops a frame over the limit and goes on", async () => {
    const codex = run("huge-frame", { maxFrameBytes: 1 << 20 });
    await codex.until(any);
    expect(codex.frames).toEqual([{ after: true }]);
    expect(codex.unreadable).toEqual([{ kind: "too-long", bytes: (64 << 20) + 11, limit: 1 << 20 }]);
  });

  it("sends frames in order, and stops by the end of stdin alone", async () => {
    const codex = run("echoes");
    const sent = Array.from({ length: 500 }, (_, n) => ({ n, text: "é".repeat(n) }));
    for (const frame of sent) codex.transport.send(frame);
    await codex.until((frame) => (frame as { n: number }).n === 499);
    expect(codex.frames).toEqual(sent);
    expect(await codex.transport.stop()).toEqual({ code: 0, signal: null, stderrTail: "" });
    expect(codex.order.filter((entry) => entry === "closed")).toHaveLength(1);
  });

  it("stops a Codex that nobody reads", async () => {
    const codex = run("huge-frame");
    codex.transport.pause();
    expect((await codex.transport.stop()).code).toBe(0);
    expect(codex.order).toEqual(["closed"]);
  });

  it("gives up a Codex that closes its stdout but runs on", async () => {
    const codex = run("closes-stdout");
    const pids = pidsOf(await codex.until(any));
    await codex.closed;
    expect(running(pids)).toEqual([]);
  });

  it("says why a command cannot be started", async () => {
    const codex = listen({ command: "/no/such/codex", args: [] });
    const exit = await codex.closed;
    expect(exit.error?.message).toContain("ENOENT");
    codex.transport.send({ late: true });
    expect(await codex.transport.stop()).toBe(exit);
  });
});

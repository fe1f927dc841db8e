import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { createLineSplitter } from "../../codex/line-splitter.js";
import type { Waits } from "../waits.js";
import type { CodexLink, CodexLinkEvents, CodexStart } from "./link.js";

export interface StandIn {
  /** Environment for the bridge: `CODEX_PATH` and what the stand-in needs to find the test. */
  readonly env: Readonly<Record<string, string>>;
  /** Processes started through it so far, oldest first. */
  readonly pids: readonly number[];
  /** Command-line arguments of the last start. */
  readonly args: readonly string[];
  /** Starts a child of the running Codex that ignores SIGTERM; resolves with its pid. `close` ends it. */
  spawnChild(): Promise<number>;
  /** Ends what still runs and frees the port. */
  close(): Promise<void>;
}

/** Whoever speaks as `codex` at the other end: a scripted one, or one that passes on what a real one says. */
export interface CodexEnd {
  readonly waits: Waits;
  /** Takes a new start of `codex`. */
  attach(link: CodexLink, start: CodexStart): CodexLinkEvents;
}

interface Report extends Partial<CodexStart> {
  readonly token?: string;
  readonly pid?: number;
  readonly line?: string;
  readonly asked?: "stdin-end" | "SIGTERM" | "SIGINT";
  readonly child?: number;
}

/** Beside this module in the sources; at the top of the bundle, or one above a chunk, in the package. */
function standInPath(): string {
  const places = ["./stand-in.mjs", "../stand-in.mjs"].map((path) => fileURLToPath(new URL(path, import.meta.url)));
  const found = places.find((path) => existsSync(path));
  if (found === undefined) throw new Error(`the stand-in for Codex is missing: ${places.join(", ")}`);
  return found;
}

const endIfAlive = (pid: number): void => {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
};

/** Lets `codex` be started as a process, again and again, by whatever reads `CODEX_PATH`. */
export async function serveStandIn(codex: CodexEnd): Promise<StandIn> {
  const token = randomUUID();
  const pids: number[] = [];
  const sockets = new Set<Socket>();
  const children: number[] = [];
  const onChild: ((pid: number) => void)[] = [];
  let args: readonly string[] = [];
  let current: Socket | undefined;

  function welcome(socket: Socket, hello: Report): CodexLinkEvents {
    if (hello.token !== token || hello.pid === undefined) throw new Error("a stranger spoke to the scripted Codex");
    pids.push(hello.pid);
    const { cwd = "", env = {} } = hello;
    args = hello.args ?? [];
    current = socket;
    const order = (value: object): void => void socket.write(`${JSON.stringify(value)}\n`);
    const link: CodexLink = {
      frame: (frame) => order({ out: `${JSON.stringify(frame)}\n` }),
      text: (out) => order({ out }),
      stderr: (err) => order({ err }),
      closeOutput: () => order({ closeOutput: true }),
      die({ code = 0, signal, stderr = "" }) {
        order(signal === undefined ? { err: stderr, exit: code } : { err: stderr, kill: signal });
      },
    };
    return codex.attach(link, { args, cwd, env });
  }

  function take(events: CodexLinkEvents, { line, asked, child }: Report): void {
    if (asked !== undefined) events.asked(asked);
    if (child !== undefined) {
      children.push(child);
      onChild.shift()?.(child);
    }
    if (line === undefined) return;
    let frame: unknown;
    try {
      frame = JSON.parse(line);
    } catch {
      events.unreadable(line);
      return;
    }
    events.frame(frame);
  }

  // Small frames go at once: waiting for more costs 40 ms a round trip.
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    let events: CodexLinkEvents | undefined;
    const splitter = createLineSplitter({
      maxBytes: Number.POSITIVE_INFINITY,
      line(text) {
        const report = JSON.parse(text) as Report;
        if (events === undefined) events = welcome(socket, report);
        else take(events, report);
      },
      tooLong: () => undefined,
    });
    socket.on("data", (chunk: Buffer) => splitter.push(chunk));
    socket.on("error", () => socket.destroy());
    socket.on("close", () => {
      sockets.delete(socket);
      events?.closed("its process ended");
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => resolve());
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the scripted Codex has no port");

  return {
    env: { CODEX_PATH: standInPath(), SCRIPTED_CODEX: `127.0.0.1:${address.port}/${token}` },
    pids,
    get args() {
      return args;
    },
    spawnChild() {
      const socket = current;
      if (socket === undefined) return Promise.reject(new Error("the scripted Codex is not running"));
      const pid = new Promise<number>((resolve) => onChild.push(resolve));
      socket.write(`${JSON.stringify({ child: true })}\n`);
      return codex.waits.within("the scripted Codex to start a child", pid);
    },
    close() {
      if (!server.listening) return Promise.resolve();
      for (const pid of children) endIfAlive(pid);
      // A stand-in whose socket closes ends by itself.
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
      });
    },
  };
}

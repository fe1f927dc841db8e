import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { createLineSplitter } from "../../codex/line-splitter.js";
import { isObject } from "../../runtime/index.js";
import type { FrameLog } from "../../testing/frames.js";
import { killCodex, runs } from "../../testing/real-codex.js";
import type { CodexLink, CodexStart } from "../../testing/scripted-codex/link.js";
import type { Waits } from "../../testing/waits.js";
import type { CodexSide } from "../ground.js";

export interface RelayOptions {
  readonly log: FrameLog;
  readonly waits: Waits;
  /** How the real Codex is started: the agent's own arguments follow. */
  readonly command: string;
  readonly args: readonly string[];
  /** Over the environment that the agent gives to Codex. */
  readonly env: Readonly<Record<string, string>>;
}

/** The real Codex behind a pipe on which every frame is logged before its receiver has it. */
export interface Relay extends CodexSide {
  /** Ends what still runs. */
  close(): Promise<void>;
}

/** The longest line that is passed on, in bytes. */
const longestLine = 256 * 1024 * 1024;

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // No frame: the other side shall see it as it is, and the checker blames who sent it.
    return line;
  }
}

/** One start of Codex by the agent. */
interface Start {
  readonly link: CodexLink;
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<void>;
  /** Ids of what was asked here in Codex's name: it must not see the answers. */
  readonly own: Set<unknown>;
}

export function createRelay({ log, waits, command, args, env }: RelayOptions): Relay {
  const all: Start[] = [];
  let current: Start | null = null;

  function launch(link: CodexLink, start: CodexStart): Start {
    log.note(`codex starts (${all.length + 1})`);
    const child = spawn(command, [...args, ...start.args], { cwd: start.cwd, env: { ...start.env, ...env } });
    // A Codex that is gone does not read: that shows in its end.
    child.stdin.on("error", () => undefined);
    child.stderr.setEncoding("utf8").on("data", (text: string) => link.stderr(text));
    const splitter = createLineSplitter({
      maxBytes: longestLine,
      line(line) {
        log.add("codex", "codex", parsed(line));
        link.text(`${line}\n`);
      },
      tooLong: (bytes) => log.note(`Codex sent a line of ${bytes} bytes`),
    });
    child.stdout.on("data", (chunk: Buffer) => splitter.push(chunk));
    child.stdout.on("end", () => splitter.end());
    const ended = new Promise<void>((resolve) => {
      child.once("error", (error) => {
        waits.fail(new Error(`the real Codex could not be started: ${error.message}`));
        resolve();
      });
      child.once("close", (code, signal) => {
        log.note(`codex is gone: ${signal ?? code}`);
        link.die(signal === "SIGKILL" ? { signal } : { code: code ?? 1 });
        resolve();
      });
    });
    return { link, child, ended, own: new Set() };
  }

  return {
    waits,
    get running() {
      return current !== null && runs(current.child);
    },
    raw(frame) {
      if (current === null) throw new Error("Codex is not running");
      current.own.add(Object(frame).id);
      log.add("codex", "codex", frame, true);
      current.link.frame(frame);
    },
    die({ signal = "SIGKILL" } = {}) {
      current?.child.kill(signal);
    },
    attach(link, start) {
      const own = launch(link, start);
      current = own;
      all.push(own);
      const { child } = own;
      return {
        frame(frame) {
          log.add("codex", "bridge", frame);
          const ours = isObject(frame) && !("method" in frame) && own.own.delete(frame["id"]);
          if (!ours) child.stdin.write(`${JSON.stringify(frame)}\n`);
        },
        unreadable(text) {
          log.add("codex", "bridge", text);
          child.stdin.write(`${text}\n`);
        },
        asked(what) {
          log.note(`codex is asked to end: ${what}`);
          if (what === "stdin-end") child.stdin.end();
          else child.kill(what);
        },
        closed: () => killCodex(child),
      };
    },
    async close() {
      for (const { child } of all) killCodex(child);
      await Promise.all(all.map(({ ended }) => ended));
    },
  };
}

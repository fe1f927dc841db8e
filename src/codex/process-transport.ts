import type { ChildProcess } from "node:child_process";
import spawn from "cross-spawn";
import { type Clock, systemClock } from "../runtime/clock.js";
import { frameText } from "../runtime/index.js";
import { createDrain, stderrTail } from "./child-pipes.js";
import { createFrameReader, MAX_FRAME_BYTES } from "./frame-reader.js";
import { endLeftovers, endProcess } from "./process-ending.js";
import { processTree } from "./process-tree.js";
import type { CodexExit, CodexTransport, TransportSink } from "./transport.js";

const STDERR_TAIL_CHARS = 8 * 1024;
/** A Codex whose stdout is closed has this long, in ms, to exit by itself. */
const SILENT_GRACE = 200;

export interface ProcessTransportOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment of Codex; ours by default. */
  readonly env?: NodeJS.ProcessEnv | undefined;
  readonly clock?: Clock | undefined;
  /** Default `MAX_FRAME_BYTES`. */
  readonly maxFrameBytes?: number | undefined;
  /** Each line of Codex's stderr, without colour codes. */
  readonly onStderr?: ((line: string) => void) | undefined;
}

/**
 * Starts Codex at once, without a shell and in a process group of its own, and speaks over its stdin and stdout.
 * What cannot be started shows as `closed` with an error; this function does not throw. If our process exits without
 * `stop`, the tree is killed; if ours is killed, Codex ends at the end of its stdin.
 */
export function startCodexProcess(options: ProcessTransportOptions): CodexTransport {
  const clock = options.clock ?? systemClock;
  let child: ChildProcess;
  try {
    child = spawn(options.command, [...options.args], {
      stdio: ["pipe", "pipe", "pipe"],
      env: options.env ?? process.env,
      detached: process.platform !== "win32",
      windowsHide: true,
    });
  } catch (error) {
    return neverStarted(error instanceof Error ? error : new Error(String(error)), clock);
  }
  const { stdin, stdout, stderr: errors } = child;
  // They are missing, whatever the types say, when the system is out of file descriptors.
  if (!stdin || !stdout || !errors) {
    return neverStarted(new Error(`No pipes to ${options.command}`), clock);
  }

  const maxBytes = options.maxFrameBytes ?? MAX_FRAME_BYTES;
  const stderr = stderrTail(STDERR_TAIL_CHARS, options.onStderr ?? (() => undefined));
  const tree = child.pid === undefined ? null : processTree(child.pid);
  const onExit: (() => void)[] = [];
  const onGone: ((exit: CodexExit) => void)[] = [];
  /** What Codex wrote before `start`. */
  const early: Buffer[] = [];
  let sink: TransportSink | null = null;
  let exit: Omit<CodexExit, "stderrTail"> | null = null;
  let gone: CodexExit | null = null;
  let paused = false;
  let discarding = false;
  let ending: Promise<void> | null = null;

  const reader = createFrameReader({ maxBytes, sink: () => sink });

  /** All is over once the exit is known and both pipes are read to their ends. */
  const settle = (): void => {
    if (gone !== null || exit === null || !stdout.closed || !errors.closed) return;
    gone = { ...exit, stderrTail: stderr.text() };
    if (sink !== null) {
      if (!discarding) reader.end();
      sink.closed(gone);
    }
    for (const tell of onGone.splice(0)) tell(gone);
  };
  const drain = createDrain([stdout, errors], clock, () => paused && !discarding);
  const read = (chunk: Buffer): void => {
    drain.progress();
    if (discarding) return;
    if (sink === null) {
      early.push(chunk);
      return;
    }
    reader.push(chunk);
    sink.batchEnd();
  };

  const exited = (how: Omit<CodexExit, "stderrTail">): void => {
    if (exit !== null) return;
    exit = how;
    process.off("exit", killNow);
    for (const tell of onExit.splice(0)) tell();
    if (tree !== null && ending === null) ending = endLeftovers(tree, clock);
    drain.begin();
    settle();
  };
  const killNow = (): void => tree?.kill("SIGKILL");
  process.once("exit", killNow);

  const end = (): Promise<void> => {
    ending ??=
      tree === null
        ? Promise.resolve()
        : endProcess({
            tree,
            clock,
            closeStdin: () => stdin.end(),
            hasExited: () => exit !== null,
            onExit: (fn) => void onExit.push(fn),
          });
    return ending;
  };

  child.on("exit", (code, signal) => exited({ code, signal }));
  child.on("error", (error) => {
    // It never ran: no pid; or, on Windows, exited with "command not found". Any other error is a signal not sent.
    if (child.pid === undefined || child.exitCode !== null) exited({ code: null, signal: null, error });
  });
  // A Codex that closes its stdin or its stdout but runs on is of no use.
  stdin.on("error", () => void end());
  stdout.on("data", read);
  stdout.on("close", () => {
    if (exit === null) onExit.push(clock.after(SILENT_GRACE, () => void end()));
    settle();
  });
  stdout.on("error", () => stdout.destroy());
  errors.on("data", (chunk: Buffer) => {
    drain.progress();
    stderr.push(chunk);
  });
  errors.on("error", () => errors.destroy());
  errors.on("close", settle);

  return {
    send(frame) {
      if (stdin.writable) stdin.write(`${frameText(frame)}\n`);
    },
    start(receiver) {
      clock.soon(() => {
        sink = receiver;
        for (const chunk of early.splice(0)) read(chunk);
        if (gone === null) return;
        if (!discarding) reader.end();
        receiver.closed(gone);
      });
    },
    pause() {
      if (discarding) return;
      paused = true;
      stdout.pause();
    },
    resume() {
      paused = false;
      stdout.resume();
    },
    async stop() {
      if (paused || sink === null) {
        // Nobody reads: what Codex still writes must not keep it from ending.
        discarding = true;
        stdout.resume();
      }
      await end();
      return gone ?? new Promise<CodexExit>((resolve) => void onGone.push(resolve));
    },
  };
}

function neverStarted(error: Error, clock: Clock): CodexTransport {
  const exit: CodexExit = { code: null, signal: null, stderrTail: "", error };
  return {
    send: () => undefined,
    start: (sink) => clock.soon(() => sink.closed(exit)),
    pause: () => undefined,
    resume: () => undefined,
    stop: () => Promise.resolve(exit),
  };
}

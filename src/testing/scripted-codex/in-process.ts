import { createFrameReader, MAX_FRAME_BYTES } from "../../codex/frame-reader.js";
import type { CodexExit, CodexTransport, TransportSink } from "../../codex/transport.js";
import type { Clock } from "../../runtime/clock.js";
import { frameText } from "../../runtime/index.js";
import type { ScriptedCodex } from "./core.js";

/** What crosses a pipe is text: neither side may see the other's objects. */
const acrossTheWire = (frame: object): unknown => JSON.parse(frameText(frame));

/** A queue that delivers one task per macrotask of `clock`, in order, so that two such queues interleave. */
export function createDelivery(clock: Clock): { push(task: () => void): void; pause(): void; resume(): void } {
  const queue: (() => void)[] = [];
  let scheduled = false;
  let paused = false;
  const schedule = (): void => {
    if (scheduled || paused || queue.length === 0) return;
    scheduled = true;
    clock.soon(() => {
      scheduled = false;
      if (!paused) queue.shift()?.();
      schedule();
    });
  };
  return {
    push(task) {
      queue.push(task);
      schedule();
    },
    pause() {
      paused = true;
    },
    resume() {
      paused = false;
      schedule();
    },
  };
}

/** Where a write of `bytes` bytes is cut, in rising order: each piece arrives in a macrotask of its own. */
export type Cut = (bytes: number) => readonly number[];

/** The bytes of `text` in the pieces that `cut` makes, which may part a character; default: in one piece. */
export function piecesOf(text: string, cut: Cut | undefined): readonly Buffer[] {
  const bytes = Buffer.from(text);
  const ends = [...(cut?.(bytes.length) ?? []), bytes.length];
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}

/**
 * A Codex in the same process, under any clock: each frame is delivered in a macrotask of its own, or in the pieces that
 * `cut` makes. The returned transport is one start of `codex`.
 */
export function connectInProcess(codex: ScriptedCodex, clock: Clock, cut?: Cut): CodexTransport {
  const toBridge = createDelivery(clock);
  const toCodex = createDelivery(clock);
  let sink: TransportSink | undefined;
  let stderr = "";
  let closing = false;
  let stopping: Promise<CodexExit> | undefined;
  let gone: (exit: CodexExit) => void;
  const exited = new Promise<CodexExit>((resolve) => {
    gone = resolve;
  });

  const lines = createFrameReader({ maxBytes: MAX_FRAME_BYTES, sink: () => sink ?? null });

  function write(text: string): void {
    for (const piece of piecesOf(text, cut)) {
      toBridge.push(() => {
        lines.push(piece);
        sink?.batchEnd();
      });
    }
  }

  function close(exit: CodexExit): void {
    if (closing) return;
    closing = true;
    toBridge.push(() => {
      lines.end();
      events.closed(exit.signal ?? `code ${exit.code}`);
      sink?.closed(exit);
      gone(exit);
    });
  }

  const events = codex.attach({
    frame: (frame) => write(`${JSON.stringify(frame)}\n`),
    text: write,
    stderr(text) {
      stderr = (stderr + text).slice(-8192);
    },
    closeOutput: () => close({ code: null, signal: null, stderrTail: stderr }),
    die(how) {
      stderr += how.stderr ?? "";
      const signal = how.signal ?? null;
      close({ code: signal === null ? (how.code ?? 0) : null, signal, stderrTail: stderr });
    },
  });

  return {
    send(frame) {
      if (closing) return;
      const copy = acrossTheWire(frame);
      toCodex.push(() => {
        if (!closing) events.frame(copy);
      });
    },
    start(to) {
      sink = to;
    },
    pause: toBridge.pause,
    resume: toBridge.resume,
    stop() {
      stopping ??= exited;
      toCodex.push(() => {
        if (codex.running && !closing) codex.log.note("codex is asked to end: stop");
        if (closing) return;
        codex.die(codex.obedient ? {} : { signal: "SIGKILL" });
      });
      toBridge.resume();
      return stopping;
    },
  };
}

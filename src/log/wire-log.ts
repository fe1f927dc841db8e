import { closeSync, existsSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { CodexTransport } from "../codex/transport.js";
import type { Clock } from "../runtime/clock.js";
import type { FrameSink, LogLine } from "./frame-sink.js";

/** Which way a frame goes, seen from the bridge. */
export type Direction = "from-host" | "to-host" | "from-codex" | "to-codex";

/** The wire log: one JSON line per frame, in the order of these calls. Nothing here throws or waits. */
export interface WireLog {
  readonly path: string;
  /** `frame` as it is at this moment, without its secrets. */
  frame(direction: Direction, frame: unknown): void;
  /** Something beside the frames: a line of Codex's stderr, an unreadable line, the end of Codex. */
  note(text: string): void;
  /** Resolves when all of it is in the file, or cannot be. */
  close(): Promise<void>;
}

export interface WireLogOptions {
  /** Made when it is missing. */
  readonly folder: string;
  readonly clock: Clock;
  /** Receives one line when nothing can be logged. */
  warn(line: string): void;
  readonly pid?: number;
}

/**
 * Opens a log of its own for this process, readable by its user alone. Null when that fails: the bridge goes on without.
 * The logging library is loaded here and not earlier, as few runs need it.
 */
export async function openWireLog(options: WireLogOptions): Promise<WireLog | null> {
  const { folder, clock, warn } = options;
  const path = join(folder, `codex-acp-kit-${timeOf(clock).replaceAll(":", "-")}-${options.pid ?? process.pid}.jsonl`);
  let sink: FrameSink;
  try {
    makeFolder(folder);
    // The library would make the file readable by all.
    closeSync(openSync(path, "wx", 0o600));
    const { createFrameSink } = await import("./frame-sink.js");
    sink = createFrameSink(path);
  } catch (error) {
    warn(`No wire log: ${error instanceof Error ? error.message : String(error)}`);
    return null;
  }
  return createWireLog(path, sink, options);
}

/** A log on top of a sink of any kind: what the sink throws costs the line, and is told at the end. */
export function createWireLog(path: string, sink: FrameSink, { clock, warn }: Omit<WireLogOptions, "folder">): WireLog {
  let fault: unknown;
  const write = (line: Omit<LogLine, "time">): void => {
    try {
      sink.write({ time: timeOf(clock), ...line });
    } catch (error) {
      fault ??= error;
    }
  };
  return {
    path,
    frame: (direction, frame) => write({ direction, frame }),
    note: (note) => write({ note }),
    async close() {
      try {
        await sink.close();
      } catch (error) {
        fault ??= error;
      }
      if (fault !== undefined) {
        warn(`The wire log is incomplete: ${fault instanceof Error ? fault.message : String(fault)}`);
      }
    },
  };
}

const timeOf = (clock: Clock): string => new Date(clock.now()).toISOString();

/** Level by level: Node's own recursive way never returns where a file system takes no folder, as below `/proc`. */
function makeFolder(path: string): void {
  if (existsSync(path) && statSync(path).isDirectory()) return;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent);
  mkdirSync(path, { mode: 0o700 });
}

/** `transport`, with every frame of both directions in `log`. */
export function withWireLog(transport: CodexTransport, log: WireLog): CodexTransport {
  return {
    ...transport,
    send(frame) {
      log.frame("to-codex", frame);
      transport.send(frame);
    },
    start(sink) {
      transport.start({
        frame(frame, text) {
          log.frame("from-codex", frame);
          sink.frame(frame, text);
        },
        batchEnd: () => sink.batchEnd(),
        unreadable(line) {
          // Not its text: what does not parse cannot be redacted.
          const what = line.kind === "not-json" ? `no JSON, ${line.text.length} characters` : `${line.bytes} bytes`;
          log.note(`A line from Codex was not readable: ${what}`);
          sink.unreadable(line);
        },
        closed(exit) {
          log.note(
            `Codex is gone: ${JSON.stringify({ code: exit.code, signal: exit.signal, error: exit.error?.message })}`,
          );
          sink.closed(exit);
        },
      });
    },
  };
}

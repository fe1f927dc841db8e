import type { Clock } from "../runtime/clock.js";
import { createFrameLog, type FrameLog, isFrame, type LoggedFrame, type Wire } from "../testing/frames.js";

/** One log of both sides, with the time of each entry. */
export interface Timeline {
  readonly log: FrameLog;
  /** Milliseconds from the start of the case to the entry with this `seq`. */
  at(seq: number): number;
  /** Frames that the agent sent on this wire, from the one after `seq` on. */
  fromAgent(wire: Wire, seq: number): readonly LoggedFrame[];
}

export function createTimeline(clock: Clock): Timeline {
  const log = createFrameLog();
  const start = clock.now();
  const times: number[] = [];
  log.subscribe(() => void times.push(clock.now() - start));
  return {
    log,
    at: (seq) => times[seq] ?? 0,
    fromAgent: (wire, seq) =>
      log.entries
        .slice(seq + 1)
        .filter(isFrame)
        .filter((entry) => entry.wire === wire && entry.from === "bridge"),
  };
}

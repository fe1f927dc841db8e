import type { Clock } from "../runtime/clock.js";
import { createFrameLog, type FrameLog, isFrame, type LoggedFrame, type Party, type Wire } from "../testing/frames.js";

/** One log of all sides, with the time of each entry. */
export interface Timeline {
  readonly log: FrameLog;
  /** Milliseconds from the start of the case to the entry with this `seq`. */
  at(seq: number): number;
  /** Milliseconds from the start of the case. */
  now(): number;
  /** `seq` of the last entry; -1 before the first. */
  last(): number;
  /** Who is under test. */
  readonly tested: Party;
  /** Frames that it sent on this wire, from the one after `seq` on. */
  fromTested(wire: Wire, seq: number): readonly LoggedFrame[];
}

export function createTimeline(clock: Clock, tested: Party = "bridge"): Timeline {
  const log = createFrameLog(tested);
  const start = clock.elapsed();
  const times: number[] = [];
  log.subscribe(() => void times.push(clock.elapsed() - start));
  return {
    log,
    now: () => clock.elapsed() - start,
    last: () => log.entries.length - 1,
    tested,
    at: (seq) => times[seq] ?? 0,
    fromTested: (wire, seq) =>
      log.entries
        .slice(seq + 1)
        .filter(isFrame)
        .filter((entry) => entry.wire === wire && entry.from === tested),
  };
}

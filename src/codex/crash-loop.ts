/** Ends of Codex that are forgiven: after so many within the window, the next start has to wait. */
const forgiven = 3;

/** How long an end is remembered, in ms. A Codex that lives longer is no part of a loop. */
const windowMs = 60_000;

/** The first wait, in ms; each further end doubles it. */
const firstWaitMs = 1000;

const longestWaitMs = 60_000;

/** When Codex last ended unexpectedly, oldest first, in ms of a clock that nobody sets. */
export type CrashHistory = readonly number[];

/** The history after one more end. */
export function withCrash(history: CrashHistory, now: number): CrashHistory {
  return [...history.filter((at) => now - at < windowMs), now].slice(-16);
}

export interface CrashLoop {
  /** Ends within the window. */
  readonly count: number;
  /** Until a start is tried again, in ms. */
  readonly waitMs: number;
}

/** The loop that Codex is in; null when it may be started now. Nothing starts by itself: a request is what starts Codex. */
export function crashLoop(history: CrashHistory, now: number): CrashLoop | null {
  const recent = history.filter((at) => now - at < windowMs);
  const last = recent.at(-1);
  if (last === undefined || recent.length < forgiven) return null;
  const wait = Math.min(firstWaitMs * 2 ** (recent.length - forgiven), longestWaitMs);
  const waitMs = last + wait - now;
  return waitMs > 0 ? { count: recent.length, waitMs } : null;
}

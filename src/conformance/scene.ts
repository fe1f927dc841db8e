import type { Clock } from "../runtime/clock.js";
import type { LoggedFrame, Wire } from "../testing/frames.js";
import { type Hit, look, type Meant } from "./kinds.js";
import { CaseFault, partyName } from "./outcome.js";
import { type Mismatch, mismatches } from "./pattern.js";
import type { AnyStep, Pattern, Within } from "./step-format.js";
import { fill } from "./template.js";
import type { Timeline } from "./timeline.js";

/** What is judged when the case is over. */
export interface Judgement {
  /** Index of the step. */
  readonly step: number;
  readonly meant: Meant;
  /** Frames after this one count. */
  readonly since: number;
  /** Label of the step up to which they count. */
  readonly until: string | null;
  readonly times: number;
}

/** What a watch has seen, for those who break a case on purpose. */
export interface Seen {
  readonly step: number;
  readonly meant: Meant;
  readonly entry: LoggedFrame;
}

/** A running case, whoever is under test in it: what its steps share. */
export interface Scene {
  readonly timeline: Timeline;
  readonly clock: Clock;
  /** Longest wait of one step, in milliseconds. */
  readonly deadlineMs: number;
  /** Index of the step that runs. */
  step: number;
  readonly bindings: Record<string, unknown>;
  /** Where the steps with a label stand in the log: an act where it began, a watch at the frame that it has seen, and `quiet` where it ended. */
  readonly labels: Map<string, { readonly at: number; readonly seq: number }>;
  /** The last frame that a watch has seen, by wire. */
  readonly cursor: Record<Wire, number>;
  readonly judgements: Judgement[];
  readonly seen: Seen[];
  /** How whoever is under test ended, once it has. */
  ended: string | null;
}

type SceneParts = Pick<Scene, "timeline" | "clock" | "deadlineMs" | "bindings">;

/** A case that has not begun. */
export const createScene = (parts: SceneParts): Scene => ({
  ...parts,
  step: 0,
  labels: new Map(),
  cursor: { user: -1, host: -1, codex: -1 },
  judgements: [],
  seen: [],
  ended: null,
});

type Waiting = Pick<Scene, "timeline" | "clock" | "deadlineMs">;

/** For a wait with a deadline of its own. */
export const within = ({ timeline, clock }: Scene, deadlineMs: number): Waiting => ({ timeline, clock, deadlineMs });

/** Resolves when `probe` gives something, looking after each entry of the log; with null when the deadline passes. */
export function until<T>(scene: Waiting, probe: () => T | undefined) {
  return new Promise<T | null>((resolve, reject) => {
    let over = false;
    const finish = (act: () => void): void => {
      over = true;
      cancel();
      stop();
      act();
    };
    const tryIt = (): void => {
      if (over) return;
      try {
        const value = probe();
        if (value !== undefined) finish(() => resolve(value));
      } catch (error) {
        finish(() => reject(error));
      }
    };
    const cancel = scene.clock.after(scene.deadlineMs, () => finish(() => resolve(null)));
    // A frame is logged before its receiver has seen it.
    const stop = scene.timeline.log.subscribe(() => queueMicrotask(tryIt));
    tryIt();
  });
}

export interface WatchOptions {
  readonly anywhere?: boolean | undefined;
  /** The first frame that is meant must be so. */
  readonly must?: { readonly mismatches: (part: unknown) => readonly Mismatch[] };
  readonly within?: Within | undefined;
  /** There can be but one such frame: one that is not as the pattern wants ends the wait. */
  readonly only?: boolean;
  /** Where to look from. Default: the cursor of the wire. */
  readonly from?: number;
  /** Stands for the frame from when it is seen. */
  readonly label?: string | undefined;
}

/** What a step says of how to look. */
export function optionsOf(
  { bindings }: Scene,
  {
    must,
    anywhere,
    within,
    label,
  }: AnyStep & { readonly must?: Pattern; readonly anywhere?: true; readonly within?: Within },
): WatchOptions {
  if (must === undefined) return { anywhere, within, label };
  const pattern = fill(must, bindings);
  return { anywhere, within, label, must: { mismatches: (part) => mismatches(part, pattern) } };
}

function inTime(scene: Scene, { entry }: Hit, within: Within): void {
  const label = scene.labels.get(within.after);
  if (label === undefined) throw new CaseFault({ blame: "suite", message: `there is no label ${within.after}` });
  const took = scene.timeline.at(entry.seq) - label.at;
  const { atLeast = 0, atMost = Number.POSITIVE_INFINITY } = within;
  if (took >= atLeast && took <= atMost) return;
  const message = `it came ${Math.round(took)} ms after ${within.after}, not ${atLeast} to ${atMost} ms after it`;
  throw new CaseFault({ message, seq: entry.seq });
}

/** Waits for a frame of whoever is under test. Throws what was expected and what came nearest. */
export async function watch(scene: Scene, meant: Meant, options: WatchOptions = {}): Promise<Hit> {
  const { timeline, cursor } = scene;
  const from = options.anywhere === true ? -1 : (options.from ?? cursor[meant.wire]);
  const frames = (): readonly LoggedFrame[] => timeline.fromTested(meant.wire, from);
  const found = await until(scene, () => {
    const { hit, nearest } = look(meant, frames());
    if (hit !== undefined) return hit;
    if (options.only === true && nearest !== undefined) return "wrong";
    return scene.ended === null ? undefined : "ended";
  });
  if (found === null || typeof found === "string") {
    const { nearest } = look(meant, frames());
    const waits = {
      wrong: "a frame came that is wrong",
      ended: `the ${partyName(timeline.tested)} ended (${scene.ended})`,
    };
    const wait = found === null ? `waited ${scene.deadlineMs} ms in vain` : waits[found];
    throw new CaseFault({
      message: `${wait}, expecting ${meant.what}`,
      expected: meant.what,
      ...(nearest === undefined ? {} : { mismatches: nearest.mismatches, seq: nearest.entry.seq }),
    });
  }
  const hit = found;
  scene.seen.push({ step: scene.step, meant, entry: hit.entry });
  const wrong = options.must?.mismatches(hit.part) ?? [];
  if (wrong.length > 0) {
    const message = `the first frame that is ${meant.what} is not as it must be`;
    throw new CaseFault({ message, mismatches: wrong, seq: hit.entry.seq });
  }
  if (options.within !== undefined) inTime(scene, hit, options.within);
  const { seq } = hit.entry;
  if (options.label !== undefined) scene.labels.set(options.label, { at: timeline.at(seq), seq });
  if (options.anywhere !== true) cursor[meant.wire] = Math.max(cursor[meant.wire], hit.entry.seq);
  return hit;
}

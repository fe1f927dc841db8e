import type { Clock } from "../runtime/clock.js";
import type { LoggedFrame, Wire } from "../testing/frames.js";
import type { TurnScript } from "../testing/scripted-codex/turn.js";
import type { CaseCodex } from "./codex.js";
import type { Agent, CodexSide } from "./ground.js";
import { type Hit, look, type Meant } from "./kinds.js";
import { CaseFault } from "./outcome.js";
import type { Mismatch } from "./pattern.js";
import type { CaseModel } from "./real/model.js";
import type { Within } from "./step-format.js";
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

/** A running case: what its steps share. */
export interface Stage {
  readonly timeline: Timeline;
  readonly clock: Clock;
  readonly side: CodexSide;
  /** Throws where Codex is the real one. */
  readonly codex: CaseCodex;
  /** Throws where there is no model. */
  readonly model: CaseModel;
  readonly agent: Agent;
  /** Longest wait of one step, in milliseconds. */
  readonly deadlineMs: number;
  /** Index of the step that runs. */
  step: number;
  readonly bindings: Record<string, unknown>;
  /** Host requests by name. */
  readonly asks: Map<string, { readonly id: number; readonly method: string }>;
  /** Agent's requests to the host, by the name that a watch gave. */
  readonly asked: Map<string, string | number>;
  /** Requests of Codex by name. */
  readonly codexAsks: Map<string, { readonly id: number; readonly method: string }>;
  readonly turns: Map<string, TurnScript>;
  /** How many of the model's requests have been seen by a step. */
  modelCursor: number;
  /** `turn/start` requests whose turn has been taken. */
  turnsTaken: number;
  readonly labels: Map<string, { readonly at: number; readonly seq: number }>;
  /** The last frame that a watch has seen, by wire. */
  readonly cursor: Record<Wire, number>;
  readonly judgements: Judgement[];
  readonly seen: Seen[];
  lastId: number;
  /** How the agent ended, once it has. */
  ended: string | null;
}

type Waiting = Pick<Stage, "timeline" | "clock" | "deadlineMs">;

/** For a wait with a deadline of its own. */
export const within = ({ timeline, clock }: Stage, deadlineMs: number): Waiting => ({ timeline, clock, deadlineMs });

/** Resolves when `probe` gives something, looking after each entry of the log; with null when the deadline passes. */
export function until<T>(stage: Waiting, probe: () => T | undefined) {
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
    const cancel = stage.clock.after(stage.deadlineMs, () => finish(() => resolve(null)));
    // A frame is logged before its receiver has seen it.
    const stop = stage.timeline.log.subscribe(() => queueMicrotask(tryIt));
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
}

function inTime(stage: Stage, { entry }: Hit, within: Within): void {
  const label = stage.labels.get(within.after);
  if (label === undefined) throw new CaseFault({ blame: "suite", message: `there is no label ${within.after}` });
  const took = stage.timeline.at(entry.seq) - label.at;
  const { atLeast = 0, atMost = Number.POSITIVE_INFINITY } = within;
  if (took >= atLeast && took <= atMost) return;
  const message = `it came ${Math.round(took)} ms after ${within.after}, not ${atLeast} to ${atMost} ms after it`;
  throw new CaseFault({ message, seq: entry.seq });
}

/** Waits for a frame of the agent. Throws what was expected and what came nearest. */
export async function watch(stage: Stage, meant: Meant, options: WatchOptions = {}): Promise<Hit> {
  const { timeline, cursor } = stage;
  const from = options.anywhere === true ? -1 : (options.from ?? cursor[meant.wire]);
  const frames = (): readonly LoggedFrame[] => timeline.fromAgent(meant.wire, from);
  const found = await until(stage, () => {
    const { hit, nearest } = look(meant, frames());
    if (hit !== undefined) return hit;
    if (options.only === true && nearest !== undefined) return "wrong";
    return stage.ended === null ? undefined : "ended";
  });
  if (found === null || typeof found === "string") {
    const { nearest } = look(meant, frames());
    const waits = { wrong: "a frame came that is wrong", ended: `the agent ended (${stage.ended})` };
    const wait = found === null ? `waited ${stage.deadlineMs} ms in vain` : waits[found];
    throw new CaseFault({
      message: `${wait}, expecting ${meant.what}`,
      expected: meant.what,
      ...(nearest === undefined ? {} : { mismatches: nearest.mismatches, seq: nearest.entry.seq }),
    });
  }
  const hit = found;
  stage.seen.push({ step: stage.step, meant, entry: hit.entry });
  const wrong = options.must?.mismatches(hit.part) ?? [];
  if (wrong.length > 0) {
    const message = `the first frame that is ${meant.what} is not as it must be`;
    throw new CaseFault({ message, mismatches: wrong, seq: hit.entry.seq });
  }
  if (options.within !== undefined) inTime(stage, hit, options.within);
  if (options.anywhere !== true) cursor[meant.wire] = Math.max(cursor[meant.wire], hit.entry.seq);
  return hit;
}

import { isObject } from "./surface.js";

/** What one version of Codex answered to the probes. */
export interface StoredBehaviour {
  readonly version: string;
  readonly answers: readonly ProbeAnswer[];
}

export interface ProbeAnswer {
  /** Name of the probe: `provider-on-resume`. */
  readonly probe: string;
  /** What was asked of Codex, in a sentence. */
  readonly question: string;
  /** What it did, in words without ids, times and paths. */
  readonly answer: string;
}

export interface BehaviourChange {
  readonly probe: string;
  readonly question: string;
  readonly was: string;
  readonly now: string;
}

/** The probes that both versions answered, and not alike. */
export function behaviourChanges(old: StoredBehaviour, now: StoredBehaviour): BehaviourChange[] {
  const before = new Map(old.answers.map(({ probe, answer }) => [probe, answer]));
  return now.answers.flatMap(({ probe, question, answer }) => {
    const was = before.get(probe);
    return was === undefined || was === answer ? [] : [{ probe, question, was, now: answer }];
  });
}

/** Answers that were stored as JSON. Throws when they are none. */
export function readBehaviour(value: unknown): StoredBehaviour {
  const { version, answers } = isObject(value) ? value : {};
  if (typeof version !== "string" || !Array.isArray(answers) || !answers.every(isAnswer)) {
    throw new Error("the stored answers to the probes are not as stored");
  }
  return { version, answers };
}

const isAnswer = (value: unknown): value is ProbeAnswer =>
  isObject(value) && ["probe", "question", "answer"].every((name) => typeof value[name] === "string");

import { check } from "../judge.js";
import type { Stage } from "../stage.js";
import type { RunStep } from "../suite.js";
import * as codex from "./codex.js";
import { filesIn } from "./files.js";
import * as host from "./host.js";
import * as model from "./model.js";
import { trap } from "./trap.js";
import * as turns from "./turns.js";
import * as watching from "./watching.js";

/** The member that says what a step does. */
type VerbIn<S> = S extends unknown ? Extract<keyof S, keyof typeof verbs> : never;

type StepWith<Verb extends string> = Extract<RunStep, { readonly [name in Verb]: unknown }>;

const verbs = {
  ask: host.ask,
  tell: host.tell,
  raw: host.raw,
  answer: host.answer,
  hostReads: host.hostReads,
  end: host.end,
  update: watching.update,
  sees: watching.sees,
  codexSees: watching.codexSees,
  gives: watching.gives,
  codexGets: watching.codexGets,
  unordered: watching.unordered,
  never: watching.never,
  count: watching.count,
  check,
  quiet: watching.quiet,
  trap,
  filesIn,
  codexAnswers: codex.codexAnswers,
  codexStores: codex.codexStores,
  codexHolds: codex.codexHolds,
  codexReleases: codex.codexReleases,
  codexTells: codex.codexTells,
  codexAsks: codex.codexAsks,
  codexDies: codex.codexDies,
  begin: turns.begin,
  play: turns.play,
  model: model.model,
  modelSees: model.modelSees,
  modelGoesOn: model.modelGoesOn,
} as const;

export type Verb = VerbIn<RunStep>;

export const verbNames = Object.keys(verbs);

/** The verb of a step; throws when it has none. */
export function verbOf(step: RunStep): Verb {
  const found = Object.keys(verbs).find((name) => name in step);
  if (found === undefined) throw new Error(`no step: ${JSON.stringify(step)}`);
  return found as Verb;
}

/** Runs one step. */
export async function runStep(stage: Stage, step: RunStep): Promise<void> {
  // The verb picks the function that takes this very step; the compiler cannot follow that.
  const act = verbs[verbOf(step)] as (stage: Stage, step: StepWith<string>) => void | Promise<void>;
  await act(stage, step as never);
}

import { check } from "../../conformance/judge.js";
import type { HostStage } from "../stage.js";
import type { RunHostStep } from "../step-format.js";
import * as agent from "./agent.js";
import * as user from "./user.js";
import * as watching from "./watching.js";

const verbs = {
  hello: user.hello,
  open: user.open,
  user: user.user,
  did: user.did,
  shown: user.shown,
  agentUpdates: agent.agentUpdates,
  agentTells: agent.agentTells,
  agentAsks: agent.agentAsks,
  agentWithdraws: agent.agentWithdraws,
  agentAnswers: agent.agentAnswers,
  agentHolds: agent.agentHolds,
  agentGives: agent.agentGives,
  hostSends: watching.hostSends,
  hostAnswers: watching.hostAnswers,
  never: watching.never,
  count: watching.count,
  check,
  hostQuiet: watching.hostQuiet,
} as const;

type Verb = keyof typeof verbs;

/** The verb of a step; throws when it has none. */
export function verbOf(step: RunHostStep): Verb {
  const found = Object.keys(verbs).find((name) => name in step);
  if (found === undefined) throw new Error(`no step: ${JSON.stringify(step)}`);
  return found as Verb;
}

/** Runs one step. */
export async function runHostStep(stage: HostStage, step: RunHostStep): Promise<void> {
  // The verb picks the function that takes this very step; the compiler cannot follow that.
  const act = verbs[verbOf(step)] as (stage: HostStage, step: never) => void | Promise<void>;
  await act(stage, step as never);
}

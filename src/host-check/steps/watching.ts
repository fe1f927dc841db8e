import { judgeCount, judgeNever } from "../../conformance/judge.js";
import { meantAnswer, meantCall } from "../../conformance/kinds.js";
import { optionsOf, watch } from "../../conformance/scene.js";
import { fill } from "../../conformance/template.js";
import { isObject } from "../../runtime/index.js";
import { askedBy, meantHostKind } from "../kinds.js";
import type { HostStage } from "../stage.js";
import type { HostAnswersStep, HostCountStep, HostNeverStep, HostQuietStep, HostSendsStep } from "../step-format.js";
import { settle } from "./agent.js";

export async function hostSends(stage: HostStage, step: HostSendsStep): Promise<void> {
  const { as } = step;
  const meant = meantCall("host", step.hostSends, step.params, stage.bindings);
  const { part, entry } = await watch(stage, meant, optionsOf(stage, step));
  if (as === undefined) return;
  stage.bindings[as] = part;
  const id = isObject(entry.frame) ? entry.frame["id"] : undefined;
  if (typeof id === "number" || typeof id === "string") stage.asked.set(as, id);
}

export async function hostAnswers(stage: HostStage, step: HostAnswersStep): Promise<void> {
  const { id, method, since } = askedBy(stage, step.hostAnswers);
  const what = `the host's answer to ${method}`;
  const meant =
    step.answered === undefined
      ? meantAnswer("host", id, what, step, stage.bindings)
      : { ...meantAnswer("host", id, what, {}, stage.bindings), pattern: fill(step.answered, stage.bindings) };
  const { part } = await watch(stage, meant, { only: true, from: since });
  if (isObject(part)) stage.bindings[step.hostAnswers] = part["result"] ?? part["error"];
}

export function never(stage: HostStage, step: HostNeverStep): void {
  judgeNever(stage, meantHostKind(step.never, stage), step.until);
}

export function count(stage: HostStage, step: HostCountStep): void {
  judgeCount(stage, meantHostKind(step.count, stage), step.is);
}

/** A round trip, twice: what the first one set going is through after the second. */
export async function hostQuiet(stage: HostStage, _step?: HostQuietStep): Promise<void> {
  await settle(stage);
  await settle(stage);
  stage.cursor.host = stage.timeline.last();
}

import { type Meant, meantAnswer, meantCall } from "../../conformance/kinds.js";
import { CaseFault } from "../../conformance/outcome.js";
import { mismatches } from "../../conformance/pattern.js";
import { watch } from "../../conformance/scene.js";
import type { CheckStep } from "../../conformance/step-format.js";
import { fill } from "../../conformance/template.js";
import { isObject } from "../../runtime/index.js";
import { askedBy, meantHostKind } from "../kinds.js";
import type { HostStage } from "../stage.js";
import type { HostAnswersStep, HostCountStep, HostNeverStep, HostQuietStep, HostSendsStep } from "../step-format.js";
import { settle } from "./agent.js";

export async function hostSends(stage: HostStage, step: HostSendsStep): Promise<void> {
  const { as, must, anywhere, within } = step;
  const meant = meantCall("host", step.hostSends, step.params, stage.bindings);
  const pattern = must === undefined ? undefined : fill(must, stage.bindings);
  const { part, entry } = await watch(stage, meant, {
    anywhere,
    within,
    ...(pattern === undefined ? {} : { must: { mismatches: (given) => mismatches(given, pattern) } }),
  });
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

const lastSeq = (stage: HostStage): number => stage.timeline.log.entries.length - 1;

function judgeLater(stage: HostStage, meant: Meant, since: number, until: string | null, times: number): void {
  stage.judgements.push({ step: stage.step, meant, since, until, times });
}

export function never(stage: HostStage, step: HostNeverStep): void {
  judgeLater(stage, meantHostKind(step.never, stage), lastSeq(stage), step.until ?? null, 0);
}

export function count(stage: HostStage, step: HostCountStep): void {
  judgeLater(stage, meantHostKind(step.count, stage), -1, null, step.is);
}

export function check(stage: HostStage, step: CheckStep): void {
  const wrong = mismatches(fill(step.check, stage.bindings), fill(step.is, stage.bindings));
  if (wrong.length > 0)
    throw new CaseFault({ message: `${JSON.stringify(step.check)} is not as it must be`, mismatches: wrong });
}

/** A round trip, twice: what the first one set going is through after the second. */
export async function hostQuiet(stage: HostStage, _step?: HostQuietStep): Promise<void> {
  await settle(stage);
  await settle(stage);
  stage.cursor.host = lastSeq(stage);
}

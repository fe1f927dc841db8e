import * as parts from "../../testing/scripted-model/steps.js";
import type { ModelGoesOnStep, ModelSays, ModelSeesStep, ModelStep } from "../model-steps.js";
import { CaseFault } from "../outcome.js";
import { type Mismatch, mismatches } from "../pattern.js";
import { promptsIn } from "../real/prompts.js";
import { until } from "../scene.js";
import type { Stage } from "../stage.js";
import { fill } from "../template.js";

function partOf(stage: Stage, says: ModelSays): parts.Part {
  if ("message" in says) {
    const { message: text, ...options } = says;
    return parts.message({ text, ...options });
  }
  if ("reasoning" in says) return parts.reasoning(says.reasoning, says.content);
  if ("exec" in says) {
    const asking = says.asking === undefined ? {} : { sandbox_permissions: "require_escalated" as const };
    return parts.execCommand(says.exec, says.asking === undefined ? {} : { ...asking, justification: says.asking });
  }
  if ("calls" in says) return parts.functionCall(says.calls, says.arguments, options(says.namespace));
  if ("patches" in says) return parts.applyPatch(says.patches);
  if ("usage" in says) return parts.usage(says.usage);
  if ("waits" in says) return stage.model.waitsFor(says.waits);
  if ("status" in says) return parts.httpError(says.status, says.body ?? {});
  if ("fails" in says) return parts.responseFailed(says.fails);
  return parts.cut();
}

const options = (namespace: string | undefined): { readonly namespace?: string } =>
  namespace === undefined ? {} : { namespace };

export function model(stage: Stage, step: ModelStep): void {
  // Filled in, it is what the schema says: a template stands only where any value may.
  const says = [fill(step.model, stage.bindings)].flat() as readonly ModelSays[];
  const to = step.to === undefined ? undefined : fill(step.to, stage.bindings);
  const wanted = (texts: readonly string[]): boolean => {
    if (to !== undefined) return texts.some((text) => mismatches(text, to).length === 0);
    const prompts = promptsIn(stage.timeline.log);
    return texts.some((text) => prompts.has(text));
  };
  stage.model.answers(
    wanted,
    says.map((one) => partOf(stage, one)),
  );
}

export function modelGoesOn(stage: Stage, step: ModelGoesOnStep): void {
  stage.model.goesOn(step.modelGoesOn);
}

export async function modelSees(stage: Stage, step: ModelSeesStep): Promise<void> {
  const pattern = fill(step.modelSees, stage.bindings);
  const http = step.http === undefined ? undefined : fill(step.http, stage.bindings);
  let nearest: readonly Mismatch[] = [];
  const found = await until(stage, () => {
    const from = step.anywhere === true ? 0 : stage.modelCursor;
    for (const [index, { body, ...request }] of stage.model.requests.entries()) {
      if (index < from) continue;
      const wrong = [
        ...mismatches(body, pattern),
        ...(http === undefined ? [] : mismatches(request.http, http, "/http")),
      ];
      if (wrong.length === 0) return { index, body };
      if (nearest.length === 0 || wrong.length < nearest.length) nearest = wrong;
    }
    return undefined;
  });
  const how = http === undefined ? "" : ` over HTTP as ${JSON.stringify(http)}`;
  const expected = `a request to the model like ${JSON.stringify(pattern)}${how}`;
  if (found === null) {
    const message = `waited ${stage.deadlineMs} ms in vain, expecting ${expected}`;
    throw new CaseFault({ message, expected, mismatches: nearest });
  }
  stage.modelCursor = Math.max(stage.modelCursor, found.index + 1);
  if (step.as !== undefined) stage.bindings[step.as] = found.body;
}

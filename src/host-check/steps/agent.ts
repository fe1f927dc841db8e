import { CaseFault } from "../../conformance/outcome.js";
import { until, within } from "../../conformance/scene.js";
import { fill } from "../../conformance/template.js";
import { updateFrame, withdrawalFrame } from "../agent.js";
import { askedBy } from "../kinds.js";
import type { HostStage } from "../stage.js";
import type {
  AgentAnswersStep,
  AgentAsksStep,
  AgentGivesStep,
  AgentHoldsStep,
  AgentTellsStep,
  AgentUpdatesStep,
  AgentWithdrawsStep,
} from "../step-format.js";

const usualSession = `\${session.sessionId}`;

export function agentUpdates(stage: HostStage, step: AgentUpdatesStep): void {
  const sessionId = fill(step.of ?? usualSession, stage.bindings);
  for (const update of step.agentUpdates) stage.agent.send(updateFrame(sessionId, fill(update, stage.bindings)));
}

export function agentTells(stage: HostStage, step: AgentTellsStep): void {
  const params = fill(step.params, stage.bindings);
  stage.agent.send({ jsonrpc: "2.0", method: step.agentTells, params }, step.wrong === true);
}

export function agentAsks(stage: HostStage, step: AgentAsksStep): void {
  const since = stage.timeline.last();
  const id = stage.agent.ask(step.agentAsks, fill(step.params, stage.bindings), step.wrong === true);
  stage.asks.set(step.as, { id, method: step.agentAsks, since });
}

export function agentWithdraws(stage: HostStage, step: AgentWithdrawsStep): void {
  stage.agent.send(withdrawalFrame(askedBy(stage, step.agentWithdraws).id));
}

const answerFrom = ({ result, error }: { result?: unknown; error?: unknown }, bindings: HostStage["bindings"]) =>
  error === undefined ? { result: fill(result ?? {}, bindings) } : { error: fill(error, bindings) };

export function agentAnswers(stage: HostStage, step: AgentAnswersStep): void {
  stage.agent.answers(step.agentAnswers, (params) => answerFrom(step, { ...stage.bindings, params }));
}

export function agentHolds(stage: HostStage, step: AgentHoldsStep): void {
  stage.agent.holds(step.agentHolds);
}

export function agentGives(stage: HostStage, step: AgentGivesStep): void {
  const id = stage.asked.get(step.agentGives);
  if (id === undefined) {
    throw new CaseFault({ blame: "suite", message: `${step.agentGives} is no request of the host` });
  }
  stage.agent.gives(id, answerFrom(step, stage.bindings));
}

/** Not a method of anybody: a host refuses it, after all it was told before. */
const fence = "_host-check/fence";

/** How long a host may leave such a request unanswered before the case goes on. */
const fenceMs = 2_000;

/** Waits until the host has read all that the agent said. */
export async function settle(stage: HostStage): Promise<void> {
  if (!stage.agent.running || stage.ended !== null) return;
  const since = stage.timeline.last();
  const id = stage.agent.ask(fence, {}, true);
  const answered = (): true | undefined =>
    stage.ended !== null ||
    !stage.agent.running ||
    stage.timeline
      .fromTested("host", since)
      .some(({ frame }) => Object(frame).id === id && !("method" in Object(frame))) ||
    undefined;
  await until(within(stage, fenceMs), answered);
}

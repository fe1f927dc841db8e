import { isObject } from "../../runtime/index.js";
import { meantAnswer } from "../kinds.js";
import { CaseFault } from "../outcome.js";
import { until, watch } from "../scene.js";
import type { Stage } from "../stage.js";
import type { AnswerStep, AskStep, EndStep, RawStep, ReadStep, TellStep } from "../step-format.js";
import { fill } from "../template.js";

type Frame = Readonly<Record<string, unknown>>;

export function sendFrame(stage: Stage, frame: Frame, wrong = false): void {
  stage.timeline.log.add("host", "host", frame, wrong);
  stage.agent.write(`${JSON.stringify(frame)}\n`);
}

/** Sends a request under a new id. */
export function sendRequest(stage: Stage, method: string, params: unknown, wrong = false): number {
  stage.lastId += 1;
  const id = stage.lastId;
  const frame = params === undefined ? { jsonrpc: "2.0", id, method } : { jsonrpc: "2.0", id, method, params };
  sendFrame(stage, frame, wrong);
  return id;
}

/** Keeps what an answer brought under the request's name. */
export function bindAnswer(stage: Stage, name: string | undefined, part: unknown): void {
  if (name !== undefined && isObject(part)) stage.bindings[name] = part["result"] ?? part["error"];
}

export async function ask(stage: Stage, step: AskStep): Promise<void> {
  const { ask: method, as, result, error, answered, within } = step;
  const id = sendRequest(stage, method, fill(step.params, stage.bindings), step.wrong === true);
  if (as !== undefined) {
    stage.asks.set(as, { id, method });
    stage.bindings[as] = { id };
  }
  if (result === undefined && error === undefined && answered === undefined) return;
  const what = `the answer to ${method}`;
  const meant =
    answered === undefined
      ? meantAnswer("host", id, what, { result, error }, stage.bindings)
      : { ...meantAnswer("host", id, what, {}, stage.bindings), pattern: fill(answered, stage.bindings) };
  const { part } = await watch(stage, meant, { within, only: true });
  bindAnswer(stage, as, part);
}

export function tell(stage: Stage, step: TellStep): void {
  const params = fill(step.params, stage.bindings);
  const frame = { jsonrpc: "2.0", method: step.tell, ...(params === undefined ? {} : { params }) };
  sendFrame(stage, frame, step.wrong === true);
}

export function raw(stage: Stage, step: RawStep): void {
  const lines = step.raw.map((item) => {
    const value = fill(item, stage.bindings);
    stage.timeline.log.add("host", "host", value, true);
    return typeof value === "string" ? value : JSON.stringify(value);
  });
  stage.agent.write(lines.map((line) => `${line}\n`).join(""));
}

export function answer(stage: Stage, step: AnswerStep): void {
  const id = stage.asked.get(step.answer);
  if (id === undefined) throw new CaseFault({ blame: "suite", message: `${step.answer} is no request of the agent` });
  const error = fill(step.error, stage.bindings);
  const given = error === undefined ? { result: fill(step.result ?? {}, stage.bindings) } : { error };
  sendFrame(stage, { jsonrpc: "2.0", id, ...given });
}

export function hostReads(stage: Stage, step: ReadStep): void {
  stage.timeline.log.note(step.hostReads ? "the host reads on" : "the host stops reading");
  stage.agent.reads(step.hostReads);
}

export async function end(stage: Stage, step: EndStep): Promise<void> {
  const { seq } = stage.timeline.log.entries.at(-1) ?? { seq: 0 };
  stage.timeline.log.note("the host goes away");
  const before = stage.timeline.at(seq + 1);
  stage.agent.closeInput();
  const ended = await until(stage, () => stage.ended ?? undefined);
  if (ended === null) throw new CaseFault({ message: `the agent did not end within ${stage.deadlineMs} ms` });
  const took = stage.timeline.at(stage.timeline.log.entries.length - 1) - before;
  const limit = step.within?.atMost;
  if (limit !== undefined && took > limit) throw new CaseFault({ message: `it took ${took} ms to end, not ${limit}` });
}

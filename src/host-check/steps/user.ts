import { CaseFault } from "../../conformance/outcome.js";
import { mismatches } from "../../conformance/pattern.js";
import { watch } from "../../conformance/scene.js";
import { fill } from "../../conformance/template.js";
import { isObject } from "../../runtime/index.js";
import type { Instructions } from "../driver-format.js";
import { meantAnswerTo } from "../kinds.js";
import type { HostStage } from "../stage.js";
import type { DidStep, HelloStep, OpenStep, ShownStep, UserStep } from "../step-format.js";
import { settle } from "./agent.js";

type Method = keyof Instructions;

/** Gives the driver an instruction. Its answer comes later. */
function give(stage: HostStage, method: Method, params: unknown) {
  stage.lastId += 1;
  const id = stage.lastId;
  const frame = { jsonrpc: "2.0", id, method, params };
  const since = stage.timeline.last();
  stage.timeline.log.add("user", "user", frame);
  stage.driver.write(`${JSON.stringify(frame)}\n`);
  return { id, method, since };
}

/** The driver's error in place of a result. */
export const refusal = (method: string, error: unknown, seq: number): CaseFault =>
  new CaseFault({
    blame: "driver",
    message: `the driver answered ${method} with an error: ${isObject(error) ? error["message"] : error}`,
    seq,
  });

/** The result of an instruction; throws when the driver answers with an error, or not at all. */
async function resultOf(stage: HostStage, given: ReturnType<typeof give>): Promise<unknown> {
  const meant = meantAnswerTo("user", given.id, `the driver's answer to ${given.method}`);
  const { part, entry } = await watch(stage, meant, { from: given.since });
  const answer = isObject(part) ? part : {};
  if ("error" in answer) {
    throw refusal(given.method, answer["error"], entry.seq);
  }
  return answer["result"];
}

/** Gives an instruction and awaits its result. */
export const instruct = (stage: HostStage, method: Method, params: unknown): Promise<unknown> =>
  resultOf(stage, give(stage, method, params));

function finish(stage: HostStage, method: string, name: string | undefined, result: unknown, pattern: unknown): void {
  if (name !== undefined) stage.bindings[name] = result;
  if (pattern === undefined) return;
  const wrong = mismatches(result, fill(pattern, stage.bindings));
  if (wrong.length > 0) {
    throw new CaseFault({ message: `what came of ${method} is not as it must be`, mismatches: wrong });
  }
}

export async function hello(stage: HostStage, step: HelloStep): Promise<void> {
  stage.bindings[step.hello] = await instruct(stage, "hello", {});
}

export async function open(stage: HostStage, _step: OpenStep): Promise<void> {
  await instruct(stage, "open", stage.driver.agentCommand);
}

export async function user(stage: HostStage, step: UserStep): Promise<void> {
  const given = give(stage, step.user, fill(step.params ?? {}, stage.bindings));
  if (step.later !== true) finish(stage, step.user, step.as, await resultOf(stage, given), step.result);
  else if (step.as !== undefined) stage.instructed.set(step.as, given);
}

export async function did(stage: HostStage, step: DidStep): Promise<void> {
  const given = stage.instructed.get(step.did);
  if (given === undefined) throw new CaseFault({ blame: "suite", message: `there is no instruction ${step.did}` });
  finish(stage, given.method, step.did, await resultOf(stage, given), step.result);
}

const usualSession = `\${session.sessionId}`;

/** Waits between two looks at what is not yet as it must be, in milliseconds; the last is used again and again. */
const pauses = [5, 10, 20, 40, 80, 160, 320, 640];

/** How often in a row the user must see it: a host may yet put more on the screen. */
const looks = 2;

export async function shown(stage: HostStage, step: ShownStep): Promise<void> {
  const pattern = fill(step.shown, stage.bindings);
  const sessionId = fill(step.of ?? usualSession, stage.bindings);
  const { clock } = stage;
  const end = clock.elapsed() + stage.deadlineMs;
  let good = 0;
  for (let round = 0; good < looks; round += 1) {
    await settle(stage);
    const view = await instruct(stage, "shown", { sessionId });
    const wrong = mismatches(view, pattern);
    good = wrong.length === 0 ? good + 1 : 0;
    if (step.as !== undefined) stage.bindings[step.as] = view;
    if (good > 0) continue;
    if (clock.elapsed() >= end) {
      const seq = stage.timeline.last();
      throw new CaseFault({ message: "what the user sees is not as it must be", mismatches: wrong, seq });
    }
    const ms = pauses[round] ?? pauses.at(-1) ?? 0;
    await new Promise<void>((resolve) => void clock.after(ms, resolve));
  }
}

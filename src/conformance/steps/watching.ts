import { judgeCount, judgeNever } from "../judge.js";
import { type Hit, meantAnswer, meantCall, meantKind, meantUpdate } from "../kinds.js";
import { CaseFault } from "../outcome.js";
import { optionsOf, until, type WatchOptions, watch, within } from "../scene.js";
import type { Stage } from "../stage.js";
import type {
  CodexGetsStep,
  CodexSeesStep,
  CountStep,
  GivesStep,
  NeverStep,
  QuietStep,
  SeesStep,
  UnorderedStep,
  UpdateStep,
} from "../step-format.js";
import { bindAnswer, sendRequest } from "./host.js";

const bind = (stage: Stage, name: string | undefined, { part }: Hit): void => {
  if (name !== undefined) stage.bindings[name] = part;
};

type Start = Pick<WatchOptions, "from">;

export async function update(stage: Stage, step: UpdateStep, start: Start = {}): Promise<void> {
  const meant = meantUpdate(step.update, step.of, stage.bindings);
  bind(stage, step.as, await watch(stage, meant, { ...optionsOf(stage, step), ...start }));
}

export async function sees(stage: Stage, step: SeesStep, start: Start = {}): Promise<void> {
  const meant = meantCall("host", step.sees, step.params, stage.bindings);
  const hit = await watch(stage, meant, { ...optionsOf(stage, step), ...start });
  bind(stage, step.as, hit);
  const id: unknown = Object(hit.entry.frame).id;
  if (step.as !== undefined && (typeof id === "number" || typeof id === "string")) {
    stage.asked.set(step.as, id);
    stage.bindings[`${step.as}Id`] = id;
  }
}

export async function codexSees(stage: Stage, step: CodexSeesStep, start: Start = {}): Promise<void> {
  const meant = meantCall("codex", step.codexSees, step.params, stage.bindings);
  bind(stage, step.as, await watch(stage, meant, { ...optionsOf(stage, step), ...start }));
}

export async function gives(stage: Stage, step: GivesStep, start: Start = {}): Promise<void> {
  const asked = stage.asks.get(step.gives);
  if (asked === undefined) throw new CaseFault({ blame: "suite", message: `${step.gives} was not asked` });
  const meant = meantAnswer("host", asked.id, `the answer to ${asked.method}`, step, stage.bindings);
  const options = { anywhere: step.anywhere, within: step.within, label: step.label, only: true, ...start };
  bindAnswer(stage, step.gives, (await watch(stage, meant, options)).part);
}

export async function codexGets(stage: Stage, step: CodexGetsStep, start: Start = {}): Promise<void> {
  const asked = stage.codexAsks.get(step.codexGets);
  if (asked === undefined) throw new CaseFault({ blame: "suite", message: `Codex did not ask ${step.codexGets}` });
  const meant = meantAnswer("codex", asked.id, `the answer to ${asked.method}`, step, stage.bindings);
  const hit = await watch(stage, meant, { within: step.within, label: step.label, only: true, ...start });
  bindAnswer(stage, step.codexGets, hit.part);
}

export async function unordered(stage: Stage, { unordered: steps }: UnorderedStep): Promise<void> {
  const from = { ...stage.cursor };
  for (const step of steps) {
    if ("update" in step) await update(stage, step, { from: from.host });
    else if ("sees" in step) await sees(stage, step, { from: from.host });
    else if ("codexSees" in step) await codexSees(stage, step, { from: from.codex });
    else if ("gives" in step) await gives(stage, step, { from: from.host });
    else await codexGets(stage, step, { from: from.codex });
  }
}

export function never(stage: Stage, step: NeverStep): void {
  judgeNever(stage, meantKind(step.never, stage.bindings), step.until);
}

export function count(stage: Stage, step: CountStep): void {
  judgeCount(stage, meantKind(step.count, stage.bindings), step.is);
}

/** Not a method of anybody: an agent refuses it, after all it was told before. */
const ping = "_conformance/ping";

/** How long an agent may leave such a request unanswered before the case goes on. */
const pingMs = 2_000;

/** A round trip on each side, twice: what the first one set going is through after the second. */
export async function quiet(stage: Stage, step?: QuietStep): Promise<void> {
  const patient = within(stage, pingMs);
  const answered = (wire: "host" | "codex", id: unknown, from: number) => () =>
    stage.ended !== null ||
    stage.timeline
      .fromTested(wire, from)
      .some(({ frame }) => Object(frame).id === id && !("method" in Object(frame))) ||
    undefined;
  for (let round = 0; round < 2 && stage.ended === null; round += 1) {
    const from = stage.timeline.last();
    if (stage.side.running) {
      const id = `conformance-${from}`;
      stage.side.raw({ id, method: ping, params: {} });
      await until(patient, answered("codex", id, from));
    }
    const id = sendRequest(stage, ping, {}, true);
    await until(patient, answered("host", id, from));
  }
  const seq = stage.timeline.last();
  stage.cursor.host = seq;
  stage.cursor.codex = seq;
  if (step?.label !== undefined) stage.labels.set(step.label, { at: stage.timeline.at(seq), seq: seq + 1 });
}

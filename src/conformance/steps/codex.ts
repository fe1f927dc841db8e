import { notifications, serverRequests } from "../../generated/codex/methods.js";
import { isObject } from "../../runtime/index.js";
import { CodexFailure } from "../../testing/scripted-codex/core.js";
import { storedThread, storedTurn } from "../../testing/scripted-codex/stored-threads.js";
import { type CodexHandler, merged } from "../codex.js";
import { mismatches } from "../pattern.js";
import type { Stage } from "../stage.js";
import type {
  CodexAnswersStep,
  CodexAsksStep,
  CodexDiesStep,
  CodexHoldsStep,
  CodexReleasesStep,
  CodexStoresStep,
  CodexTellsStep,
  Template,
} from "../step-format.js";
import { fill } from "../template.js";
import { itemFrom } from "./turns.js";

interface Given {
  readonly result?: Template;
  readonly exactly?: Template;
  readonly each?: { readonly list: string; readonly members: Template };
  readonly error?: Template;
}

function failure(error: unknown): CodexFailure {
  const { code, message, data } = Object(error);
  return new CodexFailure(Number(code), String(message), data);
}

/** Answers with what a step gives; its references are filled in when the request comes. */
const handlerFor =
  (stage: Stage, method: string, given: Given): CodexHandler =>
  (params, context) => {
    const bindings = { ...stage.bindings, params };
    if (given.error !== undefined) throw failure(fill(given.error, bindings));
    if (given.exactly !== undefined) return fill(given.exactly, bindings);
    const usual = stage.codex.usual(method);
    const base = usual === null ? {} : usual(params, context);
    const changed = given.result === undefined ? base : merged(base, fill(given.result, bindings));
    return given.each === undefined ? changed : withEach(changed, given.each.list, fill(given.each.members, bindings));
  };

/** `members` over each item of the list. */
function withEach(result: unknown, list: string, members: unknown): unknown {
  const items: unknown = Object(result)[list];
  if (!Array.isArray(items)) throw new Error(`the answer has no list ${list}`);
  return { ...Object(result), [list]: items.map((item) => merged(item, members)) };
}

export function codexAnswers(stage: Stage, step: CodexAnswersStep): void {
  const { codexAnswers: method, when } = step;
  const answer = handlerFor(stage, method, step);
  const before = stage.codex.answering(method);
  stage.codex.answers(method, (params, context) => {
    const meant = when === undefined || mismatches(params, fill(when, stage.bindings)).length === 0;
    return meant ? answer(params, context) : before(params, context);
  });
}

export function codexStores(stage: Stage, step: CodexStoresStep): void {
  const id = String(fill(step.codexStores, stage.bindings));
  const turns = (step.turns ?? []).map((given) => {
    const { id: turnId, items, ...fields } = Object(fill(given, stage.bindings));
    return storedTurn(String(turnId), Array.isArray(items) ? items.map(itemFrom) : [], fields);
  });
  const fields = { cwd: String(stage.bindings["cwd"]), ...Object(fill(step.thread ?? {}, stage.bindings)) };
  stage.codex.stored.put({
    thread: storedThread(id, fields),
    turns,
    ...(step.unlisted === true ? { unlisted: true } : {}),
  });
}

export function codexHolds(stage: Stage, step: CodexHoldsStep): void {
  stage.codex.hold(step.codexHolds);
}

export function codexReleases(stage: Stage, step: CodexReleasesStep): void {
  const { codexReleases: method, result, error } = step;
  if (result === undefined && error === undefined) stage.codex.release(method);
  else stage.codex.release(method, handlerFor(stage, method, step));
}

function descriptorOf<D extends { readonly method: string }>(table: Readonly<Record<string, D>>, method: string): D {
  const found = Object.values(table).find((descriptor) => descriptor.method === method);
  if (found === undefined) throw new Error(`Codex does not send ${method}`);
  return found;
}

/** Params are what the case says, right or wrong: the checker of frames is the one to judge them, not the compiler. */
export function codexTells(stage: Stage, step: CodexTellsStep): void {
  const { method } = descriptorOf<{ readonly method: string }>(notifications, step.codexTells);
  stage.codex.core.notify<{ readonly method: string }>({ method }, fill(step.params, stage.bindings) as never);
}

export function codexAsks(stage: Stage, step: CodexAsksStep): void {
  const { method } = descriptorOf<{ readonly method: string }>(serverRequests, step.codexAsks);
  const params = { ...Object(fill(step.params, stage.bindings)), ...Object(fill(step.more ?? {}, stage.bindings)) };
  const asked = stage.codex.core.ask<{ readonly method: string }>({ method }, params as never);
  stage.codexAsks.set(step.as, { id: asked.id, method });
  stage.bindings[step.as] = { id: asked.id };
}

export function codexDies(stage: Stage, { codexDies: how }: CodexDiesStep): void {
  stage.side.die(isObject(how) ? how : {});
}

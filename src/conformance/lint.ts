import { isObject } from "../runtime/index.js";
import type { Case } from "./format.js";
import { rules } from "./pattern.js";
import type { Step, Template } from "./step-format.js";
import { type Verb, verbOf } from "./steps/index.js";
import { type LoadedCase, loadSuite, type RunStep, type SuiteFiles } from "./suite.js";
import { longTextName, referencesIn } from "./template.js";

const kebab = /^[a-z0-9]+(-[a-z0-9]+)*$/u;

/** Names that every case has from the start. */
const given = ["cwd", "client"];

/** Members of steps that are filled in when Codex gets a request. */
const late = new Set(["params"]);

/** What a step binds for those after it. */
function bound(step: RunStep): string[] {
  if ("unordered" in step) return step.unordered.flatMap(bound);
  if ("sees" in step) return step.as === undefined ? [] : [step.as, `${step.as}Id`];
  if ("begin" in step) return [step.begin];
  return "as" in step && step.as !== undefined ? [step.as] : [];
}

/** Names that a step asks for before it binds its own. */
const used = (step: RunStep): string[] =>
  referencesIn(step)
    .map((path) => path.split(".")[0] ?? "")
    .filter((name) => !("codexAnswers" in step || "codexReleases" in step) || !late.has(name));

const watches = [
  "update",
  "sees",
  "codexSees",
  "gives",
  "codexGets",
  "unordered",
  "never",
  "count",
  "end",
  "check",
  "modelSees",
] as const;

/** Whether a step can make a case fail by what the agent does. */
const claims = (step: RunStep): boolean =>
  watches.some((verb) => verb in step) ||
  ("ask" in step && [step.result, step.error, step.answered].some((one) => one !== undefined));

function* patternsIn(value: unknown): Generator<Readonly<Record<string, unknown>>> {
  if (Array.isArray(value)) for (const item of value) yield* patternsIn(item);
  else if (isObject(value)) {
    yield value;
    for (const member of Object.values(value)) yield* patternsIn(member);
  }
}

function stepFaults(one: LoadedCase): string[] {
  const names = new Set(given);
  const labels = new Set<string>();
  const faults: string[] = [];
  one.steps.forEach((step, index) => {
    const say = (what: string): void => void faults.push(`${one.name}, step ${index + 1}: ${what}`);
    for (const name of used(step)) if (!names.has(name)) say(`\${${name}} is bound by no step before it`);
    for (const name of bound(step)) names.add(name);
    if (step.label !== undefined) labels.add(step.label);
    const within = "within" in step ? step.within : undefined;
    if (within !== undefined && !labels.has(within.after)) say(`there is no label ${within.after} before it`);
    for (const object of patternsIn(step)) {
      for (const name of Object.keys(object)) {
        if (/^\$[a-z]/iu.test(name) && rules[name] === undefined && name !== longTextName)
          say(`there is no rule ${name}`);
      }
    }
    verbOf(step);
  });
  if (!one.steps.some(claims)) faults.push(`${one.name}: it expects nothing`);
  return faults;
}

const templatesOf = (files: SuiteFiles): readonly Template[] => [
  ...files.cases,
  ...Object.values(files.preludes).map(({ steps }) => steps),
];

function preludeUses(files: SuiteFiles): Set<string> {
  const found = new Set<string>();
  for (const object of patternsIn(templatesOf(files))) {
    if (typeof object["use"] === "string") found.add(object["use"]);
  }
  return found;
}

const scriptsCodex: readonly Verb[] = [
  "codexAnswers",
  "codexStores",
  "codexHolds",
  "codexReleases",
  "codexTells",
  "codexAsks",
  "codexGets",
  "begin",
  "play",
];
const scriptsModel: readonly Verb[] = ["model", "modelSees", "modelGoesOn"];

/** Steps that speak for somebody who is not there. */
function groundFaults({ name, ground, steps }: LoadedCase): string[] {
  const wrong = ground === "real" ? scriptsCodex : scriptsModel;
  const verbs = new Set(steps.flatMap((step) => ("unordered" in step ? step.unordered.map(verbOf) : [verbOf(step)])));
  return wrong.filter((verb) => verbs.has(verb)).map((verb) => `${name}: no ${verb} on the ground ${ground}`);
}

const repeated = (values: readonly string[]): string[] => [
  ...new Set(values.filter((value, index) => values.indexOf(value) !== index)),
];

function caseFaults(area: string, one: Case, files: SuiteFiles): string[] {
  const name = `${area.toLowerCase()}/${one.name}`;
  const known = new Map(files.clauses.map((clause) => [clause.id, clause]));
  const faults: string[] = [];
  if (!kebab.test(one.name)) faults.push(`${name}: its name is not in small letters with hyphens`);
  if (!/^[A-Z`].*\.$/u.test(one.title)) faults.push(`${name}: its title is no sentence`);
  if (one.title.length > 140) faults.push(`${name}: its title is longer than 140 characters`);
  if (one.clauses.length === 0) faults.push(`${name}: it shows no clause`);
  for (const id of one.clauses) {
    const clause = known.get(id);
    if (clause === undefined) faults.push(`${name}: there is no clause ${id}`);
    else if (clause.status === "withdrawn") faults.push(`${name}: ${id} is withdrawn`);
  }
  if (one.clauses.length > 0 && !one.clauses.some((id) => known.get(id)?.area === area))
    faults.push(`${name}: no clause of ${area}`);
  for (const need of one.needs ?? []) {
    if (files.features[need] === undefined) faults.push(`${name}: there is no feature ${need}`);
  }
  for (const row of one.rows ?? []) {
    if (!kebab.test(row.name)) faults.push(`${name}: the row ${row.name} is not in small letters with hyphens`);
  }
  return faults;
}

/** What is wrong with the cases, one sentence each, beyond what their schema says. */
export function lintSuite(files: SuiteFiles): string[] {
  const { cases } = loadSuite(files);
  const shown = new Set(files.cases.flatMap((file) => file.cases.flatMap((one) => one.clauses)));
  const excused = files.notShown.flatMap((one) => one.clauses);
  const uses = preludeUses(files);
  return [
    ...files.cases.flatMap((file) => file.cases.flatMap((one) => caseFaults(file.area, one, files))),
    ...files.cases.flatMap(({ area, needs = [] }) =>
      needs.filter((need) => files.features[need] === undefined).map((need) => `${area}: there is no feature ${need}`),
    ),
    ...repeated(files.cases.map(({ area }) => area)).map((area) => `${area} has two files`),
    ...repeated(cases.map(({ name }) => name)).map((name) => `${name}: there are two of this name`),
    ...cases.flatMap(stepFaults),
    ...cases.flatMap(groundFaults),
    ...Object.keys(files.preludes)
      .filter((name) => !uses.has(name))
      .map((name) => `the prelude ${name} is used by no case`),
    ...repeated(excused).map((id) => `${id} is listed twice as not to be shown`),
    ...excused.filter((id) => shown.has(id)).map((id) => `${id} is listed as not to be shown, and a case shows it`),
    ...excused
      .filter((id) => !files.clauses.some((clause) => clause.id === id))
      .map((id) => `${id} is listed as not to be shown, and there is no such clause`),
  ];
}

/** Steps of a file as they stand in it, with where. */
export function* stepsIn(value: unknown, path = ""): Generator<{ readonly step: Step; readonly path: string }> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* stepsIn(item, `${path}/${index}`);
    return;
  }
  if (!isObject(value)) return;
  for (const [name, member] of Object.entries(value)) {
    if ((name === "steps" || name === "do") && Array.isArray(member)) {
      for (const [index, step] of member.entries()) yield { step: step as Step, path: `${path}/${name}/${index}` };
    }
    if (name !== "params" && name !== "result") yield* stepsIn(member, `${path}/${name}`);
  }
}

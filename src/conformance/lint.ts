import { isObject } from "../runtime/index.js";
import type { Case } from "./format.js";
import { headFaults, repeated, type StepFacts, stepFaults, unusedPreludes } from "./lint-parts.js";
import type { Step, Template } from "./step-format.js";
import { type Verb, verbOf } from "./steps/index.js";
import { type LoadedCase, loadSuite, type RunStep, type SuiteFiles } from "./suite.js";

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
  "trap",
  "filesIn",
] as const;

/** What a step binds for those after it. */
function bound(step: RunStep): string[] {
  if ("unordered" in step) return step.unordered.flatMap(bound);
  if ("sees" in step) return step.as === undefined ? [] : [step.as, `${step.as}Id`];
  if ("begin" in step) return [step.begin];
  if ("trap" in step) return [step.trap];
  return "as" in step && step.as !== undefined ? [step.as] : [];
}

/** What is bound before the first step: see `runCase`. */
const givenTo = ({ ground, folders }: LoadedCase): string[] => [
  ...facts.given,
  ...(ground === "real" ? ["model", "codexHome"] : []),
  ...Object.keys(folders),
];

const facts: StepFacts<RunStep> = {
  given: ["cwd", "client"],
  bound,
  // Filled in when Codex gets a request.
  late: (step) => ("codexAnswers" in step || "codexReleases" in step ? ["params"] : []),
  claims: (step) =>
    watches.some((verb) => verb in step) ||
    ("ask" in step && [step.result, step.error, step.answered].some((one) => one !== undefined)),
  verbOf,
};

const templatesOf = (files: SuiteFiles): readonly Template[] => [
  ...files.cases,
  ...Object.values(files.preludes).map(({ steps }) => steps),
];

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

function caseFaults(area: string, one: Case, files: SuiteFiles): string[] {
  const name = `${area.toLowerCase()}/${one.name}`;
  const known = new Map(files.clauses.map((clause) => [clause.id, clause]));
  const faults = headFaults(name, one, known);
  if (one.clauses.length === 0) faults.push(`${name}: it shows no clause`);
  else if (!one.clauses.some((id) => known.get(id)?.area === area)) faults.push(`${name}: no clause of ${area}`);
  for (const need of one.needs ?? []) {
    if (files.features[need] === undefined) faults.push(`${name}: there is no feature ${need}`);
  }
  return faults;
}

/** What is wrong with the cases, one sentence each, beyond what their schema says. */
export function lintSuite(files: SuiteFiles): string[] {
  const { cases } = loadSuite(files);
  const shown = new Set(files.cases.flatMap((file) => file.cases.flatMap((one) => one.clauses)));
  const excused = files.notShown.flatMap((one) => one.clauses);
  return [
    ...files.cases.flatMap((file) => file.cases.flatMap((one) => caseFaults(file.area, one, files))),
    ...files.cases.flatMap(({ area, needs = [] }) =>
      needs.filter((need) => files.features[need] === undefined).map((need) => `${area}: there is no feature ${need}`),
    ),
    ...repeated(files.cases.map(({ area }) => area)).map((area) => `${area} has two files`),
    ...repeated(cases.map(({ name }) => name)).map((name) => `${name}: there are two of this name`),
    ...cases.flatMap((one) => stepFaults(one, { ...facts, given: givenTo(one) })),
    ...cases.flatMap(groundFaults),
    ...unusedPreludes(files.preludes, templatesOf(files)),
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

import { isObject } from "../runtime/index.js";
import { rules } from "./pattern.js";
import type { AnyStep, Within } from "./step-format.js";
import type { Clause } from "./suite.js";
import { longTextName, referencesIn } from "./template.js";

const kebab = /^[a-z0-9]+(-[a-z0-9]+)*$/u;

/** Every object within a value, itself included. */
export function* objectsIn(value: unknown): Generator<Readonly<Record<string, unknown>>> {
  if (Array.isArray(value)) for (const item of value) yield* objectsIn(item);
  else if (isObject(value)) {
    yield value;
    for (const member of Object.values(value)) yield* objectsIn(member);
  }
}

export const repeated = (values: readonly string[]): string[] => [
  ...new Set(values.filter((value, index) => values.indexOf(value) !== index)),
];

/** What a suite's linter knows of its steps. */
export interface StepFacts<Step> {
  /** Names that every case has from the start. */
  readonly given: readonly string[];
  /** What a step binds for those after it. */
  bound(step: Step): readonly string[];
  /** Names that it asks for and that nothing need have bound. */
  late(step: Step): readonly string[];
  /** Whether it can make a case fail by what the subject does. */
  claims(step: Step): boolean;
  /** Throws when it is no step. */
  verbOf(step: Step): string;
}

/** What is wrong with the steps of a case that is written out. */
export function stepFaults<Step extends AnyStep>(
  { name, steps }: { readonly name: string; readonly steps: readonly Step[] },
  facts: StepFacts<Step>,
): string[] {
  const names = new Set(facts.given);
  const labels = new Set<string>();
  const faults: string[] = [];
  steps.forEach((step, index) => {
    const say = (what: string): void => void faults.push(`${name}, step ${index + 1}: ${what}`);
    const late = facts.late(step);
    for (const path of referencesIn(step)) {
      const [first = ""] = path.split(".");
      if (!names.has(first) && !late.includes(first)) say(`\${${first}} is bound by no step before it`);
    }
    for (const one of facts.bound(step)) names.add(one);
    if (step.label !== undefined) labels.add(step.label);
    const { within } = step as { readonly within?: Within };
    if (within !== undefined && !labels.has(within.after)) say(`there is no label ${within.after} before it`);
    for (const object of objectsIn(step)) {
      for (const one of Object.keys(object)) {
        if (/^\$[a-z]/iu.test(one) && rules[one] === undefined && one !== longTextName) say(`there is no rule ${one}`);
      }
    }
    facts.verbOf(step);
  });
  if (!steps.some((step) => facts.claims(step))) faults.push(`${name}: it expects nothing`);
  return faults;
}

/** What is wrong with the names, the title and the clauses of a case as it stands in its file. */
export function headFaults(
  name: string,
  one: {
    readonly name: string;
    readonly title: string;
    readonly clauses?: readonly string[];
    readonly rows?: readonly { readonly name: string }[];
  },
  known: ReadonlyMap<string, Clause>,
): string[] {
  const faults: string[] = [];
  if (!kebab.test(one.name)) faults.push(`${name}: its name is not in small letters with hyphens`);
  if (!/^[A-Z`].*\.$/u.test(one.title)) faults.push(`${name}: its title is no sentence`);
  if (one.title.length > 140) faults.push(`${name}: its title is longer than 140 characters`);
  for (const id of one.clauses ?? []) {
    const clause = known.get(id);
    if (clause === undefined) faults.push(`${name}: there is no clause ${id}`);
    else if (clause.status === "withdrawn") faults.push(`${name}: ${id} is withdrawn`);
  }
  for (const row of one.rows ?? []) {
    if (!kebab.test(row.name)) faults.push(`${name}: the row ${row.name} is not in small letters with hyphens`);
  }
  return faults;
}

/** The preludes that nothing uses. `whole`: all in which one may be used. */
export function unusedPreludes(preludes: Readonly<Record<string, unknown>>, whole: unknown): string[] {
  const uses = new Set([...objectsIn(whole)].map(({ use }) => use));
  return Object.keys(preludes)
    .filter((name) => !uses.has(name))
    .map((name) => `the prelude ${name} is used by no case`);
}

import { readdirSync, readFileSync } from "node:fs";
import type { ClauseText } from "../conformance/report/html.js";
import { type CaseHead, type Clause, folderOf, loadCases, stepsOfPrelude, variantsOf } from "../conformance/suite.js";
import type { Ability } from "./driver-format.js";
import type { DraftRule, HostCase, HostCaseFile, HostNotShownFile, HostPreludeFile } from "./format.js";
import type { HostStep, RunHostStep } from "./step-format.js";

/** A case with its preludes and rows written out. `clauses` holds the rules of the draft as well, by their names. */
export interface LoadedHostCase extends CaseHead {
  readonly needs: readonly Ability[];
  readonly steps: readonly RunHostStep[];
}

export interface HostSuiteFiles {
  readonly cases: readonly HostCaseFile[];
  readonly preludes: HostPreludeFile["preludes"];
  readonly notShown: HostNotShownFile["reasons"];
  readonly clauses: readonly Clause[];
}

export interface HostSuite {
  /** In the order of the files' names. */
  readonly cases: readonly LoadedHostCase[];
  /** Text of each clause and rule that a case names. */
  readonly clauses: readonly ClauseText[];
}

const read = <T>(file: string): T => JSON.parse(readFileSync(file, "utf8")) as T;

/** The suite's data as it lies on disk. The linter holds it to its schema. */
export function readHostSuiteFiles(): HostSuiteFiles {
  const folder = folderOf(["../host-check/cases", "./host-check", "../host-check"]);
  const contract = folderOf(["../../schemas/contract", "./contract", "../contract"]);
  const names = readdirSync(folder).filter((name) => /^(?!preludes|not-shown|.*\.schema).*\.json$/u.test(name));
  return {
    cases: names.sort().map((name) => read<HostCaseFile>(`${folder}/${name}`)),
    preludes: read<HostPreludeFile>(`${folder}/preludes.json`).preludes,
    notShown: read<HostNotShownFile>(`${folder}/not-shown.json`).reasons,
    clauses: read<{ readonly clauses: readonly Clause[] }>(`${contract}/clauses.json`).clauses,
  };
}

/** Writes out preludes. Throws for a name that does not exist. */
export function expandHostSteps(
  steps: readonly HostStep[],
  preludes: HostSuiteFiles["preludes"],
  depth = 0,
): RunHostStep[] {
  if (depth > 10) throw new Error("preludes use each other in a circle");
  return steps.flatMap((step): RunHostStep[] =>
    "use" in step ? expandHostSteps(stepsOfPrelude(step, preludes), preludes, depth + 1) : [step],
  );
}

/** How a report names a rule of the draft. */
export const ruleName = ({ type }: DraftRule): string => `ACP ${type}`;

function loadCase(file: HostCaseFile, given: HostCase, preludes: HostSuiteFiles["preludes"]): LoadedHostCase[] {
  const { clauses = [], draft = [], level, needs = [] } = given;
  return variantsOf(given).map(({ suffix, filled }) => ({
    name: `${file.area.toLowerCase()}/${given.name}${suffix}`,
    area: file.area,
    title: filled.title,
    clauses: [...new Set([...clauses, ...draft.map(ruleName)])],
    level,
    needs,
    steps: expandHostSteps(filled.steps, preludes),
  }));
}

const textsOf = ({ level, draft = [] }: HostCase): ClauseText[] =>
  draft.map((rule) => ({ id: ruleName(rule), level, text: rule.says }));

/** Makes the cases that run. Throws, with the case's name, where one cannot be written out. */
export function loadHostSuite(files: HostSuiteFiles = readHostSuiteFiles()): HostSuite {
  const cases = loadCases(files.cases, (file, given) => loadCase(file, given, files.preludes));
  return { cases, clauses: [...files.clauses, ...files.cases.flatMap((file) => file.cases.flatMap(textsOf))] };
}

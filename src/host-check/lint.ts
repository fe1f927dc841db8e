import { headFaults, repeated, type StepFacts, stepFaults, unusedPreludes } from "../conformance/lint-parts.js";
import type { HostCase } from "./format.js";
import type { RunHostStep } from "./step-format.js";
import { verbOf } from "./steps/index.js";
import { type HostSuiteFiles, type LoadedHostCase, loadHostSuite } from "./suite.js";

/** The draft's texts: all descriptions within a definition, by its name. */
export type DraftTexts = ReadonlyMap<string, readonly string[]>;

const watches = ["shown", "hostSends", "hostAnswers", "never", "count", "check"] as const;

const facts: StepFacts<RunHostStep> = {
  given: ["cwd"],
  bound(step) {
    if ("hello" in step) return [step.hello];
    if ("did" in step) return [step.did];
    if ("agentAsks" in step) return [];
    if ("hostAnswers" in step) return [step.hostAnswers];
    return "as" in step && step.as !== undefined ? [step.as] : [];
  },
  // Filled in when the agent gets a request.
  late: (step) => ("agentAnswers" in step ? ["params"] : []),
  claims: (step) =>
    watches.some((verb) => verb in step) || (("user" in step || "did" in step) && step.result !== undefined),
  verbOf,
};

const words = (text: string): string => text.replaceAll(/\s+/gu, " ").trim();

function caseFaults(area: string, one: HostCase, files: HostSuiteFiles, texts: DraftTexts): string[] {
  const name = `${area.toLowerCase()}/${one.name}`;
  const known = new Map(files.clauses.map((clause) => [clause.id, clause]));
  const { clauses = [], draft = [] } = one;
  const faults = headFaults(name, one, known);
  if (clauses.length + draft.length === 0) faults.push(`${name}: it shows no clause and no rule of the draft`);
  for (const id of clauses) {
    const level = known.get(id)?.level;
    if (level !== undefined && level !== one.level) faults.push(`${name}: ${id} is a ${level}`);
  }
  for (const { type, says } of draft) {
    const found = texts.get(type);
    if (found === undefined) faults.push(`${name}: the draft has no ${type}`);
    else if (!found.some((text) => words(text).includes(words(says)))) faults.push(`${name}: ${type} does not say so`);
  }
  return faults;
}

/** An instruction whose answer comes later is asked for later. */
function laterFaults({ name, steps }: LoadedHostCase): string[] {
  const asked = new Set(steps.flatMap((step) => ("did" in step ? [step.did] : [])));
  return steps.flatMap((step) =>
    "user" in step && step.later === true && !asked.has(step.as ?? "")
      ? [`${name}: no step asks what came of ${step.user}`]
      : [],
  );
}

/** Each duty of a host has a case, or a reason why it has none. */
function dutyFaults({ cases, notShown, clauses }: HostSuiteFiles): string[] {
  const shown = new Set(cases.flatMap((file) => file.cases.flatMap((one) => one.clauses ?? [])));
  const excused = notShown.flatMap((one) => one.clauses);
  const duties = clauses.filter(({ status }) => status === "host-duty").map(({ id }) => id);
  return [
    ...duties.filter((id) => !shown.has(id) && !excused.includes(id)).map((id) => `${id} is shown by no case`),
    ...excused.filter((id) => shown.has(id)).map((id) => `${id} is listed as not to be shown, and a case shows it`),
    ...excused
      .filter((id) => !duties.includes(id))
      .map((id) => `${id} is listed as not to be shown, and is no duty of hosts`),
  ];
}

/** What is wrong with the cases, one sentence each, beyond what their schema says. */
export function lintHostSuite(files: HostSuiteFiles, texts: DraftTexts): string[] {
  const { cases } = loadHostSuite(files);
  const whole = [files.cases, Object.values(files.preludes).map(({ steps }) => steps)];
  return [
    ...files.cases.flatMap(({ area, cases: own }) => own.flatMap((one) => caseFaults(area, one, files, texts))),
    ...repeated(files.cases.map(({ area }) => area)).map((area) => `${area} has two files`),
    ...repeated(cases.map(({ name }) => name)).map((name) => `${name}: there are two of this name`),
    ...cases.flatMap((one) => stepFaults(one, facts)),
    ...cases.flatMap(laterFaults),
    ...unusedPreludes(files.preludes, whole),
    ...dutyFaults(files),
  ];
}

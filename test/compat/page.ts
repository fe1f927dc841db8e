import type { StoredBehaviour } from "../../src/drift/behaviour.js";
import { limits as known, type Limit } from "./limits.js";
import type { TestResult } from "./results.js";

/** What one version did. */
export interface VersionResults {
  readonly version: string;
  readonly behaviour: StoredBehaviour;
  readonly tests: readonly TestResult[];
}

export interface CompatibilityPage {
  /** `docs/compatibility.md`. */
  readonly text: string;
  /** Tests that fail and should not, and limits that do not hold any more; empty when all is as it is written down. */
  readonly faults: readonly string[];
}

const nameOf = ({ file, title }: TestResult): string => `${file}: ${title}`;

/** The page for `all` versions, oldest first. */
export function compatibilityPage(all: readonly VersionResults[], limits: readonly Limit[] = known): CompatibilityPage {
  const order = all.map(({ version }) => version);
  const holdsFor = ({ from, to }: Limit, version: string): boolean => {
    const at = order.indexOf(version);
    return at >= order.indexOf(from) && at <= order.indexOf(to);
  };
  const faults = [
    ...limits
      .filter(({ from, to }) => !order.includes(from) || !order.includes(to))
      .map(({ what }) => `a limit names a version that was not tested: ${what}`),
    ...all.flatMap(({ version, tests }) => {
      const expected = limits.filter((it) => holdsFor(it, version)).flatMap((it) => it.tests);
      const unexpected = tests.filter((test) => !test.passed && !expected.includes(nameOf(test)));
      const passing = expected.filter((name) => !tests.some((test) => !test.passed && nameOf(test) === name));
      return [
        ...unexpected.map((test) => `${version} fails: ${nameOf(test)} (${test.why})`),
        ...passing.map((name) => `${version} is said to fail and does not: ${name}`),
      ];
    }),
  ];
  const parts = [
    "# Codex versions",
    "Written by `npm run compat`, which plays hosts to the bridge over each version with a scripted model, and asks each version the probes. Not by hand: what differs stands in `test/compat/limits.ts` with its reason, and the run fails where that is not so.",
    table(
      ["Codex", "Tests that pass", "What differs"],
      [...all].reverse().map(({ version, tests }) => [
        version,
        `${tests.filter(({ passed }) => passed).length} of ${tests.length}`,
        limits
          .filter((it) => holdsFor(it, version))
          .map(({ what }) => what)
          .join("; ") || "nothing",
      ]),
    ),
    ...limitList(limits),
    ...behaviourTable(all),
  ];
  return { text: `${parts.join("\n\n")}\n`, faults };
}

const limitList = (limits: readonly Limit[]): string[] => {
  if (limits.length === 0) return [];
  const rows = limits.map(({ from, to, what, why }) => [from === to ? from : `${from} to ${to}`, what, why]);
  return ["## What differs, and why", table(["Codex", "What", "Why"], rows)];
};

/** The probes that are not answered alike by all. */
const behaviourTable = (all: readonly VersionResults[]): string[] => {
  const newest = all.at(-1)?.behaviour.answers ?? [];
  const rows = newest.flatMap(({ probe, question }) => {
    const answers = all.map(({ version, behaviour }) => ({
      version,
      answer: behaviour.answers.find((it) => it.probe === probe)?.answer ?? "not asked",
    }));
    const runs: { first: string; last: string; answer: string }[] = [];
    for (const { version, answer } of answers) {
      const run = runs.at(-1);
      if (run?.answer === answer) run.last = version;
      else runs.push({ first: version, last: version, answer });
    }
    if (runs.length < 2) return [];
    const told = runs.map(({ first, last, answer }) => `${first === last ? first : `${first} to ${last}`}: ${answer}`);
    return [[question, told.map(escapeCell).join("<br>")]];
  });
  const alike = newest.length - rows.length;
  return [
    "## What each does",
    `Asked of every version; ${alike} more questions are answered alike by all.`,
    ...(rows.length > 0 ? [table(["Question", "Answers"], rows)] : []),
  ];
};

const escapeCell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("<", "&lt;");

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");

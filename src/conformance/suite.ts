import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Case, CaseFile, Feature, FeatureFile, NotShownFile, PreludeFile } from "./format.js";
import { setNamed } from "./sets.js";
import type { Step, Template, UseStep } from "./step-format.js";
import { type Bindings, fillSome } from "./template.js";

export type Level = "MUST" | "SHOULD" | "MAY";

/** A clause as far as the suite needs it. */
export interface Clause {
  readonly id: string;
  readonly area: string;
  readonly level: Level;
  readonly text: string;
  /** `host-duty` and `withdrawn` ask nothing of an agent. */
  readonly status: string;
}

/** What every report says of a case. */
export interface CaseHead {
  /** `area/name`, or `area/name/row`. */
  readonly name: string;
  readonly area: string;
  readonly title: string;
  readonly clauses: readonly string[];
  readonly level: Level;
}

/** A case with its preludes, rows and loops written out. */
export interface LoadedCase extends CaseHead {
  readonly ground: NonNullable<Case["ground"]>;
  readonly needs: readonly string[];
  readonly folders: NonNullable<Case["folders"]>;
  readonly env: Readonly<Record<string, string | null>>;
  readonly client: Template;
  readonly steps: readonly RunStep[];
}

/** A step that a run meets: the others are written out at loading. */
export type RunStep = Exclude<Step, { readonly use: string } | { readonly do: readonly Step[] }>;

export interface SuiteFiles {
  readonly cases: readonly CaseFile[];
  readonly preludes: PreludeFile["preludes"];
  readonly features: Readonly<Record<string, Feature>>;
  readonly notShown: NotShownFile["reasons"];
  readonly clauses: readonly Clause[];
}

export interface Suite extends Omit<SuiteFiles, "cases"> {
  /** In the order of the areas and files. */
  readonly cases: readonly LoadedCase[];
}

const levels: readonly Level[] = ["MUST", "SHOULD", "MAY"];

/** The first of these that is there, from this module: in the sources, in the package, and one above a chunk of it. */
export function folderOf(names: readonly string[]): string {
  const places = names.map((name) => fileURLToPath(new URL(name, import.meta.url)));
  for (const place of places) {
    try {
      readdirSync(place);
      return place;
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
    }
  }
  throw new Error(`the cases are missing: ${places.join(", ")}`);
}

const read = <T>(file: string): T => JSON.parse(readFileSync(file, "utf8")) as T;

/** The suite's data as it lies on disk. The linter holds it to its schema. */
export function readSuiteFiles(): SuiteFiles {
  const folder = folderOf(["./cases", "./conformance", "../conformance"]);
  const contract = folderOf(["../../schemas/contract", "./contract", "../contract"]);
  const special = ["preludes.json", "features.json", "not-shown.json", "case.schema.json"];
  const names = readdirSync(folder).filter((name) => name.endsWith(".json") && !special.includes(name));
  const { areas, clauses } = read<{ areas: { area: string }[]; clauses: Clause[] }>(`${contract}/clauses.json`);
  const order = areas.map(({ area }) => area);
  return {
    cases: names
      .map((name) => read<CaseFile>(`${folder}/${name}`))
      .sort((a, b) => order.indexOf(a.area) - order.indexOf(b.area)),
    preludes: read<PreludeFile>(`${folder}/preludes.json`).preludes,
    features: read<FeatureFile>(`${folder}/features.json`).features,
    notShown: read<NotShownFile>(`${folder}/not-shown.json`).reasons,
    clauses,
  };
}

/** What a prelude stands for where it is used. Throws when there is none of this name. */
export function stepsOfPrelude<S>(
  { use, with: given }: UseStep,
  preludes: Readonly<Record<string, { readonly defaults?: Bindings; readonly steps: readonly S[] }>>,
): readonly S[] {
  const prelude = preludes[use];
  if (prelude === undefined) throw new Error(`there is no prelude ${use}`);
  // Filled in, it is still what the schema says: a template stands only where any value may.
  return fillSome(prelude.steps, { with: { ...prelude.defaults, ...given } }) as readonly S[];
}

/** A case for each of its rows, and what is added to its name. */
export function variantsOf<C extends { readonly rows?: readonly { readonly name: string }[] }>(
  given: C,
): readonly { readonly suffix: string; readonly filled: C }[] {
  const { rows, ...rest } = given;
  if (rows === undefined) return [{ suffix: "", filled: given }];
  return rows.map((row) => ({ suffix: `/${row.name}`, filled: fillSome(rest, { row }) as C }));
}

/** Writes out preludes and loops. Throws for a name that does not exist. */
export function expand(steps: readonly Step[], preludes: SuiteFiles["preludes"], depth = 0): RunStep[] {
  if (depth > 10) throw new Error("preludes use each other in a circle");
  return steps.flatMap((step): RunStep[] => {
    if ("use" in step) return expand(stepsOfPrelude(step, preludes), preludes, depth + 1);
    if (!("forEach" in step)) return [step];
    const rows = typeof step.forEach === "string" ? setNamed(step.forEach) : step.forEach;
    return rows.flatMap((each) => expand(fillSome(step.do, { each }) as readonly Step[], preludes, depth + 1));
  });
}

function loadCase(file: CaseFile, given: Case, files: SuiteFiles, levelOf: (id: string) => Level | undefined) {
  const level = levels.find((one) => given.clauses.some((id) => levelOf(id) === one)) ?? "MUST";
  return variantsOf(given).map(
    ({ suffix, filled }): LoadedCase => ({
      name: `${file.area.toLowerCase()}/${given.name}${suffix}`,
      area: file.area,
      title: filled.title,
      clauses: given.clauses,
      level,
      ground: given.ground ?? "scripted",
      needs: [...new Set([...(file.needs ?? []), ...(given.needs ?? [])])],
      folders: filled.folders ?? {},
      env: filled.env ?? {},
      client: filled.client ?? {},
      steps: expand(filled.steps, files.preludes),
    }),
  );
}

interface FileOfCases {
  readonly area: string;
  readonly cases: readonly { readonly name: string }[];
}

/** What `load` makes of each case of the files. Throws with the case's name. */
export const loadCases = <File extends FileOfCases, Loaded>(
  files: readonly File[],
  load: (file: File, given: File["cases"][number]) => readonly Loaded[],
): Loaded[] =>
  files.flatMap((file) =>
    file.cases.flatMap((given) => {
      try {
        return load(file, given);
      } catch (error) {
        throw new Error(`${file.area.toLowerCase()}/${given.name}: ${error instanceof Error ? error.message : error}`, {
          cause: error,
        });
      }
    }),
  );

/** Makes the cases that run. Throws, with the case's name, where one cannot be written out. */
export function loadSuite(files: SuiteFiles = readSuiteFiles()): Suite {
  const byId = new Map(files.clauses.map((clause) => [clause.id, clause.level]));
  const cases = loadCases(files.cases, (file, given) => loadCase(file, given, files, (id) => byId.get(id)));
  return { ...files, cases };
}

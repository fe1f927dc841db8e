import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { CaseFile, NotShownFile } from "../src/conformance/format.js";
import { caseFilesIn, withTable } from "./case-docs.js";
import { printTidyJson } from "./json.js";
import type { ClauseRow } from "./model/contract.js";
import { schemaOfTypes } from "./model/contract-schema.js";
import type { GeneratedFile, Model } from "./model/model.js";

const casesFolder = "src/conformance/cases";
const docPath = "docs/conformance.md";

/** The schema of the case files, and the coverage table within `docs/conformance.md`. */
export function conformanceFiles(root: string, model: Model): GeneratedFile[] {
  const schema = schemaOfTypes(
    [join(root, "src/conformance/format.ts")],
    ["CaseFile", "FeatureFile", "NotShownFile", "PreludeFile"],
  );
  const doc = readFileSync(join(root, docPath), "utf8");
  return [
    { path: `${casesFolder}/case.schema.json`, text: printTidyJson(schema) },
    {
      path: docPath,
      text: withTable(docPath, doc, "coverage", casesFolder, coverage(root, model.contract.clauses.clauses)),
    },
  ];
}

function coverage(root: string, clauses: readonly ClauseRow[]): string {
  const folder = join(root, casesFolder);
  const read = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), "utf8"));
  const files = caseFilesIn<CaseFile>(folder);
  const { reasons } = read("not-shown.json") as NotShownFile;
  const shownBy = new Map<string, string[]>();
  for (const { area, cases } of files) {
    for (const one of cases) {
      for (const id of one.clauses) {
        shownBy.set(id, [...(shownBy.get(id) ?? []), `${area.toLowerCase()}/${one.name}`]);
      }
    }
  }
  const notShown = new Set(reasons.flatMap((one) => one.clauses));
  const areas = [...new Set(clauses.map(({ area }) => area))];
  const rows = areas.map((area) => {
    const own = clauses.filter((clause) => clause.area === area && clause.status !== "withdrawn");
    const shown = own.filter(({ id }) => shownBy.has(id));
    const excused = own.filter(({ id }) => notShown.has(id));
    const cases = new Set(shown.flatMap(({ id }) => shownBy.get(id) ?? []));
    const open = own.filter(({ id }) => !shownBy.has(id) && !notShown.has(id)).map(({ id }) => id);
    return { area, all: own.length, shown: shown.length, excused: excused.length, cases: cases.size, open };
  });
  const total = (of: (row: (typeof rows)[number]) => number): number => rows.reduce((sum, row) => sum + of(row), 0);
  const line = (cells: readonly (string | number)[]): string => `| ${cells.join(" | ")} |`;
  return [
    line(["Area", "Clauses", "Shown by a case", "Not to be shown", "Without a case yet", "Cases"]),
    "| --- | ---: | ---: | ---: | ---: | ---: |",
    ...rows.map(({ area, all, shown, excused, open, cases }) => line([area, all, shown, excused, open.length, cases])),
    line([
      "**Total**",
      total(({ all }) => all),
      total(({ shown }) => shown),
      total(({ excused }) => excused),
      total(({ open }) => open.length),
      new Set([...shownBy.values()].flat()).size,
    ]),
    "",
    "### Which case shows which clause",
    "",
    line(["Clause", "Cases"]),
    "| --- | --- |",
    ...clauses.flatMap(({ id }) => {
      const cases = shownBy.get(id);
      return cases === undefined ? [] : [line([id, cases.map((name) => `\`${name}\``).join(", ")])];
    }),
    "",
    "### What no black box can show",
    "",
    ...reasons.map(({ reason, clauses: ids }) => `- ${reason}: ${ids.join(", ")}.`),
    "",
    "### Without a case yet",
    "",
    rows.flatMap(({ open }) => open).join(", ") || "None.",
  ].join("\n");
}

import type { Report, Status } from "./result.js";

export interface Difference {
  readonly name: string;
  readonly clauses: readonly string[];
  readonly title: string;
  /** `missing`: the case is not in that report. */
  readonly before: Status | "missing";
  readonly after: Status | "missing";
}

/** The cases on which two reports do not agree, in the order of the first. */
export function compareReports(a: Report, b: Report): Difference[] {
  const inB = new Map(b.results.map((one) => [one.name, one]));
  const inA = new Set(a.results.map(({ name }) => name));
  const both = a.results.map(({ name, clauses, title, status }) => ({
    name,
    clauses,
    title,
    before: status,
    after: inB.get(name)?.status ?? ("missing" as const),
  }));
  const added = b.results
    .filter(({ name }) => !inA.has(name))
    .map(({ name, clauses, title, status }) => ({ name, clauses, title, before: "missing" as const, after: status }));
  return [...both, ...added].filter(({ before, after }) => before !== after);
}

const nameOf = ({ subject }: Report): string => `${subject.name} ${subject.version}`;

const statuses: readonly Status[] = ["passed", "failed", "warned", "skipped", "broken"];

/** Side by side for a terminal: the totals, then each case that differs. */
export function compareText(a: Report, b: Report): string {
  const rows = [
    ["", nameOf(a), nameOf(b)],
    ...statuses.map((status) => [status, String(a.totals[status]), String(b.totals[status])]),
    ["", "", ""],
    ...compareReports(a, b).map(({ name, clauses, before, after }) => [
      `${name} (${clauses.join(", ")})`,
      before,
      after,
    ]),
  ];
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd();
  return `${rows.map(line).join("\n")}\n`;
}

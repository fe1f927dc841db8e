import type { ClauseRow, ClausesFile } from "../model/contract.js";
import type { Scan } from "./scan.js";

export interface AreaStatus {
  readonly area: string;
  readonly subject: string;
  readonly clauses: number;
  readonly implemented: number;
  /** Implemented, and named by a test that can show it. */
  readonly shown: number;
  readonly open: number;
  readonly hostDuty: number;
  readonly withdrawn: number;
}

export interface ContractStatus {
  readonly areas: readonly AreaStatus[];
  readonly total: AreaStatus;
  readonly open: readonly ClauseRow[];
  /** What `--check` fails on, one sentence each. */
  readonly problems: readonly string[];
}

const realTests = "test/real/";

/** Holds the clauses against the tests that name them. */
export const contractStatus = ({ areas, clauses }: ClausesFile, scan: Scan): ContractStatus => {
  const testsFor = ({ id, needs }: ClauseRow): readonly string[] => {
    const tests = scan.namedIn.get(id) ?? [];
    return needs === "real-codex" ? tests.filter((path) => path.startsWith(realTests)) : tests;
  };
  const count = (area: string, subject: string, rows: readonly ClauseRow[]): AreaStatus => {
    const withStatus = (status: ClauseRow["status"]): ClauseRow[] => rows.filter((row) => row.status === status);
    const implemented = withStatus("implemented");
    return {
      area,
      subject,
      clauses: rows.length,
      implemented: implemented.length,
      shown: implemented.filter((row) => testsFor(row).length > 0).length,
      open: withStatus("open").length,
      hostDuty: withStatus("host-duty").length,
      withdrawn: withStatus("withdrawn").length,
    };
  };
  return {
    areas: areas.map(({ area, subject }) =>
      count(
        area,
        subject,
        clauses.filter((row) => row.area === area),
      ),
    ),
    total: count("Total", "", clauses),
    open: clauses.filter((row) => row.status === "open"),
    problems: [
      ...(scan.files === 0 ? ["No test file was found."] : []),
      ...clauses.flatMap((row) => problemsOf(row, scan.namedIn.get(row.id) ?? [], testsFor(row))),
      ...unknown(clauses, scan),
    ],
  };
};

const problemsOf = (row: ClauseRow, named: readonly string[], showing: readonly string[]): string[] => {
  if (row.status === "implemented" && named.length === 0) return [`${row.id} is implemented, but no test names it.`];
  if (row.status === "implemented" && showing.length === 0)
    return [`${row.id} needs the real Codex, but no test under ${realTests} names it (only ${named.join(", ")}).`];
  if ((row.status === "open" || row.status === "withdrawn") && named.length > 0)
    return [`${row.id} is ${row.status}, but ${named.join(", ")} names it.`];
  return [];
};

const unknown = (clauses: readonly ClauseRow[], scan: Scan): string[] => {
  const known = new Set(clauses.map(({ id }) => id));
  return [...scan.namedIn]
    .filter(([id]) => !known.has(id))
    .map(([id, paths]) => `${id} is no clause of the contract, but ${paths.join(", ")} names it.`);
};

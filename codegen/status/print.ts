import type { AreaStatus, ContractStatus } from "./status.js";

const columns: readonly { title: string; cell: (row: AreaStatus) => string | number; left?: true }[] = [
  { title: "Area", cell: (row) => row.area, left: true },
  { title: "Clauses", cell: (row) => row.clauses },
  { title: "Implemented", cell: (row) => row.implemented },
  { title: "Shown by a test", cell: (row) => row.shown },
  { title: "Open", cell: (row) => row.open },
  { title: "Host duty", cell: (row) => row.hostDuty },
  { title: "Withdrawn", cell: (row) => row.withdrawn },
  { title: "Subject", cell: (row) => row.subject, left: true },
];

/** The counts as a table for a terminal, without a final line break. */
export const statusTable = ({ areas, total }: ContractStatus): string => {
  const widths = columns.map(({ title, cell }) =>
    Math.max(title.length, ...[...areas, total].map((row) => String(cell(row)).length)),
  );
  const line = (cells: readonly (string | number)[]): string =>
    cells
      .map((cell, index) => {
        const width = widths[index] ?? 0;
        return columns[index]?.left === true ? String(cell).padEnd(width) : String(cell).padStart(width);
      })
      .join("  ")
      .trimEnd();
  const rule = widths.map((width) => "-".repeat(width)).join("  ");
  const rowOf = (row: AreaStatus): string => line(columns.map(({ cell }) => cell(row)));
  return [line(columns.map(({ title }) => title)), rule, ...areas.map(rowOf), rule, rowOf(total)].join("\n");
};

/** The open clauses, one a line. */
export const openList = ({ open }: ContractStatus): string =>
  open.map(({ id, level, needs, text }) => `${id}  ${level}  ${needs}  ${text}`).join("\n");

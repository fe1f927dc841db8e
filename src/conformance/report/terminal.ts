import { receiver } from "../../testing/frames.js";
import { partyName } from "../outcome.js";
import type { CaseResult, Report, ReportedEntry, Status } from "./result.js";

/** Colours text; plain where there is no terminal. */
export type Paint = (format: "green" | "red" | "yellow" | "dim" | "bold", text: string) => string;

const marks: Readonly<Record<Status, readonly [mark: string, colour: Parameters<Paint>[0]]>> = {
  passed: ["ok", "green"],
  failed: ["FAILED", "red"],
  warned: ["warning", "yellow"],
  skipped: ["skipped", "dim"],
  broken: ["BROKEN", "red"],
};

const cut = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length)}…` : text);

export function entryLine(entry: ReportedEntry): string {
  const at = `${String(entry.at).padStart(6)} ms`;
  if ("note" in entry) return `${at}  -- ${cut(entry.note, 200)}`;
  const to = receiver(entry.wire, entry.from);
  return `${at}  ${partyName(entry.from)} → ${partyName(to)}  ${cut(JSON.stringify(entry.frame), 300)}`;
}

/** Entries around the fault, or the last ones. */
function around({ entries, fault }: CaseResult): readonly ReportedEntry[] {
  const at = entries.findIndex(({ seq }) => seq === fault?.seq);
  return at < 0 ? entries.slice(-12) : entries.slice(Math.max(0, at - 6), at + 6);
}

/** One case; on failure with what was expected and the frames around it. `verbose`: those that pass too. */
export function caseLines(result: CaseResult, paint: Paint, verbose: boolean): string[] {
  const { name, level, title, clauses, status, expected, fault, reason } = result;
  const wanted = expected !== null && status !== "passed";
  if (!verbose && (status === "passed" || status === "skipped" || wanted) && status !== "broken") return [];
  const [text, colour] = marks[status];
  const mark = status === "broken" ? `${(fault?.blame ?? "suite").toUpperCase()} ${text}` : text;
  const note = reason ?? (expected === null ? "" : `${expected.list}: ${expected.reason}`);
  const first = `${paint(colour, mark)} ${paint("bold", name)}${note === "" ? "" : paint("dim", ` (${note})`)}`;
  if (fault === null || wanted) return [first];
  return [
    first,
    `  ${level} ${clauses.join(", ")}: ${title}`,
    `  ${fault.message}`,
    ...fault.differences.slice(0, 6).map((line) => `    ${line}`),
    ...(fault.stepText === null ? [] : [`  in step ${fault.step}: ${cut(fault.stepText, 300)}`]),
    ...around(result).map((entry) => paint(entry.seq === fault.seq ? "bold" : "dim", `  ${entryLine(entry)}`)),
    "",
  ];
}

/** The end of a run. */
export function summaryLines(report: Report, paint: Paint): string[] {
  const { totals, subject, stale, ms, exitCode } = report;
  const parts = (Object.keys(marks) as Status[])
    .filter((status) => totals[status] > 0)
    .map((status) => paint(marks[status][1], `${totals[status]} ${status}`));
  return [
    ...stale.map((entry) => paint("red", `stale entry: ${entry}`)),
    `${subject.name} ${subject.version}: ${parts.join(", ")} in ${(ms / 1000).toFixed(1)} s (exit code ${exitCode})`,
  ];
}

import type { CaseResult, Report } from "./result.js";

/** The report as JSON. Frames are kept of what did not pass; `all` keeps them all. */
export function jsonText(report: Report, all = false): string {
  const keep = (one: CaseResult): CaseResult => (all || one.fault !== null ? one : { ...one, entries: [] });
  return `${JSON.stringify({ ...report, results: report.results.map(keep) }, null, 2)}\n`;
}

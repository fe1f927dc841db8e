import { pageScript } from "./page-script.js";
import { pageStyle } from "./page-style.js";
import type { CaseResult, Report, ReportedEntry } from "./result.js";

/** Longest frame on the page, in characters of its JSON: a page with whole model lists in each case opens in no browser. */
const longestFrame = 6_000;

const cutFrame = (entry: ReportedEntry): ReportedEntry => {
  if ("note" in entry) return entry;
  const text = JSON.stringify(entry.frame);
  return text.length <= longestFrame
    ? entry
    : { ...entry, frame: `${text.slice(0, longestFrame)}… (${text.length} characters)` };
};

const cutCase = (one: CaseResult): CaseResult => ({ ...one, entries: one.entries.map(cutFrame) });

/** What a page needs of a clause. */
export interface ClauseText {
  readonly id: string;
  readonly level: string;
  readonly text: string;
}

/** JSON that may stand in a script element: no `<` can end it. */
const data = (value: unknown): string => JSON.stringify(value).replaceAll("<", "\\u003c");

/**
 * One page that needs nothing else: the areas with their results, each case with its clauses, and its frames as a
 * sequence between the three actors on a timeline. All text is put in by the page's script as text.
 */
export function htmlText(report: Report, clauses: readonly ClauseText[]): string {
  const named = new Set(report.results.flatMap((one) => one.clauses));
  const cases = { ...report, results: report.results.map(cutCase) };
  return [
    "<!doctype html>",
    '<html lang="en">',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${report.suite.name} report</title>`,
    `<style>${pageStyle}</style>`,
    '<main id="report"><noscript>This page shows its data with a script of its own.</noscript></main>',
    `<script type="application/json" id="data">${data({ report: cases, clauses: clauses.filter(({ id }) => named.has(id)) })}</script>`,
    `<script>${pageScript}</script>`,
    "</html>",
    "",
  ].join("\n");
}

import { linesOf, markTitles, routeOf, summaryOf, titleOf, turnOf, wordsFor } from "./render.js";
import type { DriftReport } from "./report.js";
import { type Mark, marks } from "./verdict.js";

/** Colours a text by what it says. */
export type PaintMark = (mark: Mark | "title", text: string) => string;

/** The report for a person at a terminal. What the bridge uses nothing of is counted, and listed only with `all`. */
export function terminalReport(report: DriftReport, paint: PaintMark, all = false): string {
  const sections = marks.flatMap((mark) => {
    const lines = linesOf(report, mark);
    if (lines.length === 0) return [];
    const head = paint(mark, `${markTitles[mark]} (${report.counts[mark]})`);
    if (mark === "other" && !all) return [`${head}: listed with --all`];
    const rows = lines.map(({ change, count }) => {
      const parts = [`${wordsFor(change)}: ${change.at}`, turnOf(change), routeOf(change)].filter((it) => it !== "");
      return `  ${parts.join("  ")}${count > 1 ? `  (${count} times)` : ""}`;
    });
    return [[head, ...rows].join("\n")];
  });
  const behaviour = report.behaviour.map(({ question, was, now }) => `  ${question}\n    was: ${was}\n    now: ${now}`);
  if (behaviour.length > 0) sections.unshift([paint("breaks", "behaves differently"), ...behaviour].join("\n"));
  return `${[paint("title", titleOf(report)), ...sections, summaryOf(report)].join("\n\n")}\n`;
}

import { type ChangeLine, linesOf, markTitles, routeOf, summaryOf, titleOf, turnOf, wordsFor } from "./render.js";
import type { DriftReport } from "./report.js";
import { type Mark, marks } from "./verdict.js";

/** The report for a pull request. */
export function markdownReport(report: DriftReport): string {
  const behaviour = report.behaviour.map(
    ({ question, was, now }) => `- ${escapeText(question)}\n  - was: ${escapeText(was)}\n  - now: ${escapeText(now)}`,
  );
  const parts = [
    `# ${titleOf(report)}`,
    summaryOf(report),
    ...(behaviour.length > 0 ? ["## Behaves differently", behaviour.join("\n")] : []),
    ...marks.flatMap((mark) => section(report, mark)),
  ];
  return `${parts.join("\n\n")}\n`;
}

const section = (report: DriftReport, mark: Mark): string[] => {
  const lines = linesOf(report, mark);
  if (lines.length === 0) return [];
  const title = `${markTitles[mark]} (${report.counts[mark]})`;
  const list = lines.map(bullet).join("\n");
  if (mark !== "other") return [`## ${title.charAt(0).toUpperCase()}${title.slice(1)}`, list];
  return [`<details>\n<summary>${title}</summary>`, list, "</details>"];
};

const bullet = ({ change, count }: ChangeLine): string => {
  const turn = turnOf(change);
  const parts = [
    `${wordsFor(change)}: ${code(change.at)}`,
    turn === "" ? "" : code(turn),
    routeOf(change),
    count > 1 ? `${count} times` : "",
  ];
  return `- ${parts.filter((it) => it !== "").join(", ")}`;
};

/** Text of Codex or of a schema in a code span, which it cannot leave. */
const code = (text: string): string => {
  const fence = "`".repeat(1 + Math.max(0, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length)));
  const space = text.startsWith("`") || text.endsWith("`") ? " " : "";
  return `${fence}${space}${text.replaceAll("\n", " ")}${space}${fence}`;
};

const escapeText = (text: string): string => text.replaceAll("\n", " ").replaceAll(/[\\`*_<>[\]#|]/g, "\\$&");

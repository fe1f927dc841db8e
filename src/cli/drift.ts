import { markdownReport } from "../drift/markdown.js";
import { type DriftReport, reportDrift } from "../drift/report.js";
import type { Protocol } from "../drift/surface.js";
import { type PaintMark, terminalReport } from "../drift/terminal.js";
import { loadDecisions, loadSide, NoSuchVersion } from "./drift/load.js";
import { paintFor } from "./paint.js";

export interface DriftOptions {
  /** Versions, or folders that a capture wrote. */
  readonly old: string;
  readonly now: string;
  /** The folder that holds `contract` and `versions`: `dist`, or `schemas` of the repository. */
  readonly data: string;
  /** Compare the ACP schemas of two SDK versions. */
  readonly acp?: boolean;
  readonly format?: "terminal" | "json" | "markdown";
  /** List what the bridge uses nothing of, too. */
  readonly all?: boolean;
}

const exitCodes = { nothingBreaks: 0, breaks: 1, usage: 2 };

/** Prints what separates two versions. Returns the exit code: 1 when something breaks this bridge. */
export function drift({ old, now, data, acp = false, format = "terminal", all = false }: DriftOptions): number {
  const protocol: Protocol = acp ? "acp" : "codex";
  let report: DriftReport;
  try {
    const decisions = loadDecisions(protocol, data);
    report = reportDrift(loadSide(old, protocol, data), loadSide(now, protocol, data), decisions);
  } catch (error) {
    if (!(error instanceof NoSuchVersion)) throw error;
    process.stderr.write(`codex-acp-kit: ${error.message}\n`);
    return exitCodes.usage;
  }
  process.stdout.write(print(report, format, all));
  return report.breaking ? exitCodes.breaks : exitCodes.nothingBreaks;
}

const print = (report: DriftReport, format: DriftOptions["format"], all: boolean): string => {
  if (format === "json") return `${JSON.stringify(report, null, 2)}\n`;
  if (format === "markdown") return markdownReport(report);
  return terminalReport(report, colours(), all);
};

const colours = (): PaintMark => {
  const paint = paintFor(process.stdout);
  const formats = { title: "bold", breaks: "red", undecided: "yellow", used: "cyan", other: "dim" } as const;
  return (mark, text) => paint(formats[mark], text);
};

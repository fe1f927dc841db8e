import { markdownReport } from "../../src/drift/markdown.js";
import { terminalReport } from "../../src/drift/terminal.js";
import type { Taken } from "./take.js";

/** What is left to do, in a heading and its lines. */
const leftOver = ({ toDecide, typeErrors }: Taken): readonly { title: string; lines: readonly string[] }[] =>
  [
    { title: "To decide in schemas/contract", lines: toDecide },
    { title: "Code that meets a changed type", lines: typeErrors },
  ].filter(({ lines }) => lines.length > 0);

/** For the terminal. */
export function printTaken(taken: Taken): string {
  const left = leftOver(taken).map(({ title, lines }) => `${title}\n${lines.map((it) => `  ${it}`).join("\n")}\n`);
  return [terminalReport(taken.codex, (_, text) => text), terminalReport(taken.acp, (_, text) => text), ...left].join(
    "\n",
  );
}

/** For a pull request. What is left to do comes first. */
export function printTakenAsMarkdown(taken: Taken): string {
  const left = leftOver(taken).map(
    ({ title, lines }) => `# ${title}\n\n${lines.map((it) => `- \`${it.replaceAll("`", "'")}\``).join("\n")}\n`,
  );
  return [...left, markdownReport(taken.codex), markdownReport(taken.acp)].join("\n");
}

/** 0: nothing is left to do; 1: something breaks, is to be decided or does not compile. */
export const exitCodeOf = ({ codex, acp, toDecide, typeErrors }: Taken): number =>
  codex.breaking || acp.breaking || toDecide.length > 0 || typeErrors.length > 0 ? 1 : 0;

import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { isObject } from "../runtime/index.js";
import { type Expectations, exitCodes, type ReasonList } from "./expectations.js";
import { NotStarted } from "./outcome.js";
import { compareText } from "./report/compare.js";
import { type ClauseText, htmlText } from "./report/html.js";
import { jsonText } from "./report/json.js";
import { junitText } from "./report/junit.js";
import type { CaseResult, Report } from "./report/result.js";
import { caseLines, type Paint, summaryLines } from "./report/terminal.js";
import type { BasicSelection } from "./select.js";
import type { CaseHead } from "./suite.js";

/** What the command line says to a suite, whoever is under test. */
export interface SuiteOptions extends BasicSelection {
  /** Program and arguments of what is under test. */
  readonly command: readonly string[];
  readonly list: boolean;
  readonly compare: readonly [string, string] | null;
  /** Files to read: cases that are known to fail or to be flaky. */
  readonly knownFailing: string | null;
  readonly knownFlaky: string | null;
  /** Files to write. */
  readonly json: string | null;
  readonly junit: string | null;
  readonly html: string | null;
  /** Longest wait of one step, in milliseconds. */
  readonly deadlineMs: number;
  readonly workers: number;
  readonly verbose: boolean;
}

export interface Terminal {
  write(text: string): void;
  error(text: string): void;
  readonly paint: Paint;
  readonly env: NodeJS.ProcessEnv;
}

/** What the user gave cannot be used. */
export class WrongUse extends Error {
  override readonly name = "WrongUse";
}

/** What a run of cases is given. */
export interface SuiteRun<C> {
  readonly cases: readonly C[];
  readonly command: readonly string[];
  readonly program: string;
  readonly args: readonly string[];
  /** A folder that is removed afterwards, and an empty one in it for sessions to work in. */
  readonly folder: string;
  readonly cwd: string;
  readonly expectations: Expectations;
  readonly deadlineMs: number;
  readonly workers: number;
  readonly onResult: (result: CaseResult) => void;
}

/** A suite as a command of this package. */
export interface SuiteCommand<C extends CaseHead> {
  readonly name: string;
  /** What stands behind `--`, for people. */
  readonly subject: string;
  /** Those that are selected. */
  readonly cases: readonly C[];
  /** Texts for the HTML report. */
  readonly clauses: readonly ClauseText[];
  /** Rejects with `WrongUse`, or with `NotStarted`. */
  run(run: SuiteRun<C>): Promise<Report>;
}

/** Rejects with `WrongUse` when the file holds no JSON object. */
export async function readObject(file: string): Promise<Readonly<Record<string, unknown>>> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    throw new WrongUse(`${file}: ${error instanceof Error ? error.message : error}`);
  }
  if (!isObject(value)) throw new WrongUse(`${file}: expected a JSON object`);
  return value;
}

async function readReasons(file: string | null): Promise<ReasonList> {
  if (file === null) return {};
  const entries = Object.entries(await readObject(file)).map(([pattern, reason]): [string, string] => {
    if (typeof reason !== "string" || reason.trim() === "") {
      throw new WrongUse(`${file}: ${pattern} needs a reason, as text`);
    }
    return [pattern, reason];
  });
  return Object.fromEntries(entries);
}

/** One line a case: name, level, clauses and what it shows. */
const listText = (cases: readonly CaseHead[]): string =>
  cases.map(({ name, level, clauses, title }) => `${name}  ${level}  ${clauses.join(",")}  ${title}\n`).join("");

async function compare([a, b]: readonly [string, string], { write }: Terminal): Promise<number> {
  const report = async (file: string): Promise<Report> => {
    const value = await readObject(file);
    if (!Array.isArray(value["results"])) throw new WrongUse(`${file}: no report of this command`);
    return value as unknown as Report;
  };
  write(compareText(await report(a), await report(b)));
  return exitCodes.asExpected;
}

async function writeReports(
  report: Report,
  clauses: readonly ClauseText[],
  { json, junit, html }: SuiteOptions,
): Promise<void> {
  const texts: readonly (readonly [file: string | null, text: () => string])[] = [
    [json, () => jsonText(report)],
    [junit, () => junitText(report)],
    [html, () => htmlText(report, clauses)],
  ];
  for (const [file, text] of texts) {
    if (file === null) continue;
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text());
  }
}

async function run<C extends CaseHead>(suite: SuiteCommand<C>, options: SuiteOptions, terminal: Terminal) {
  const { command, deadlineMs, workers, verbose } = options;
  const [program, ...args] = command;
  const { cases, subject, name, clauses } = suite;
  if (program === undefined) throw new WrongUse(`no ${subject} given: put its command after --`);
  if (cases.length === 0) throw new WrongUse("no case is selected; --list shows them all");
  const expectations = {
    knownFailing: await readReasons(options.knownFailing),
    knownFlaky: await readReasons(options.knownFlaky),
  };
  const print = (lines: readonly string[]): void => terminal.write(lines.map((line) => `${line}\n`).join(""));
  const folder = await realpath(await mkdtemp(join(tmpdir(), `${name}-`)));
  try {
    const cwd = join(folder, "project");
    await mkdir(cwd);
    const onResult = (result: CaseResult): void => print(caseLines(result, terminal.paint, verbose));
    const parts = { cases, command, program, args, folder, cwd, expectations, deadlineMs, workers, onResult };
    const report = await suite.run(parts);
    await writeReports(report, clauses, options);
    print(summaryLines(report, terminal.paint));
    return report.exitCode;
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  }
}

/** The whole of such a command. `load` is called once the cases are needed. Returns the exit code. */
export async function runSuiteCommand<C extends CaseHead>(
  name: string,
  options: SuiteOptions,
  terminal: Terminal,
  load: () => SuiteCommand<C>,
): Promise<number> {
  try {
    if (options.compare !== null) return await compare(options.compare, terminal);
    const suite = load();
    if (!options.list) return await run(suite, options, terminal);
    terminal.write(listText(suite.cases));
    return exitCodes.asExpected;
  } catch (error) {
    if (error instanceof WrongUse) {
      terminal.error(`${name}: ${error.message}\n`);
      return exitCodes.wrongUse;
    }
    if (error instanceof NotStarted) {
      terminal.error(`${name}: ${error.message}\n`);
      return exitCodes.notStarted;
    }
    throw error;
  }
}

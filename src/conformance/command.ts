import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { capturedCodex } from "../generated/codex/version.js";
import { systemClock } from "../runtime/clock.js";
import { isObject } from "../runtime/index.js";
import { agentEnvironment, processGround } from "./agent-under-test.js";
import { scriptedBehind } from "./codex.js";
import { exitCodes, type ReasonList } from "./expectations.js";
import { findCodex, type RealCodex, realBehind } from "./real/behind.js";
import { compareText } from "./report/compare.js";
import { htmlText } from "./report/html.js";
import { jsonText } from "./report/json.js";
import { junitText } from "./report/junit.js";
import type { Report } from "./report/result.js";
import { caseLines, type Paint, summaryLines } from "./report/terminal.js";
import { AgentNotStarted, runSuite } from "./run-suite.js";
import { type Declared, type Selection, select } from "./select.js";
import { type LoadedCase, loadSuite, type Suite } from "./suite.js";
import { loadCaseSchemas } from "./wire.js";

export interface ConformanceOptions extends Selection {
  /** Program and arguments of the agent. */
  readonly command: readonly string[];
  readonly list: boolean;
  readonly compare: readonly [string, string] | null;
  /** Files to read: features, and cases that are known to fail or to be flaky. */
  readonly features: string | null;
  readonly knownFailing: string | null;
  readonly knownFlaky: string | null;
  /** Files to write. */
  readonly json: string | null;
  readonly junit: string | null;
  readonly html: string | null;
  readonly codexVariable: string;
  readonly codexWrapper: string | null;
  /** The `codex` of the ground `real`. Default: as our own agent finds it. */
  readonly codex: string | null;
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
class WrongUse extends Error {}

async function readObject(file: string): Promise<Readonly<Record<string, unknown>>> {
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

async function readFeatures(file: string | null, suite: Suite): Promise<Declared> {
  if (file === null) return {};
  const entries = Object.entries(await readObject(file)).map(([name, has]): [string, boolean] => {
    if (suite.features[name] === undefined) {
      throw new WrongUse(`${file}: there is no feature ${name}; there are ${Object.keys(suite.features).join(", ")}`);
    }
    if (typeof has !== "boolean") throw new WrongUse(`${file}: ${name} must be true or false`);
    return [name, has];
  });
  return Object.fromEntries(entries);
}

/** One line a case: name, level, clauses and what it shows. */
export const listText = (cases: readonly LoadedCase[]): string =>
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

async function writeReports(report: Report, suite: Suite, { json, junit, html }: ConformanceOptions): Promise<void> {
  const texts: readonly (readonly [file: string | null, text: () => string])[] = [
    [json, () => jsonText(report)],
    [junit, () => junitText(report)],
    [html, () => htmlText(report, suite.clauses)],
  ];
  for (const [file, text] of texts) {
    if (file === null) continue;
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text());
  }
}

/** The Codex of the ground `real`, or why there is none. Rejects with `WrongUse` when the user asked for that ground. */
async function findRealCodex(
  cases: readonly LoadedCase[],
  { codex, grounds }: ConformanceOptions,
  env: Terminal["env"],
): Promise<RealCodex | string> {
  const wanted = cases.filter(({ ground }) => ground === "real").length;
  if (wanted === 0) return "no case asks for it";
  try {
    return await findCodex(codex === null ? env : { ...env, CODEX_PATH: codex });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const asked = codex !== null || grounds.includes("real") || wanted === cases.length;
    if (asked) throw new WrongUse(`cases of the ground real cannot be tested: ${why}`);
    return why;
  }
}

async function run(options: ConformanceOptions, terminal: Terminal, suite: Suite): Promise<number> {
  const { command, deadlineMs, workers, verbose } = options;
  const [program, ...args] = command;
  if (program === undefined) throw new WrongUse("no agent given: put its command after --");
  const cases = select(suite.cases, options);
  if (cases.length === 0) throw new WrongUse("no case is selected; --list shows them all");
  const expectations = {
    knownFailing: await readReasons(options.knownFailing),
    knownFlaky: await readReasons(options.knownFlaky),
  };
  const declared = await readFeatures(options.features, suite);
  const folder = await realpath(await mkdtemp(join(tmpdir(), "conformance-")));
  try {
    const cwd = join(folder, "project");
    await mkdir(cwd);
    const agent = {
      command: program,
      args,
      env: agentEnvironment(terminal.env),
      cwd: process.cwd(),
      folder,
      codexVariable: options.codexVariable,
      ...(options.codexWrapper === null ? {} : { wrapper: options.codexWrapper }),
    };
    const scripted = processGround(agent, {
      clock: systemClock,
      codexIsHeld: true,
      behind: scriptedBehind(systemClock),
    });
    const codex = await findRealCodex(cases, options, terminal.env);
    const real =
      typeof codex === "string"
        ? codex
        : processGround(agent, {
            clock: systemClock,
            codexIsHeld: codex.version === capturedCodex,
            behind: realBehind(codex, folder),
          });
    const report = await runSuite({
      suite,
      cases,
      grounds: { none: scripted, scripted, real },
      schemas: await loadCaseSchemas(),
      command,
      cwd,
      deadlineMs,
      workers,
      declared,
      expectations,
      onResult: (result) =>
        terminal.write(
          caseLines(result, terminal.paint, verbose)
            .map((line) => `${line}\n`)
            .join(""),
        ),
    });
    await writeReports(report, suite, options);
    terminal.write(
      summaryLines(report, terminal.paint)
        .map((line) => `${line}\n`)
        .join(""),
    );
    return report.exitCode;
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  }
}

/** The whole of `codex-acp-kit conformance`. Returns the exit code. */
export async function runConformance(options: ConformanceOptions, terminal: Terminal): Promise<number> {
  try {
    if (options.compare !== null) return await compare(options.compare, terminal);
    const suite = loadSuite();
    if (!options.list) return await run(options, terminal, suite);
    terminal.write(listText(select(suite.cases, options)));
    return exitCodes.asExpected;
  } catch (error) {
    if (error instanceof WrongUse) {
      terminal.error(`conformance: ${error.message}\n`);
      return exitCodes.wrongUse;
    }
    if (error instanceof AgentNotStarted) {
      terminal.error(`conformance: the agent could not be started: ${error.message}\n`);
      return exitCodes.agentNotStarted;
    }
    throw error;
  }
}

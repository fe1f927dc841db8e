import { capturedCodex } from "../generated/codex/version.js";
import { systemClock } from "../runtime/clock.js";
import { agentEnvironment, processGround } from "./agent-under-test.js";
import { scriptedBehind } from "./codex.js";
import { findCodex, type RealCodex, realBehind } from "./real/behind.js";
import type { Report } from "./report/result.js";
import { runSuite } from "./run-suite.js";
import { type Declared, type Selection, select } from "./select.js";
import { type LoadedCase, loadSuite, type Suite } from "./suite.js";
import {
  readObject,
  runSuiteCommand,
  type SuiteOptions,
  type SuiteRun,
  type Terminal,
  WrongUse,
} from "./suite-command.js";
import { loadCaseSchemas } from "./wire.js";

export interface ConformanceOptions extends SuiteOptions, Selection {
  /** File to read: features. */
  readonly features: string | null;
  readonly codexVariable: string;
  readonly codexWrapper: string | null;
  /** The `codex` of the ground `real`. Default: as our own agent finds it. */
  readonly codex: string | null;
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

async function run(
  given: SuiteRun<LoadedCase>,
  options: ConformanceOptions,
  env: Terminal["env"],
  suite: Suite,
): Promise<Report> {
  const { cases, program, args, folder } = given;
  const declared = await readFeatures(options.features, suite);
  const agent = {
    command: program,
    args,
    env: agentEnvironment(env),
    cwd: process.cwd(),
    folder,
    codexVariable: options.codexVariable,
    ...(options.codexWrapper === null ? {} : { wrapper: options.codexWrapper }),
  };
  const clock = systemClock;
  const scripted = processGround(agent, { clock, codexIsHeld: true, behind: scriptedBehind(clock) });
  const codex = await findRealCodex(cases, options, env);
  const real =
    typeof codex === "string"
      ? codex
      : processGround(agent, {
          clock,
          codexIsHeld: codex.version === capturedCodex,
          behind: realBehind(codex, folder),
        });
  const grounds = { none: scripted, scripted, real };
  return runSuite({ ...given, suite, grounds, schemas: await loadCaseSchemas(), declared });
}

/** The whole of `codex-acp-kit conformance`. Returns the exit code. */
export const runConformance = (options: ConformanceOptions, terminal: Terminal): Promise<number> =>
  runSuiteCommand("conformance", options, terminal, () => {
    const suite = loadSuite();
    return {
      name: "conformance",
      subject: "agent",
      cases: select(suite.cases, options),
      clauses: suite.clauses,
      run: (given) => run(given, options, terminal.env, suite),
    };
  });

import { type ConformanceOptions, runConformance } from "../conformance/index.js";
import { type SuiteFlags, suiteOptions, suiteTerminal } from "./suite-flags.js";

/** What the command line says; left out, a member has its default. */
export interface ConformanceFlags extends SuiteFlags {
  readonly ground?: ConformanceOptions["grounds"];
  readonly features?: string;
  readonly codexVariable?: string;
  readonly codexWrapper?: string;
  readonly codex?: string;
}

/** Runs the conformance cases on the agent that `command` starts. Returns the exit code. */
export const conformance = (command: readonly string[], flags: ConformanceFlags): Promise<number> =>
  runConformance(
    {
      ...suiteOptions(command, flags),
      grounds: flags.ground ?? [],
      features: flags.features ?? null,
      codexVariable: flags.codexVariable ?? "CODEX_PATH",
      codexWrapper: flags.codexWrapper ?? null,
      codex: flags.codex ?? null,
    },
    suiteTerminal(),
  );

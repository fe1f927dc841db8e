import { availableParallelism } from "node:os";
import type { SuiteOptions, Terminal } from "../conformance/index.js";
import { paintFor } from "./paint.js";

/** What the command line says to a suite; left out, a member has its default. */
export interface SuiteFlags {
  readonly list?: boolean;
  readonly area?: readonly string[];
  readonly case?: readonly string[];
  readonly level?: SuiteOptions["levels"];
  readonly knownFailing?: string;
  readonly knownFlaky?: string;
  readonly json?: string;
  readonly junit?: string;
  readonly html?: string;
  readonly compare?: readonly string[];
  readonly timeout?: number;
  readonly workers?: number;
  readonly verbose?: boolean;
}

export function suiteOptions(command: readonly string[], flags: SuiteFlags): SuiteOptions {
  const [a, b] = flags.compare ?? [];
  return {
    command,
    list: flags.list === true,
    areas: (flags.area ?? []).map((area) => area.toUpperCase()),
    names: flags.case ?? [],
    levels: flags.level ?? [],
    compare: a === undefined || b === undefined ? null : [a, b],
    knownFailing: flags.knownFailing ?? null,
    knownFlaky: flags.knownFlaky ?? null,
    json: flags.json ?? null,
    junit: flags.junit ?? null,
    html: flags.html ?? null,
    deadlineMs: flags.timeout ?? 10_000,
    workers: flags.workers ?? Math.min(4, availableParallelism()),
    verbose: flags.verbose === true,
  };
}

/** This process's own. */
export const suiteTerminal = (): Terminal => ({
  write: (text) => void process.stdout.write(text),
  error: (text) => void process.stderr.write(text),
  paint: paintFor(process.stdout),
  env: process.env,
});

import { availableParallelism } from "node:os";
import { type ConformanceOptions, runConformance } from "../conformance/index.js";
import { paintFor } from "./paint.js";

/** What the command line says; left out, a member has its default. */
export interface ConformanceFlags {
  readonly list?: boolean;
  readonly area?: readonly string[];
  readonly case?: readonly string[];
  readonly level?: ConformanceOptions["levels"];
  readonly ground?: ConformanceOptions["grounds"];
  readonly features?: string;
  readonly knownFailing?: string;
  readonly knownFlaky?: string;
  readonly json?: string;
  readonly junit?: string;
  readonly html?: string;
  readonly compare?: readonly string[];
  readonly codexVariable?: string;
  readonly codexWrapper?: string;
  readonly codex?: string;
  readonly timeout?: number;
  readonly workers?: number;
  readonly verbose?: boolean;
}

/** Runs the conformance cases on the agent that `command` starts. Returns the exit code. */
export function conformance(command: readonly string[], flags: ConformanceFlags): Promise<number> {
  const [a, b] = flags.compare ?? [];
  return runConformance(
    {
      command,
      list: flags.list === true,
      areas: (flags.area ?? []).map((area) => area.toUpperCase()),
      names: flags.case ?? [],
      levels: flags.level ?? [],
      grounds: flags.ground ?? [],
      compare: a === undefined || b === undefined ? null : [a, b],
      features: flags.features ?? null,
      knownFailing: flags.knownFailing ?? null,
      knownFlaky: flags.knownFlaky ?? null,
      json: flags.json ?? null,
      junit: flags.junit ?? null,
      html: flags.html ?? null,
      codexVariable: flags.codexVariable ?? "CODEX_PATH",
      codexWrapper: flags.codexWrapper ?? null,
      codex: flags.codex ?? null,
      deadlineMs: flags.timeout ?? 10_000,
      workers: flags.workers ?? Math.min(4, availableParallelism()),
      verbose: flags.verbose === true,
    },
    {
      write: (text) => void process.stdout.write(text),
      error: (text) => void process.stderr.write(text),
      paint: paintFor(process.stdout),
      env: process.env,
    },
  );
}

import { mkdir } from "node:fs/promises";
import { deadly, type Mutant, mutantsOf, nameOf, tamperedGround } from "../../src/conformance/mutants.js";
import type { CaseRun } from "../../src/conformance/play-case.js";
import { runCase } from "../../src/conformance/run-case.js";
import type { LoadedCase } from "../../src/conformance/suite.js";
import { loadCaseSchemas } from "../../src/conformance/wire.js";
import { isFrame, type LoggedFrame } from "../../src/testing/frames.js";
import { bridgeAgent } from "../support/bridge-agent.js";
import { virtualGround } from "../support/conformance-ground.js";
import { scratch } from "../support/places.js";
import { realGround } from "../support/real-conformance.js";

const schemas = await loadCaseSchemas();

/** How long a step may wait under a mutant where time is real: many wait in vain. */
const realMs = 3_000;

/**
 * Runs a case on our own agent, with what a mutant does to its frames: in this process, or as a process where the real
 * Codex stands behind it.
 */
export async function runMutant(one: LoadedCase, mutant: Mutant | null): Promise<CaseRun> {
  if (one.ground === "real") {
    const real = realGround();
    const ground = mutant === null ? real : tamperedGround(real, mutant);
    const deadlineMs = mutant === null ? 10_000 : realMs;
    await mkdir(scratch, { recursive: true });
    return runCase(one, { ground, schemas, deadlineMs, cwd: scratch });
  }
  const ground = virtualGround(bridgeAgent());
  const tampered = mutant === null ? ground : tamperedGround(ground, mutant);
  return ground.drive(runCase(one, { ground: tampered, schemas, deadlineMs: 10_000, cwd: "/home/user/project" }));
}

export interface Reference {
  readonly one: LoadedCase;
  readonly run: CaseRun;
}

/** The runs without a mutant, and their frames. Throws when one does not pass. */
export async function references(
  cases: readonly LoadedCase[],
): Promise<{ readonly runs: readonly Reference[]; readonly samples: readonly LoggedFrame[] }> {
  const runs: Reference[] = [];
  for (const one of cases) {
    const run = await runMutant(one, null);
    if (run.fault !== null) throw new Error(`${one.name} fails without a mutant: ${run.fault.message}`);
    runs.push({ one, run });
  }
  const samples = runs.flatMap(({ run }) =>
    run.timeline.log.entries.filter(isFrame).filter(({ from }) => from === "bridge"),
  );
  return { runs, samples };
}

export interface Killing {
  readonly name: string;
  readonly level: string;
  readonly ground: LoadedCase["ground"];
  readonly killed: readonly string[];
  readonly survived: readonly string[];
}

/** Whether a run notices: it blames anybody, as a mutant in front of Codex can confuse the suite's own. */
const noticed = (run: CaseRun): boolean => run.fault !== null;

/** Runs the mutants of a case. `enough`: stop at the first that is killed. */
export async function kill(
  { one, run }: Reference,
  samples: readonly LoggedFrame[],
  enough: boolean,
): Promise<Killing> {
  const mutants = mutantsOf(run, samples);
  // What is wanted last is nearest to what the case is about.
  const ordered = enough ? mutants.filter(({ operation }) => deadly.includes(operation)).reverse() : mutants;
  const killed: string[] = [];
  const survived: string[] = [];
  for (const mutant of ordered) {
    (noticed(await runMutant(one, mutant)) ? killed : survived).push(nameOf(mutant));
    if (enough && killed.length > 0) break;
  }
  return { name: one.name, level: one.level, ground: one.ground, killed, survived };
}

import { mkdir } from "node:fs/promises";
import { harmlessDelay, harmlessTwice } from "../../src/conformance/harmless.js";
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

/** A mutant that no case noticed. */
export interface Survivor {
  readonly name: string;
  readonly operation: Mutant["operation"];
  /** Why that does no harm; null when it should have been noticed. */
  readonly harmless: string | null;
}

export interface Killing {
  readonly name: string;
  readonly level: string;
  readonly ground: LoadedCase["ground"];
  readonly killed: readonly Mutant[];
  readonly survived: readonly Survivor[];
}

/** Whether a run notices: it blames anybody, as a mutant in front of Codex can confuse the suite's own. */
const noticed = (run: CaseRun): boolean => run.fault !== null;

const framesOf = (run: CaseRun): readonly LoggedFrame[] => run.timeline.log.entries.filter(isFrame);

/** Why a mutant does no harm, by what came of it in its run. */
function harmlessIn(mutant: Mutant, run: CaseRun): string | null {
  const frames = framesOf(run);
  const [at, next] = frames
    .filter(({ from, wire }) => from === "bridge" && wire === mutant.wire)
    .slice(mutant.index, mutant.index + 2);
  if (at === undefined) return null;
  if (mutant.operation === "twice") return harmlessTwice(at);
  // The one that was delayed came after the one that should have followed it.
  return mutant.operation === "swap" && next !== undefined ? harmlessDelay(next, at, frames) : null;
}

/** Runs the mutants of a case. `enough`: stop at the first that is killed. */
export async function kill(
  { one, run }: Reference,
  samples: readonly LoggedFrame[],
  enough: boolean,
): Promise<Killing> {
  const mutants = mutantsOf(run, samples);
  // What is wanted last is nearest to what the case is about.
  const ordered = enough ? mutants.filter(({ operation }) => deadly.includes(operation)).reverse() : mutants;
  const killed: Mutant[] = [];
  const survived: Survivor[] = [];
  for (const mutant of ordered) {
    const mutated = await runMutant(one, mutant);
    if (noticed(mutated)) killed.push(mutant);
    else {
      const { operation } = mutant;
      survived.push({ name: nameOf(mutant), operation, harmless: harmlessIn(mutant, mutated) });
    }
    if (enough && killed.length > 0) break;
  }
  return { name: one.name, level: one.level, ground: one.ground, killed, survived };
}

import type { StoredBehaviour } from "../../src/drift/behaviour.js";
import { historyProbes } from "./history.js";
import type { Probe } from "./probe.js";
import { providerProbes } from "./providers.js";
import { refusalProbes } from "./refusals.js";
import { askProbe } from "./rig.js";
import { turnProbes } from "./turns.js";

export const probes: readonly Probe[] = [...providerProbes, ...turnProbes, ...historyProbes, ...refusalProbes];

export interface ProbeOptions {
  /** The Codex binary. */
  readonly codex: string;
  readonly version: string;
  /** Where the folders are made; not the system's temporary folder. */
  readonly under: string;
  /** Default: all. */
  readonly wanted?: readonly Probe[];
  /** Told of each answer as it comes. */
  readonly told?: (name: string, answer: string) => void;
}

/** Asks the probes of a Codex, two at a time. Rejects with what a probe could not do, by its name. */
export async function probeCodex({
  codex,
  version,
  under,
  wanted = probes,
  told,
}: ProbeOptions): Promise<StoredBehaviour> {
  const answers = new Map<string, string>();
  const open = [...wanted];
  const work = async (): Promise<void> => {
    for (let probe = open.shift(); probe !== undefined; probe = open.shift()) {
      const { name } = probe;
      try {
        answers.set(name, await askProbe(probe, codex, under));
      } catch (cause) {
        open.length = 0;
        const why = cause instanceof Error ? cause.message : String(cause);
        throw new Error(`the probe ${name} did not come to an answer on ${version}: ${why}`, { cause });
      }
      told?.(name, answers.get(name) ?? "");
    }
  };
  await Promise.all([work(), work()]);
  return {
    version,
    answers: wanted.map(({ name, question }) => ({ probe: name, question, answer: answers.get(name) ?? "" })),
  };
}

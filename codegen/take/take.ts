import { join } from "node:path";
import { loadDecisions, loadSide } from "../../src/cli/drift/load.js";
import type { StoredBehaviour } from "../../src/drift/behaviour.js";
import { type DriftReport, reportDrift } from "../../src/drift/report.js";
import { capture } from "../capture/index.js";
import { keepBehaviour } from "../capture/keep.js";
import { readManifest } from "../capture/manifest.js";
import { emitters } from "../emit/index.js";
import { generate, writeTree } from "../generate.js";
import { contractSchema, contractSchemaFile } from "../model/contract-schema.js";
import { loadModel } from "../model/load.js";
import { dropGone } from "./gone.js";

/** What taking a version needs from outside. */
export interface TakeTools {
  /** The repository: its schemas, generated files and reference are rewritten. */
  readonly root: string;
  /** The Codex binary to take. */
  readonly codex: string;
  /** Its answers to the probes. */
  probe(version: string): Promise<StoredBehaviour>;
  /** The errors of the compiler over the whole tree, one a line; empty when there are none. */
  typeErrors(): string[];
  /** Told what is being done, as it takes a while. */
  say(line: string): void;
}

/** What came of it. Nothing is left for a person when `toDecide` and `typeErrors` are empty and no report breaks. */
export interface Taken {
  readonly codex: DriftReport;
  readonly acp: DriftReport;
  /** Why the code could not be generated: rows that `schemas/contract` lacks, or has too many. */
  readonly toDecide: readonly string[];
  /** Where hand-written code meets a type that changed. */
  readonly typeErrors: readonly string[];
}

/**
 * Takes a Codex, and the installed SDK with it: captures, probes, compares with what was captured before, and generates.
 * The tree at `root` then holds the whole change. What the contract has not decided stops the generation, not the report.
 */
export async function take({ root, codex, probe, typeErrors, say }: TakeTools): Promise<Taken> {
  const schemas = join(root, "schemas");
  const captured = () => ({
    codex: readManifest(join(schemas, "codex")).version,
    acp: readManifest(join(schemas, "acp")).version,
  });
  const old = captured();
  // What the schemas told before: a version may be taken anew, from a build that tells something else.
  const before = {
    codex: loadSide(join(schemas, "codex"), "codex", schemas),
    acp: loadSide(join(schemas, "acp"), "acp", schemas),
  };
  say(`capturing, after Codex ${old.codex} and the SDK ${old.acp}`);
  capture(root, codex);
  const now = captured();
  say(`asking Codex ${now.codex} the probes`);
  keepBehaviour(root, await probe(now.codex));
  const report = (protocol: "codex" | "acp"): DriftReport =>
    reportDrift(before[protocol], loadSide(now[protocol], protocol, schemas), loadDecisions(protocol, schemas));
  const reports = { codex: report("codex"), acp: report("acp") };
  for (const method of dropGone(root))
    say(`${method} is gone, and nothing used it: its row is taken out of codex.json`);
  say("generating");
  const toDecide = await generated(root);
  if (toDecide.length > 0) return { ...reports, toDecide, typeErrors: [] };
  say("compiling");
  return { ...reports, toDecide, typeErrors: typeErrors() };
}

/** Writes what is generated. The reasons, when that cannot be done. */
async function generated(root: string): Promise<string[]> {
  try {
    const schema = contractSchema(root);
    writeTree(root, await generate(loadModel(root, schema), [...emitters, () => [contractSchemaFile(schema)]]));
    return [];
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return error.message
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "" && !line.endsWith(":"));
  }
}

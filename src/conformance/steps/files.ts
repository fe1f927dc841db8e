import { readdir } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { CaseFault } from "../outcome.js";
import { mismatches } from "../pattern.js";
import type { Stage } from "../stage.js";
import type { FilesInStep } from "../step-format.js";
import { fill } from "../template.js";

export async function filesIn({ bindings }: Pick<Stage, "bindings">, step: FilesInStep): Promise<void> {
  const root = String(fill(step.filesIn, bindings));
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => relative(root, join(parentPath, name)).replaceAll(sep, "/"))
    .sort();
  const wrong = mismatches(files, fill(step.are, bindings));
  if (wrong.length > 0)
    throw new CaseFault({ message: `what lies in ${root} is not as it must be`, mismatches: wrong });
}

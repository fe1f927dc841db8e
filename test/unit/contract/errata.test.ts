import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ErrataFile } from "../../../codegen/model/contract.js";
import { applyErrata } from "../../../codegen/model/errata.js";
import { readJson } from "../../../codegen/model/load.js";

const schemas = join(import.meta.dirname, "../../../schemas");
const errata: ErrataFile = JSON.parse(readFileSync(join(schemas, "contract/errata.json"), "utf8"));

const captures = [
  { source: "codex", file: "codex/protocol.schema.json" },
  { source: "acp", file: "acp/schema.unstable.json" },
] as const;

test.each(captures)("every erratum of $source is still needed", ({ source, file }) => {
  const captured = readJson(join(schemas, file));
  expect(() => applyErrata(captured, errata, source)).not.toThrow();

  // What would make the line above fail: an entry that upstream has mended.
  const mended = {
    id: "mended",
    source,
    at: "",
    patch: [{ op: "replace" as const, path: "/$schema", value: captured["$schema"] }],
    reason: "",
  };
  expect(() => applyErrata(captured, { errata: [...errata.errata, mended] }, source)).toThrow("erratum mended");
});

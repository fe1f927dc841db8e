import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { probeCodex, probes } from "../../codegen/probe/index.js";
import { loadSide } from "../../src/cli/drift/load.js";
import { codexes } from "../support/codexes.js";
import { repository, scratch } from "../support/places.js";

/** Those whose answers differ between the two, and one of each other sort. All of them take a minute: `npm run codex:take`. */
const few = [
  "provider-on-resume",
  "fork-unprompted-listed",
  "compaction-interrupted",
  "deleted-content-kept",
  "says-bad-cursor",
];

describe.each(codexes)("Codex $version", ({ version, path }) => {
  test("answers the probes as it is stored", { timeout: 60_000 }, async () => {
    const wanted = probes.filter(({ name }) => few.includes(name));
    const { answers } = await probeCodex({ codex: path, version, under: scratch, wanted });
    expect(answers).toHaveLength(few.length);
    const stored = loadSide(version, "codex", join(repository, "schemas")).behaviour?.answers ?? [];
    expect(stored).toEqual(expect.arrayContaining([...answers]));
  });
});

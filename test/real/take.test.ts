import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { installedCodex } from "../../codegen/capture/native-binary.js";
import { printTidyJson } from "../../codegen/json.js";
import { exitCodeOf, printTaken, printTakenAsMarkdown } from "../../codegen/take/print.js";
import { take } from "../../codegen/take/take.js";
import { loadSide } from "../../src/cli/drift/load.js";
import { capturedCodex } from "../../src/generated/codex/version.js";
import { repository, scratch } from "../support/places.js";

interface Rows {
  requests: { method: string }[];
}

let root: string;
const codexJson = () => join(root, "schemas/contract/codex.json");
const rows = (): Rows => JSON.parse(readFileSync(codexJson(), "utf8")) as Rows;

// A repository with the schemas of this one, of which codex.json was written for another Codex: one that had a method
// more, which nothing used, and did not have one that the installed Codex has.
beforeEach(() => {
  mkdirSync(scratch, { recursive: true });
  root = mkdtempSync(join(scratch, "take-"));
  cpSync(join(repository, "schemas"), join(root, "schemas"), { recursive: true });
  for (const name of ["codegen", "node_modules"]) symlinkSync(join(repository, name), join(root, name));
  const decided = rows();
  const requests = decided.requests.filter(({ method }) => method !== "thread/guardianReview");
  const gone = { method: "thread/gone", use: "unused", reason: "Nothing asks for it." };
  writeFileSync(codexJson(), printTidyJson({ ...decided, requests: [...requests, gone] }));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test("taking a Codex leaves its captures, its answers, and what is to be decided", async () => {
  const said: string[] = [];
  const stored = loadSide(capturedCodex, "codex", join(repository, "schemas")).behaviour;
  if (!stored) throw new Error("the captured Codex was never probed");
  const [first, ...others] = stored.answers;
  const answers = [...(first ? [{ ...first, answer: "something else" }] : []), ...others];
  const taken = await take({
    root,
    codex: installedCodex(),
    probe: async (version) => ({ version, answers }),
    typeErrors: () => [],
    say: (line) => void said.push(line),
  });
  expect(taken).toMatchObject({ codex: { old: capturedCodex, now: capturedCodex, changes: [] }, acp: { changes: [] } });
  expect(taken.codex.behaviour).toEqual([
    { probe: first?.probe, question: first?.question, was: first?.answer, now: "something else" },
  ]);
  expect(taken.toDecide).toEqual(["codex.json: the request thread/guardianReview has no row"]);
  expect(rows().requests.map(({ method }) => method)).not.toContain("thread/gone");
  expect(said).toContain("thread/gone is gone, and nothing used it: its row is taken out of codex.json");
  for (const name of ["codex/protocol.schema.json", "codex/MANIFEST.json", "acp/schema.unstable.json"]) {
    expect(readFileSync(join(root, "schemas", name)).equals(readFileSync(join(repository, "schemas", name)))).toBe(
      true,
    );
  }
  expect(loadSide(capturedCodex, "codex", join(root, "schemas")).behaviour?.answers).toEqual(answers);
  expect(exitCodeOf(taken)).toBe(1);
  expect(printTaken(taken)).toContain("To decide in schemas/contract\n  codex.json: the request thread/guardianReview");
  expect(printTakenAsMarkdown(taken)).toMatch(
    /^# To decide in schemas\/contract\n\n- `codex\.json: the request thread/,
  );
});

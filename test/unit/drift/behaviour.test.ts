import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { probes } from "../../../codegen/probe/index.js";
import { behaviourFile, loadDecisions, loadSide } from "../../../src/cli/drift/load.js";
import { codexErrorKind } from "../../../src/codex/error-text.js";
import { behaviourChanges, readBehaviour, type StoredBehaviour } from "../../../src/drift/behaviour.js";
import { reportDrift } from "../../../src/drift/report.js";
import { repository } from "../../support/places.js";

const schemas = join(repository, "schemas");
const versions = ["0.153.4", "0.156.1", "0.158.0", "0.161.0", "0.166.0", "0.171.0"] as const;

const stored = (version: string): StoredBehaviour =>
  readBehaviour(JSON.parse(readFileSync(join(schemas, "versions", behaviourFile(version)), "utf8")));

const changed = (old: string, now: string): string[] =>
  behaviourChanges(stored(old), stored(now)).map(({ probe }) => probe);

describe("the probes", () => {
  test("have names of their own and questions", () => {
    expect(probes.length).toBeGreaterThan(40);
    expect(new Set(probes.map(({ name }) => name)).size).toBe(probes.length);
    for (const { name, question } of probes) {
      expect(name).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
      expect(question).toMatch(/^[A-Z].*\?$/);
    }
  });

  test.each(versions)("were all asked of %s", (version) => {
    const { answers, version: said } = stored(version);
    expect(said).toBe(version);
    expect(answers.map(({ probe, question }) => ({ name: probe, question }))).toEqual(
      probes.map(({ name, question }) => ({ name, question })),
    );
    for (const { probe, answer } of answers) {
      expect(answer, probe).not.toBe("");
      expect(answer, "what differs from run to run is taken out").not.toMatch(
        /[0-9a-f]{8}-[0-9a-f]{4}-|127\.0\.0\.1|\/home|\.tmp/,
      );
    }
  });

  test.each(versions)("the refusals of %s are known by their texts", (version) => {
    const refused = probes.flatMap(({ name, kind }) => {
      const answer = stored(version).answers.find(({ probe }) => probe === name)?.answer ?? "";
      const [, message, type] = /^refused: (.*?)(?: \[(\w+)\])?$/.exec(answer) ?? [];
      return kind === undefined || message === undefined ? [] : [{ name, kind, message, data: { type } }];
    });
    expect(refused.length).toBeGreaterThan(15);
    for (const { name, kind, ...error } of refused) expect([kind].flat(), name).toContain(codexErrorKind(error));
  });
});

describe("what changed without a schema", () => {
  test.each([
    { old: "0.153.4", now: "0.156.1", probes: ["provider-recorded-after-move"] },
    { old: "0.156.1", now: "0.158.0", probes: ["items-have-times"] },
    { old: "0.158.0", now: "0.161.0", probes: ["item-anchor"] },
    {
      old: "0.161.0",
      now: "0.166.0",
      probes: [
        "provider-on-start",
        "provider-on-resume",
        "provider-on-fork",
        "provider-recorded-after-move",
        "provider-entry-missing",
        "steer-cuts-answer",
      ],
    },
    {
      old: "0.166.0",
      now: "0.171.0",
      probes: [
        "provider-on-start",
        "provider-on-resume",
        "provider-on-fork",
        "provider-entry-missing",
        "fork-unprompted-listed",
      ],
    },
  ])("$old to $now: $probes", ({ old, now, probes }) => {
    expect(changed(old, now)).toEqual(probes);
    const decisions = loadDecisions("codex", schemas);
    const report = reportDrift(loadSide(old, "codex", schemas), loadSide(now, "codex", schemas), decisions);
    expect(report.behaviour.map(({ probe }) => probe)).toEqual(probes);
    expect(report).toMatchObject({ breaking: true, unprobed: [] });
  });

  test("answers that are cut off are refused", () => {
    expect(() => readBehaviour({ version: "1", answers: [{ probe: "a" }] })).toThrow("not as stored");
    expect(() => readBehaviour([])).toThrow("not as stored");
  });
});

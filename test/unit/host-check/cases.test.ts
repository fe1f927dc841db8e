import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { stepsIn } from "../../../src/conformance/lint.js";
import { objectsIn } from "../../../src/conformance/lint-parts.js";
import type { HostCase } from "../../../src/host-check/format.js";
import { type DraftTexts, lintHostSuite } from "../../../src/host-check/lint.js";
import type { HostStep } from "../../../src/host-check/step-format.js";
import { type HostSuiteFiles, loadHostSuite, readHostSuiteFiles } from "../../../src/host-check/suite.js";
import { repository } from "../../support/places.js";

const folder = join(repository, "src/host-check/cases");
const read = (path: string): unknown => JSON.parse(readFileSync(path, "utf8"));
const names = readdirSync(folder).filter((name) => !name.endsWith(".schema.json"));
const ajv = new Ajv({ strict: false });
const typeOf: Readonly<Record<string, string>> = {
  "not-shown.json": "HostNotShownFile",
  "preludes.json": "HostPreludeFile",
};
ajv.addSchema(read(join(folder, "case.schema.json")) as object, "cases");

const { $defs } = read(join(repository, "schemas/acp/schema.unstable.json")) as {
  readonly $defs: Readonly<Record<string, { readonly properties?: object }>>;
};
const descriptionsIn = (value: unknown): string[] =>
  [...objectsIn(value)].flatMap(({ description }) => (typeof description === "string" ? [description] : []));

/** Definitions and their members, which have no text of another definition. */
const draft: DraftTexts = new Map(
  Object.entries($defs).flatMap(([name, definition]) => [
    [name, descriptionsIn(definition)] as const,
    ...Object.entries(definition.properties ?? {}).map(
      ([member, schema]) => [`${name}.${member}`, descriptionsIn(schema)] as const,
    ),
  ]),
);

describe("the files", () => {
  test.each(names)("%s is as the schema says", (name) => {
    const content = read(join(folder, name));
    // A whole file's error would name all the kinds of step that each is not.
    const isStep = ajv.compile({ $ref: "cases#/definitions/HostStep" });
    expect([...stepsIn(content)].flatMap(({ step, path }) => (isStep(step) ? [] : [path]))).toEqual([]);
    const validate = ajv.compile({ $ref: `cases#/definitions/${typeOf[name] ?? "HostCaseFile"}` });
    validate(content);
    expect(validate.errors ?? []).toEqual([]);
  });

  test("hold together, and quote the draft word for word", () => {
    expect(lintHostSuite(readHostSuiteFiles(), draft)).toEqual([]);
  });
});

describe("the linter", () => {
  const steps: HostStep[] = [{ open: true }, { hostSends: "initialize" }];
  const good: HostCase = { name: "fine", title: "It is fine.", level: "MUST", clauses: ["REC-02"], steps };
  const clause = { id: "REC-02", area: "REC", level: "MUST" as const, text: "", status: "implemented" };
  const duty = { ...clause, status: "host-duty" };
  const files = (one: Partial<HostCase>, more: Partial<HostSuiteFiles> = {}): HostSuiteFiles => ({
    cases: [{ area: "MESSAGE", cases: [{ ...good, ...one }] }],
    preludes: {},
    notShown: [],
    clauses: [clause],
    ...more,
  });
  const texts: DraftTexts = new Map([["AgentMessage", ["It\nreplaces  all."]]]);

  test("has nothing to say of a good case", () => {
    expect(lintHostSuite(files({ draft: [{ type: "AgentMessage", says: "replaces all" }] }), texts)).toEqual([]);
  });

  const unbound = "$" + "{nobody.id}";
  test.each([
    { one: { name: "Not Kebab" }, says: "not in small letters" },
    { one: { clauses: [] }, says: "no clause and no rule" },
    { one: { clauses: ["REC-99"] }, says: "there is no clause REC-99" },
    { one: { level: "SHOULD" as const }, says: "REC-02 is a MUST" },
    { one: { draft: [{ type: "Nobody", says: "x" }] }, says: "the draft has no Nobody" },
    { one: { draft: [{ type: "AgentMessage", says: "appends" }] }, says: "AgentMessage does not say so" },
    { one: { steps: [{ open: true }] as HostStep[] }, says: "it expects nothing" },
    {
      one: { steps: [...steps, { user: "newSession", as: "session", later: true }] as HostStep[] },
      says: "no step asks what came of newSession",
    },
    { one: { steps: [...steps, { shown: { state: unbound } }] }, says: "is bound by no step before it" },
  ])("$says", ({ one, says }) => {
    expect(lintHostSuite(files(one), texts)).toEqual([expect.stringContaining(says)]);
  });

  test.each([
    { more: { preludes: { idle: { doc: "", steps } } }, says: "the prelude idle is used by no case" },
    { more: { notShown: [{ reason: "x", clauses: ["REC-02"] }], clauses: [duty] }, says: "and a case shows it" },
    {
      more: { notShown: [{ reason: "x", clauses: ["REC-99"] }] },
      says: "REC-99 is listed as not to be shown, and is no",
    },
    { more: { clauses: [clause, { ...duty, id: "REC-03" }] }, says: "REC-03 is shown by no case" },
  ])("$says", ({ more, says }) => {
    expect(lintHostSuite(files({}, more), texts)).toEqual([expect.stringContaining(says)]);
  });
});

test("a prelude that does not exist is named with its case", () => {
  const cases = [{ area: "A", cases: [{ name: "x", title: "", level: "MUST" as const, steps: [{ use: "none" }] }] }];
  expect(() => loadHostSuite({ cases, preludes: {}, notShown: [], clauses: [] })).toThrow(
    "a/x: there is no prelude none",
  );
});

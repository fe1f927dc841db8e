import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import type { Case } from "../../../src/conformance/format.js";
import { lintSuite, stepsIn } from "../../../src/conformance/lint.js";
import type { Step } from "../../../src/conformance/step-format.js";
import { loadSuite, readSuiteFiles, type SuiteFiles } from "../../../src/conformance/suite.js";
import { repository } from "../../support/places.js";

const folder = join(repository, "src/conformance/cases");
const read = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), "utf8"));
const names = readdirSync(folder).filter((name) => name !== "case.schema.json");
const ajv = new Ajv({ strict: false });
ajv.addSchema(read("case.schema.json") as object, "cases");
const typeOf: Readonly<Record<string, string>> = {
  "preludes.json": "PreludeFile",
  "features.json": "FeatureFile",
  "not-shown.json": "NotShownFile",
};

/** Steps that are of no kind: a whole file's error would name all the kinds that each is not. */
const wrongSteps = (content: unknown): string[] => {
  const validate = ajv.compile({ $ref: "cases#/definitions/Step" });
  return [...stepsIn(content)].flatMap(({ step, path }) => (validate(step) ? [] : `${path}: ${JSON.stringify(step)}`));
};

describe("the files", () => {
  test.each(names)("%s is as the schema says", (name) => {
    const content = read(name);
    expect(wrongSteps(content)).toEqual([]);
    const validate = ajv.compile({ $ref: `cases#/definitions/${typeOf[name] ?? "CaseFile"}` });
    validate(content);
    expect(validate.errors ?? []).toEqual([]);
  });

  test("hold together", () => {
    expect(lintSuite(readSuiteFiles())).toEqual([]);
  });

  test("are many", () => {
    expect(loadSuite().cases.length).toBeGreaterThan(70);
  });
});

describe("the linter", () => {
  const steps: Step[] = [{ ask: "initialize", as: "agent", result: {} }];
  const good: Case = { name: "fine", title: "It is fine.", clauses: ["INIT-01"], steps };
  const files = (one: Partial<Case>, more: Partial<SuiteFiles> = {}): SuiteFiles => ({
    cases: [{ area: "INIT", cases: [{ ...good, ...one }] }],
    preludes: {},
    features: {},
    notShown: [],
    clauses: [
      { id: "INIT-01", area: "INIT", level: "MUST", text: "", status: "open" },
      { id: "INIT-02", area: "INIT", level: "MUST", text: "", status: "withdrawn" },
      { id: "AUTH-01", area: "AUTH", level: "MUST", text: "", status: "open" },
    ],
    ...more,
  });

  test("has nothing to say of a good case", () => {
    expect(lintSuite(files({}))).toEqual([]);
  });

  const unbound = "$" + "{nobody.id}";
  test.each([
    { one: { name: "Not Kebab" }, says: "not in small letters" },
    { one: { title: "no sentence" }, says: "no sentence" },
    { one: { clauses: [] }, says: "shows no clause" },
    { one: { clauses: ["INIT-77", "INIT-01"] }, says: "there is no clause INIT-77" },
    { one: { clauses: ["INIT-02"] }, says: "is withdrawn" },
    { one: { clauses: ["AUTH-01"] }, says: "no clause of INIT" },
    { one: { needs: ["magic"] }, says: "there is no feature magic" },
    { one: { steps: [{ tell: "session/cancel" }] }, says: "it expects nothing" },
    { one: { steps: [...steps, { tell: "x", params: unbound }] }, says: "is bound by no step before it" },
    { one: { steps: [{ ask: "x", result: { a: { $maybe: 1 } } }] }, says: "there is no rule $maybe" },
    { one: { steps: [{ ask: "x", result: {}, within: { after: "then" } }] }, says: "there is no label then" },
    { one: { steps: [...steps, { model: { message: "x" } }] }, says: "no model on the ground scripted" },
    { one: { ground: "real", steps: [...steps, { begin: "turn" }] }, says: "no begin on the ground real" },
    { one: { rows: [{ name: "Bad Row" }] }, says: "the row Bad Row" },
  ] as const)("$says", ({ one, says }) => {
    expect(lintSuite(files(one as Partial<Case>))).toEqual([expect.stringContaining(says)]);
  });

  test.each([
    { more: { preludes: { idle: { doc: "", steps } } }, says: "the prelude idle is used by no case" },
    { more: { notShown: [{ reason: "x", clauses: ["INIT-01"] }] }, says: "and a case shows it" },
    { more: { notShown: [{ reason: "x", clauses: ["INIT-99"] }] }, says: "there is no such clause" },
  ])("$says", ({ more, says }) => {
    expect(lintSuite(files({}, more))).toEqual([expect.stringContaining(says)]);
  });
});

import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Ajv, type ValidateFunction } from "ajv";
import { describe, expect, it } from "vitest";
import { loadModel } from "../../codegen/model/load.js";
import { parsers, resultParsers } from "../../src/generated/contract/parsers.js";
import type { Parser } from "../../src/runtime/index.js";
import { type Definitions, satisfies } from "../../src/testing/schema/index.js";
import { typeErrors } from "../unit/codegen/type-check.js";
import { invalidCases, typeNames, validCases } from "./corpus.js";

const root = resolve(import.meta.dirname, "../..");
const definitions: Definitions = Object.fromEntries(loadModel(root).contract.definitions);

const upper = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** The standalone code, by the type it vouches for. */
const standalone = new Map<string, Parser<unknown>>([
  ...Object.entries(parsers).map(([name, parse]): [string, Parser<unknown>] => [`${upper(name)}Params`, parse]),
  ...Object.entries(resultParsers).map(([name, parse]): [string, Parser<unknown>] => [`${upper(name)}Result`, parse]),
]);

const parserOf = (type: string): Parser<unknown> => {
  const parse = standalone.get(type);
  if (parse === undefined) throw new Error(`test/corpus/${type} is no type of the contract that has a parser`);
  return parse;
};

const ajv = new Ajv({ strict: false, allErrors: true });
for (const [name, limit] of Object.entries({ int32: 2 ** 31, uint16: 2 ** 16, uint32: 2 ** 32 })) {
  ajv.addFormat(name, {
    type: "number",
    validate: (value) => value < limit && value >= (name === "int32" ? -limit : 0),
  });
}
for (const name of ["int64", "uint64", "double"]) ajv.addFormat(name, { type: "number", validate: Number.isFinite });
ajv.addFormat("uri", (text) => URL.canParse(text));
ajv.addFormat("regex", true);
ajv.addFormat("date-time", (text) => !Number.isNaN(Date.parse(text)));
ajv.addSchema({ $id: "contract", definitions });

/** The same schema, compiled in memory without any of the generator's preparations. */
const inMemory = (type: string): ValidateFunction => ajv.compile({ $ref: `contract#/definitions/${type}` });

it("has a parser for every folder", () => {
  expect(typeNames.filter((type) => !standalone.has(type))).toEqual([]);
  expect(validCases.length).toBeGreaterThan(10);
  expect(invalidCases.length).toBeGreaterThan(20);
});

describe.each(validCases)("$name", ({ type, value }) => {
  it("passes the standalone code", () => expect(parserOf(type)(value)).toEqual({ ok: true, value }));
  it("passes ajv in memory", () => expect(inMemory(type)(value)).toBe(true));
  it("satisfies the schema as tests read it", () =>
    expect(satisfies(value, { $ref: `#/definitions/${type}` }, definitions)).toBe(true));
});

describe.each(invalidCases)("$name", ({ type, value, path, expected }) => {
  it("is refused by the standalone code, with its fault", () =>
    expect(parserOf(type)(value)).toEqual({ ok: false, fault: { path, expected } }));
  it("is refused by ajv in memory", () => expect(inMemory(type)(value)).toBe(false));
  it("does not satisfy the schema as tests read it", () =>
    expect(satisfies(value, { $ref: `#/definitions/${type}` }, definitions)).toBe(false));
});

/**
 * Passing a value to `takes` checks it against the type, and lets members pass that the schema does not name: a schema
 * that does not close an object takes them.
 */
const prelude = `import type * as types from "./generated/contract/types.js";

const takes = <T>() => <Value extends T>(value: Value): Value => value;

`;

const typesFiles = ["acp", "codex", "contract"].map((name) => {
  const path = `src/generated/${name}/types.ts`;
  return { path, text: readFileSync(join(root, path), "utf8") };
});

const checked = (cases: readonly { readonly type: string; readonly value: unknown }[]): Promise<string[]> => {
  const lines = cases.map(({ type, value }) => `takes<types.${type}>()(${JSON.stringify(value)});\n`);
  return typeErrors([...typesFiles, { path: "src/cases.ts", text: prelude + lines.join("") }]);
};

it("satisfies the types with every valid case", async () => {
  expect(await checked(validCases)).toEqual([]);
});

it("has types that refuse a wrong value and a missing member", async () => {
  const wrong = invalidCases.filter(({ expected }) => expected.startsWith("the member") || expected === "a boolean");
  const refused = (await checked(wrong)).map((error) => Number(/cases\.ts\((\d+),/.exec(error)?.[1]));
  const first = prelude.split("\n").length;
  const accepted = wrong.filter((_, index) => !refused.includes(first + index)).map(({ name }) => name);
  // Beyond the types: what one member asks of another, and that the open branch of a union excludes the named ones.
  expect(accepted).toEqual([
    "CodexSessionHistoryItemsParams/invalid/anchor-without-turn.json",
    "CodexSessionHistoryParams/invalid/native-without-view.json",
    "RequestPermissionResult/invalid/selected-nothing.json",
    "SessionPromptParams/invalid/second-block-at-fault.json",
    "SessionPromptParams/invalid/text-is-missing.json",
  ]);
});

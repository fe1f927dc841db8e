import { describe, expect, test } from "vitest";
import { compileTypes, emitTypes } from "../../../codegen/emit/types.js";
import type { JsonObject } from "../../../codegen/json.js";
import type { GeneratedFile } from "../../../codegen/model/model.js";
import { flatten } from "../../../codegen/model/normalise.js";
import { smallModel } from "./small-model.js";
import { typeErrors } from "./type-check.js";

/** The emitted text without what every file has: the index, comments, and the printer's spacing. */
const emitted = async (definitions: JsonObject): Promise<string> => {
  const text = await compileTypes("Index", "Index.", flatten([definitions]));
  const body = text.replace(/\/\*\*(?:[^*]|\*(?!\/))*\*\//g, "").replace(/export interface Index \{[^}]*\}/, "");
  return body.replace(/\s+/g, " ").trim();
};

interface Row {
  readonly name: string;
  readonly prevents: string;
  readonly given: JsonObject;
  readonly want: string;
}

const rows: readonly Row[] = [
  {
    name: "two titles that collide",
    prevents: "Item and Item1",
    given: {
      A: {
        type: "object",
        properties: { x: { title: "Item", type: "object", properties: { a: { type: "string" } } } },
      },
      B: {
        type: "object",
        properties: { x: { title: "Item", type: "object", properties: { b: { type: "string" } } } },
      },
    },
    want: "export interface A { x?: { a?: string; }; } export interface B { x?: { b?: string; }; }",
  },
  {
    name: "a title that is another definition's name",
    prevents: "the definition printed as B1",
    given: { A: { title: "B", type: "string" }, B: { type: "number" } },
    want: "export type A = string; export type B = number;",
  },
  {
    name: "a union beside properties",
    prevents: "A1 for the union",
    given: {
      A: {
        type: "object",
        properties: { id: { type: "string" } },
        required: ["id"],
        oneOf: [
          { type: "object", properties: { k: { enum: ["x"], type: "string" } }, required: ["k"] },
          { type: "object", properties: { k: { enum: ["y"], type: "string" } }, required: ["k"] },
        ],
      },
    },
    want: 'export type A = | { id: string; k: "x"; } | { id: string; k: "y"; };',
  },
  {
    name: "a $ref with a description, twice",
    prevents: "B1 and B2",
    given: {
      A: {
        type: "object",
        properties: {
          x: { $ref: "#/definitions/B", description: "X" },
          y: { $ref: "#/definitions/B", description: "Y" },
        },
      },
      B: { type: "object", properties: { b: { type: "string" } } },
    },
    want: "export interface A { x?: B; y?: B; } export interface B { b?: string; }",
  },
  {
    name: "an allOf of one, with a description and a default",
    prevents: "a numbered copy",
    given: {
      A: {
        properties: { x: { allOf: [{ $ref: "#/definitions/B" }], default: null, description: "X" } },
        type: "object",
      },
      B: { type: ["string", "null"] },
    },
    want: "export type B = string | null; export interface A { x?: B; }",
  },
  {
    name: "a name that the compiler would change",
    prevents: "a type that nobody can import by the schema's name",
    given: { W3cTrace: { type: "string" }, A: { type: "array", items: { $ref: "#/definitions/W3cTrace" } } },
    want: "export type W3CTrace = string; export type A = W3CTrace[]; export type W3cTrace = W3CTrace;",
  },
  {
    name: "integers of odd formats",
    prevents: "a format that the compiler stumbles over",
    given: { A: { type: "object", properties: { n: { type: ["integer", "null"], format: "uint16", minimum: 0 } } } },
    want: "export interface A { n?: number | null; }",
  },
  {
    name: "a schema of words only",
    prevents: "an object type for what may be anything",
    given: { A: { type: "object", properties: { any: { description: "Anything" }, all: true }, required: ["any"] } },
    want: "export interface A { any: unknown; all?: unknown; }",
  },
  {
    name: "a closed object without properties",
    prevents: "{} as a type, which takes anything",
    given: { A: { type: "object", additionalProperties: false } },
    want: "export type A = Record<string, never>;",
  },
  {
    name: "open and closed objects",
    prevents: "an index signature that lets every misspelt member pass",
    given: {
      A: { type: "object", properties: { a: { type: "string" } } },
      B: { type: "object", additionalProperties: { type: "string" } },
    },
    want: "export interface A { a?: string; } export interface B { [k: string]: string; }",
  },
  {
    name: "definitions that refer to each other",
    prevents: "a type without end",
    given: {
      A: { anyOf: [{ type: "string" }, { type: "array", items: { $ref: "#/definitions/A" } }] },
    },
    want: "export type A = string | A[];",
  },
  {
    name: "a place that is lenient",
    prevents: "unknown where a handler wants the type",
    given: { A: { type: "object", properties: { x: { description: "X", "x-lenient": { type: "string" } } } } },
    want: "export interface A { x?: string; }",
  },
  {
    name: "a definition of another file",
    prevents: "ACP's types printed a second time",
    given: {
      A: { type: "array", items: { $ref: "#/definitions/acp.ContentBlock.lenient" } },
      B: { $ref: "#/definitions/codex.Turn" },
    },
    want: "export type A = acp.ContentBlock[]; export type B = codex.Turn;",
  },
];

describe("emitTypes", () => {
  test("imports what the contract's types refer to, and declares nothing of other files", async () => {
    const model = smallModel({});
    const definitions = flatten([
      { A: { type: "array", items: { $ref: "#/definitions/acp.Block.lenient" } }, "acp.Block.lenient": {} },
    ]);
    const files = await emitTypes({ ...model, contract: { ...model.contract, definitions } });
    const text = files.find(({ path }) => path === "src/generated/contract/types.ts")?.text ?? "";
    expect(text).toMatch(
      /\.\n\nimport type \* as acp from "\.\.\/acp\/types\.js";\n\nexport type A = acp\.Block\[\];\n/,
    );
    expect(text).not.toContain("lenient");
    expect(text).not.toContain("codex/types.js");
  });
});

describe("compileTypes", () => {
  test.each(rows)("$name (prevents: $prevents)", async ({ given, want }) => {
    expect(await emitted(given)).toBe(want);
  });

  test("maps every definition's own name to its type", async () => {
    const text = await compileTypes("Index", "By name.", flatten([{ W3cTrace: { type: "string" }, string: {} }]));
    expect(text).toMatch(/export interface Index \{\s+W3cTrace: W3CTrace;\s+string: String;\s+\}/);
  });

  test.each(rows)("leaves the definitions as they are: $name", async ({ given }) => {
    const definitions = flatten([given]);
    const before = structuredClone(definitions);
    await compileTypes("Index", "Index.", definitions);
    expect(definitions).toEqual(before);
  });

  test("what is printed compiles", { timeout: 60_000 }, async () => {
    const files = await Promise.all(
      rows.map(async ({ given }, index): Promise<GeneratedFile> => {
        const imports =
          'import type * as acp from "../acp/types.js";\nimport type * as codex from "../codex/types.js";\n';
        const used = JSON.stringify(given).includes("acp.") ? imports : "";
        return {
          path: `src/generated/row${index}/types.ts`,
          text: used + (await compileTypes("Index", "I.", flatten([given]))),
        };
      }),
    );
    const stubs = [
      { path: "src/generated/acp/types.ts", text: "export type ContentBlock = string;\n" },
      { path: "src/generated/codex/types.ts", text: "export type Turn = string;\n" },
    ];
    expect(await typeErrors([...files, ...stubs])).toEqual([]);
    // The compiler saw the files: it misses a stub that is not there.
    expect(await typeErrors([...files, ...stubs.slice(1)])).not.toEqual([]);
  });
});

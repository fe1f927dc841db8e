import { beforeAll, describe, expect, it } from "vitest";
import { validationFile } from "../../../codegen/emit/ajv/module.js";
import { resolveIn } from "../../../codegen/emit/ajv/resolve.js";
import { emitParsers } from "../../../codegen/emit/parsers.js";
import { emitCodexValidators, emitContractValidators } from "../../../codegen/emit/validators.js";
import type { Schema } from "../../../codegen/model/model.js";
import { type Parsed, parser, type Validate } from "../../../src/runtime/index.js";
import { model } from "../../support/schemas.js";
import type { Row } from "./parser-row.js";
import { rows, shared } from "./parser-rows.js";
import { runFiles, typeErrors } from "./type-check.js";

const nameOf = (index: number): string => `Row${index}`;

const definitions = new Map<string, Schema>([
  ...shared,
  ...rows.map(({ schema }, index): [string, Schema] => [nameOf(index), schema]),
]);

const path = "src/generated/rows/code.ts";
const file = validationFile(
  path,
  "rows",
  rows.map((_, index) => nameOf(index)),
  resolveIn(definitions),
);

let validations: Record<string, unknown>;
beforeAll(async () => {
  validations = await runFiles([file], path);
});

const isValidate = (value: unknown): value is Validate => typeof value === "function";

const parse = (index: number, value: unknown): Parsed<unknown> => {
  const validate = validations[nameOf(index)];
  if (!isValidate(validate)) throw new Error(`no export ${nameOf(index)}`);
  return parser<unknown>(validate)(value);
};

describe.each(rows.map((row, index): Row & { index: number } => ({ ...row, index })))("$given", (row) => {
  it.each(row.valid.map((value) => ({ value })))("takes $value", ({ value }) => {
    expect(parse(row.index, value)).toEqual({ ok: true, value });
  });
  for (const [value, left] of row.absent ?? []) {
    it(`leaves ${JSON.stringify(left)} of ${JSON.stringify(value)}`, () => {
      expect(parse(row.index, structuredClone(value))).toEqual({ ok: true, value: left });
    });
  }
  it.each(row.faults.map(([value, at, expected]) => ({ value, at, expected })))(
    "expects $expected at '$at' of $value",
    ({ value, at, expected }) => {
      expect(parse(row.index, value)).toEqual({ ok: false, fault: { path: at, expected } });
    },
  );
});

describe("a parser", () => {
  const nested = (depth: number): unknown => {
    let value = {};
    for (let level = 0; level < depth; level += 1) value = { next: value };
    return value;
  };
  const recursive = rows.findIndex(({ given }) => given === "a schema that contains itself");

  it("answers for JSON nested deeper than the stack", () => {
    expect(parse(recursive, nested(100)).ok).toBe(true);
    expect(parse(recursive, nested(200_000))).toEqual({
      ok: false,
      fault: { path: "", expected: "JSON that is nested less deeply" },
    });
  });

  it("keeps no fault of an earlier value", () => {
    expect(parse(recursive, 1).ok).toBe(false);
    expect(parse(recursive, {}).ok).toBe(true);
  });
});

describe("generated code", () => {
  const files = [...emitParsers(model), ...emitCodexValidators(model), ...emitContractValidators(model)];
  const codeFiles = [file, ...files.filter(({ text }) => text.includes("@ts-nocheck"))];

  it.each(codeFiles)("$path is an ES module on its own", ({ text }) => {
    expect(text).not.toContain("require(");
    expect(text).not.toContain("new Function");
    expect(text.match(/^import .*$/gm) ?? []).toEqual(
      text.match(/^import \{ .* \} from "(\.\.\/)+runtime\/index\.js";$/gm) ?? [],
    );
  });

  it("has helpers to import in the rows, so that the check above looks at some", () => {
    expect(file.text).toContain('import { equalJson, ucs2length } from "../../runtime/index.js";');
  });

  it("is the same when it is made again", () => {
    expect([...emitParsers(model), ...emitCodexValidators(model), ...emitContractValidators(model)]).toEqual(files);
  });

  it("type-checks as it is used", async () => {
    const use = `import { ${nameOf(0)} } from "./code.js";\nimport { parser } from "../../runtime/index.js";\nexport const parse = parser<string>(${nameOf(0)});\n`;
    expect(await typeErrors([file, { path: "src/generated/rows/use.ts", text: use }])).toEqual([]);
  });

  it.each([
    { given: "a format nobody knows", schema: { type: "string", format: "colour" }, error: /format "colour"/ },
    { given: "a keyword nobody knows", schema: { type: "string", atLeast: 3 }, error: /atLeast/ },
    { given: "a reference to nothing", schema: { $ref: "#/definitions/Gone" }, error: /#\/definitions\/Gone/ },
  ])("fails to generate for $given", ({ schema, error }) => {
    const broken = new Map<string, Schema>([["Broken", schema]]);
    expect(() => validationFile(path, "rows", ["Broken"], resolveIn(broken))).toThrow(error);
  });
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { HostCaseFile, HostNotShownFile } from "../src/host-check/format.js";
import { caseFilesIn, withTable } from "./case-docs.js";
import { validationFile } from "./emit/ajv/module.js";
import { resolveIn } from "./emit/ajv/resolve.js";
import { header, importType } from "./emit/text.js";
import { isObject, type JsonObject, objectAt, printTidyJson } from "./json.js";
import { schemaOfTypes } from "./model/contract-schema.js";
import type { GeneratedFile, Schema } from "./model/model.js";
import { refName } from "./model/names.js";

const folder = "src/host-check";
const generated = "src/generated/host-check";
const types = `${folder}/driver-format.ts`;
const docPath = "docs/host-check.md";
const casesFolder = `${folder}/cases`;

interface Instruction {
  readonly method: string;
  readonly doc: string;
  readonly params: string;
  readonly result: string;
}

/** The schemas of the cases and of the driver, the checks of what it says, and the table of its instructions. */
export function hostCheckFiles(root: string): GeneratedFile[] {
  const cases = schemaOfTypes(
    [join(root, folder, "format.ts")],
    ["HostCaseFile", "HostNotShownFile", "HostPreludeFile"],
  );
  const driver = schemaOfTypes([join(root, types)], ["Instructions"]);
  const definitions = objectAt(driver, "definitions", types);
  const instructions = instructionsOf(definitions);
  const doc = readFileSync(join(root, docPath), "utf8");
  return [
    { path: `${folder}/cases/case.schema.json`, text: printTidyJson(cases) },
    { path: `${folder}/cases/driver.schema.json`, text: printTidyJson(driver) },
    { path: docPath, text: withCases(root, withInstructions(doc, instructions, definitions)) },
    ...checks(instructions, definitions),
  ];
}

function instructionsOf(definitions: JsonObject): Instruction[] {
  const all = objectAt(objectAt(definitions, "Instructions", types), "properties", types);
  return Object.entries(all).map(([method, value]) => {
    const schema = isObject(value) ? value : {};
    const { params, result } = objectAt(schema, "properties", types);
    const names = [refName(params), refName(result)] as const;
    if (names[0] === null || names[1] === null)
      throw new Error(`${types}: ${method} must have named params and result`);
    return { method, doc: String(schema["description"] ?? ""), params: names[0], result: names[1] };
  });
}

function checks(instructions: readonly Instruction[], definitions: JsonObject): GeneratedFile[] {
  const names = [...new Set(instructions.flatMap(({ params, result }) => [params, result]))];
  const rows = instructions.map(
    ({ method, params, result }) =>
      `  ${method}: { params: parser<${params}>(code.${params}), result: parser<${result}>(code.${result}) },\n`,
  );
  const schemas = new Map(Object.entries(definitions).map(([name, schema]) => [name, schema as Schema]));
  return [
    {
      path: `${generated}/driver.ts`,
      text: [
        header(types),
        'import { parser } from "../../runtime/index.js";\n',
        'import * as code from "./driver-code.js";\n',
        importType(names, "../../host-check/driver-format.js"),
        "\n/** Instructions of a host's driver: what the runner sends, and what the driver answers. */\n",
        `export const instructions = {\n${rows.join("")}} as const;\n`,
      ].join(""),
    },
    validationFile(`${generated}/driver-code.ts`, types, names, resolveIn(schemas)),
  ];
}

const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;

function withCases(root: string, doc: string): string {
  const files = caseFilesIn<HostCaseFile>(join(root, casesFolder));
  const rows = files.flatMap(({ area, cases }) =>
    cases.map(({ name, title, level, needs = [], clauses = [], draft = [] }) => {
      const rules = [...new Set([...clauses, ...draft.map(({ type }) => `ACP \`${type}\``)])];
      return line([`\`${area.toLowerCase()}/${name}\``, title, level, rules.join(", "), needs.join(", ")]);
    }),
  );
  const notShown = readFileSync(join(root, casesFolder, "not-shown.json"), "utf8");
  const { reasons }: HostNotShownFile = JSON.parse(notShown);
  const head = [line(["Case", "", "Level", "Rules", "Ability"]), "| --- | --- | --- | --- | --- |"];
  const excused = reasons.map(({ reason, clauses }) => `- ${reason}: ${clauses.join(", ")}.`);
  const lines = [...head, ...rows, "", "Not to be shown:", "", ...excused];
  return withTable(docPath, doc, "cases", casesFolder, lines.join("\n"));
}

function withInstructions(doc: string, instructions: readonly Instruction[], definitions: JsonObject): string {
  const members = (name: string): string => `\`${shapeOf(definitions[name])}\``;
  const rows = instructions.map(({ method, params, result, doc: text }) =>
    line([`\`${method}\``, members(params), members(result), text.replaceAll("\n", " ")]),
  );
  const head = [line(["Instruction", "Params", "Result", ""]), "| --- | --- | --- | --- |"];
  return withTable(docPath, doc, "instructions", types, [...head, ...rows].join("\n"));

  function shapeOf(schema: unknown): string {
    const name = refName(schema);
    if (name !== null) return shapeOf(definitions[name]);
    if (!isObject(schema)) return "any";
    if (Array.isArray(schema["enum"])) return schema["enum"].map((one) => JSON.stringify(one)).join(" \\| ");
    if (schema["type"] === "array") return `[${shapeOf(schema["items"])}]`;
    const { properties, additionalProperties, type, required } = schema;
    if (isObject(properties)) {
      const needed = Object.entries(properties).filter(
        ([member]) => Array.isArray(required) && required.includes(member),
      );
      return `{${needed.map(([member, part]) => `${member}: ${shapeOf(part)}`).join(", ")}}`;
    }
    if (isObject(additionalProperties)) return `{…: ${shapeOf(additionalProperties)}}`;
    if (type === "object") return "{}";
    if (type === undefined) return "any";
    return [type].flat().join(" \\| ");
  }
}

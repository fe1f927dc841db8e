import { readFileSync } from "node:fs";
import { join } from "node:path";
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
const begin = `<!-- instructions: generated from ${types} by \`npm run generate\` -->`;
const end = "<!-- end of instructions -->";

interface Instruction {
  readonly method: string;
  readonly doc: string;
  readonly params: string;
  readonly result: string;
}

/** The schemas of the cases and of the driver, the checks of what it says, and the table of its instructions. */
export function hostCheckFiles(root: string): GeneratedFile[] {
  const cases = schemaOfTypes([join(root, folder, "format.ts")], ["HostCaseFile", "HostPreludeFile"]);
  const driver = schemaOfTypes([join(root, types)], ["Instructions"]);
  const definitions = objectAt(driver, "definitions", types);
  const instructions = instructionsOf(definitions);
  const doc = readFileSync(join(root, docPath), "utf8");
  return [
    { path: `${folder}/cases/case.schema.json`, text: printTidyJson(cases) },
    { path: `${folder}/cases/driver.schema.json`, text: printTidyJson(driver) },
    { path: docPath, text: withTable(doc, instructions, definitions) },
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

function withTable(doc: string, instructions: readonly Instruction[], definitions: JsonObject): string {
  const from = doc.indexOf(begin);
  const to = doc.indexOf(end);
  if (from < 0 || to < from) throw new Error(`${docPath} must have the lines\n${begin}\n${end}`);
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const members = (name: string): string => `\`${shapeOf(definitions[name])}\``;
  const rows = instructions.map(({ method, params, result, doc: text }) =>
    line([`\`${method}\``, members(params), members(result), text.replaceAll("\n", " ")]),
  );
  const table = [line(["Instruction", "Params", "Result", ""]), "| --- | --- | --- | --- |", ...rows].join("\n");
  return `${doc.slice(0, from)}${begin}\n\n${table}\n\n${doc.slice(to)}`;

  function shapeOf(schema: unknown): string {
    const name = refName(schema);
    if (name !== null) return shapeOf(definitions[name]);
    if (!isObject(schema)) return "any";
    if (Array.isArray(schema["enum"])) return schema["enum"].map((one) => JSON.stringify(one)).join(" \\| ");
    if (schema["type"] === "array") return `[${shapeOf(schema["items"])}]`;
    const { properties, additionalProperties, type } = schema;
    if (isObject(properties)) {
      const parts = Object.entries(properties).map(([member, part]) => `${member}: ${shapeOf(part)}`);
      return `{${parts.join(", ")}}`;
    }
    if (isObject(additionalProperties)) return `{name: ${shapeOf(additionalProperties)}}`;
    if (type === "object") return "{}";
    return [type].flat().join(" \\| ");
  }
}

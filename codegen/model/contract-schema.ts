import { join } from "node:path";
import * as TJS from "typescript-json-schema";
import { isObject, type JsonObject, objectAt, printTidyJson } from "../json.js";
import type { GeneratedFile } from "./model.js";

/** The data files of the contract, and the type in codegen/model/contract.ts that each must have. */
export const contractFiles = {
  "acp-v1.json": "AcpV1File",
  "capabilities.json": "CapabilitiesFile",
  "clauses.json": "ClausesFile",
  "codex.json": "CodexDispositionsFile",
  "errata.json": "ErrataFile",
  "errors.json": "ErrorsFile",
  "meta.json": "MetaFile",
  "methods.json": "MethodsFile",
  "tables.json": "TablesFile",
} as const;

export type ContractFileName = keyof typeof contractFiles;

/** A JSON Schema with a definition for each type of some files, that at its root accepts any of `roots`. */
export const schemaOfTypes = (files: string[], roots: readonly string[]): JsonObject => {
  const program = TJS.getProgramFromFiles(files, {
    strictNullChecks: true,
    skipLibCheck: true,
    types: [],
    module: "ESNext",
    moduleResolution: "Bundler",
  });
  const schema = TJS.generateSchema(program, "*", { required: true, noExtraProps: true, aliasRef: false }, files);
  const read = files.join(" and ");
  if (!isObject(schema)) throw new Error(`${read} could not be read as a schema`);
  const definitions = objectAt(schema, "definitions", read);
  const missing = roots.filter((type) => !(type in definitions));
  if (missing.length > 0) throw new Error(`${read} has no type ${missing.join(", ")}`);
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    anyOf: roots.map((type) => ({ $ref: `#/definitions/${type}` })),
    definitions: Object.fromEntries(Object.entries(definitions).sort(([a], [b]) => (a < b ? -1 : 1))),
  };
};

/**
 * The JSON Schema of the contract's data files, from the types of codegen/model/contract*.ts below `root`: a definition
 * for each type. At its root it accepts any of the files, so that an editor that follows `$schema` can help.
 */
export const contractSchema = (root: string): JsonObject =>
  schemaOfTypes(
    ["contract.ts", "contract-acp-v1.ts"].map((name) => join(root, "codegen/model", name)),
    Object.values(contractFiles),
  );

export const contractSchemaFile = (schema: JsonObject): GeneratedFile => ({
  path: "schemas/contract/contract.schema.json",
  text: printTidyJson(schema),
});

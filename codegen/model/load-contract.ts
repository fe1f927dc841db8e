import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv, type ErrorObject } from "ajv";
import { isObject, type JsonObject } from "../json.js";
import type {
  CapabilitiesFile,
  ClausesFile,
  CodexDispositionsFile,
  ErrataFile,
  ErrorsFile,
  MetaFile,
  MethodsFile,
  TablesFile,
} from "./contract.js";
import type { AcpV1File } from "./contract-acp-v1.js";
import { type ContractFileName, contractFiles } from "./contract-schema.js";
import type { Model } from "./model.js";

export interface LoadedContract {
  readonly files: Omit<Model["contract"], "definitions">;
  readonly errata: ErrataFile;
  /** File name → content of the contract's `*.schema.json`, without the one that describes the data files. */
  readonly schemaFiles: ReadonlyMap<string, JsonObject>;
}

/**
 * Reads the hand-written files in `folder`. Throws with every fault at once, each with its file and path, when one is
 * missing or is not as `schema` (contract.schema.json) has it.
 */
export const loadContract = (folder: string, schema: JsonObject): LoadedContract => {
  const ajv = new Ajv({ allErrors: true, strict: false });
  ajv.addSchema(schema, "contract");
  const faults: string[] = [];
  const read = <T>(name: ContractFileName): (() => T) => {
    const validate = ajv.compile<T>({ $ref: `contract#/definitions/${contractFiles[name]}` });
    const content = parseFile(folder, name, faults);
    const valid = content !== undefined && validate(content);
    if (!valid) faults.push(...(validate.errors ?? []).map((error) => describe(name, error)));
    return () => {
      if (!valid) throw new Error(`${name} is not valid`);
      return content;
    };
  };
  const files = {
    methods: read<MethodsFile>("methods.json"),
    errors: read<ErrorsFile>("errors.json"),
    capabilities: read<CapabilitiesFile>("capabilities.json"),
    tables: read<TablesFile>("tables.json"),
    meta: read<MetaFile>("meta.json"),
    clauses: read<ClausesFile>("clauses.json"),
    codex: read<CodexDispositionsFile>("codex.json"),
    acpV1: read<AcpV1File>("acp-v1.json"),
  };
  const errata = read<ErrataFile>("errata.json");
  const schemaFiles = readSchemaFiles(folder, faults);
  if (faults.length > 0) throw new Error(`the contract's files have faults:\n  ${faults.join("\n  ")}`);
  return {
    files: {
      methods: files.methods(),
      errors: files.errors(),
      capabilities: files.capabilities(),
      tables: files.tables(),
      meta: files.meta(),
      clauses: files.clauses(),
      codex: files.codex(),
      acpV1: files.acpV1(),
    },
    errata: errata(),
    schemaFiles,
  };
};

const readSchemaFiles = (folder: string, faults: string[]): Map<string, JsonObject> => {
  const names = readdirSync(folder).filter((it) => it.endsWith(".schema.json") && it !== "contract.schema.json");
  const found = new Map<string, JsonObject>();
  for (const name of names.sort()) {
    const content = parseFile(folder, name, faults);
    if (isObject(content)) found.set(name, content);
    else if (content !== undefined) faults.push(`${name}: must be an object`);
  }
  return found;
};

/** The file's content; undefined, and a fault, when it is missing or no JSON. */
const parseFile = (folder: string, name: string, faults: string[]): unknown => {
  try {
    return JSON.parse(readFileSync(join(folder, name), "utf8"));
  } catch (error) {
    const missing = isObject(error) && error["code"] === "ENOENT";
    faults.push(`${name}: ${missing ? "the file is missing" : error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
};

const describe = (file: string, { instancePath, message, params }: ErrorObject): string => {
  const allowed = Array.isArray(params["allowedValues"]) ? `: ${params["allowedValues"].join(", ")}` : "";
  const extra = typeof params["additionalProperty"] === "string" ? `: ${params["additionalProperty"]}` : "";
  return `${file}${instancePath === "" ? "" : `#${instancePath}`}: ${message ?? "is not valid"}${allowed}${extra}`;
};

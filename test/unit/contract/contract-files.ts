import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isObject, type JsonObject, objectAt } from "../../../codegen/json.js";
import type {
  CapabilitiesFile,
  ClausesFile,
  CodexDispositionsFile,
  ErrorsFile,
  MetaFile,
  MethodsFile,
  TablesFile,
} from "../../../codegen/model/contract.js";
import { eachSchema } from "../../../codegen/model/walk.js";

const folder = join(import.meta.dirname, "../../../schemas");
const contractFolder = join(folder, "contract");

const read = (file: string) => JSON.parse(readFileSync(join(folder, file), "utf8"));

export const methods: MethodsFile["methods"] = read("contract/methods.json").methods;
export const errors: ErrorsFile["errors"] = read("contract/errors.json").errors;
export const capabilities: CapabilitiesFile = read("contract/capabilities.json");
export const meta: MetaFile = read("contract/meta.json");
export const tables: TablesFile = read("contract/tables.json");
export const dispositions: CodexDispositionsFile = read("contract/codex.json");
const clausesFile: ClausesFile = read("contract/clauses.json");

export const clauseIds: ReadonlySet<string> = new Set(clausesFile.clauses.map((row) => row.id));
/** Ids of the decisions that a doc may cite: `R-05`, `D-18`, `A-35`. */
export const decisionIds: ReadonlySet<string> = new Set(
  [...clausesFile.rulings, ...clausesFile.readings].map((row) => row.id),
);

const codexBundle: JsonObject = objectAt(read("codex/protocol.schema.json"), "definitions", "Codex's bundle");
const acpBundle: JsonObject = objectAt(read("acp/schema.unstable.json"), "$defs", "ACP's schema");

export const codexDefinitions: ReadonlySet<string> = new Set([
  ...Object.keys(codexBundle),
  ...Object.keys(objectAt(codexBundle, "v2", "Codex's bundle")),
]);
export const acpDefinitions: ReadonlySet<string> = new Set(Object.keys(acpBundle));

/** Kinds of `session/update`, and whatever else the draft's unions of constants hold under `tag`. */
export const acpConstants = (definition: string, tag?: string): ReadonlySet<string> => {
  const found = new Set<string>();
  eachSchema(objectAt(acpBundle, definition, "ACP's schema"), (node) => {
    const at = tag === undefined ? node : isObject(node["properties"]) ? node["properties"][tag] : undefined;
    if (isObject(at) && typeof at["const"] === "string") found.add(at["const"]);
  });
  return found;
};

const captured = read("codex/methods.json");
const names = (list: "requests" | "serverRequests" | "notifications"): ReadonlySet<string> =>
  new Set(captured[list].map((row: { method: string }) => row.method));
export const codexRequests = names("requests");
export const codexServerRequests = names("serverRequests");
export const codexNotifications = names("notifications");

/** `*.schema.json` of the contract that are written by hand, by file name. */
export const schemaFiles: ReadonlyMap<string, JsonObject> = new Map(
  readdirSync(contractFolder)
    .filter((name) => name.endsWith(".schema.json") && name !== "contract.schema.json")
    .map((name) => [name, read(`contract/${name}`)]),
);

export const contractDefinitions: ReadonlyMap<string, JsonObject> = new Map(
  [...schemaFiles].flatMap(([file, schema]) =>
    Object.keys(objectAt(schema, "$defs", file)).map((name): [string, JsonObject] => [
      name,
      objectAt(schema["$defs"], name, file),
    ]),
  ),
);

/** Every `$ref` below a value. */
export const refsIn = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap(refsIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, it]) => (key === "$ref" ? [String(it)] : refsIn(it)));
};

/** The entries that stand in a list more than once. */
export const repeated = (list: readonly string[]): string[] => list.filter((it, at) => list.indexOf(it) !== at);

/** Ids such as `R-05`, `D-18` and `A-35` in a text. */
export const decisionsIn = (text: string): string[] => text.match(/\b[ADR]-\d\d\b/g) ?? [];

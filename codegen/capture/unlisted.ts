import { join } from "node:path";
import * as TJS from "typescript-json-schema";
import { isObject, type JsonObject, mapJson, objectAt } from "../json.js";
import { pascalCase } from "../model/names.js";

/** Requests of Codex's TypeScript export that `generate-json-schema` leaves out. */
export const unlistedRequests = ["getAuthStatus", "getConversationSummary", "gitDiffToRemote"] as const;

/**
 * The JSON Schema of their params and responses, made from the TypeScript export in `folder`. A helper type whose name
 * the bundle (`taken`) uses for something else gets the prefix `Unlisted`, so that both can stand in one namespace.
 */
export const captureUnlisted = (folder: string, taken: ReadonlySet<string>): JsonObject => {
  const names = unlistedRequests.flatMap((method) => [`${pascalCase(method)}Params`, `${pascalCase(method)}Response`]);
  const program = TJS.getProgramFromFiles(
    names.map((name) => join(folder, `${name}.ts`)),
    { strictNullChecks: true, skipLibCheck: true, types: [], module: "ESNext", moduleResolution: "Bundler" },
  );
  const schema = TJS.generateSchema(program, "*", { required: true, aliasRef: false, topRef: false }, [
    ...names.map((name) => join(folder, `${name}.ts`)),
  ]);
  if (!isObject(schema)) throw new Error("Codex's TypeScript export could not be read as a schema");
  const definitions = objectAt(schema, "definitions", "the schema of the TypeScript export");
  const missing = names.filter((name) => !(name in definitions));
  if (missing.length > 0) throw new Error(`Codex's TypeScript export lacks ${missing.join(", ")}`);
  const renamed = (name: string): string => (taken.has(name) ? `Unlisted${name}` : name);
  const entries = Object.entries(definitions).map(([name, definition]) => [
    renamed(name),
    renameRefs(definition, renamed),
  ]);
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    definitions: Object.fromEntries(entries.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))),
  };
};

const prefix = "#/definitions/";

const renameRefs = (schema: unknown, renamed: (name: string) => string): unknown =>
  mapJson(schema, (node) => {
    if (!isObject(node) || typeof node["$ref"] !== "string" || !node["$ref"].startsWith(prefix)) return node;
    return { ...node, $ref: prefix + renamed(node["$ref"].slice(prefix.length)) };
  });

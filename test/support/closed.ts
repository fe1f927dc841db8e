import type { Schema } from "../../codegen/model/model.js";

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Keywords whose schemas are about the same value as their parent, and those about a part of it. */
const sameValue = ["allOf", "anyOf", "oneOf"];
const mapsOfParts = ["properties", "patternProperties"];
const parts = ["items", "additionalProperties", "contains"];

const describesMembers = (schema: Json): boolean =>
  ["$ref", "properties", ...sameValue].some((keyword) => keyword in schema) && !("additionalProperties" in schema);

/** `schema` with the parts of its value closed, but not the value itself: others may add members to it. */
function insideClosed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(insideClosed);
  if (!isObject(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, argument]) => {
      if (sameValue.includes(keyword) && Array.isArray(argument)) return [keyword, argument.map(branch)];
      if (parts.includes(keyword)) return [keyword, closed(argument)];
      if (mapsOfParts.includes(keyword) && isObject(argument)) {
        return [keyword, Object.fromEntries(Object.entries(argument).map(([name, part]) => [name, closed(part)]))];
      }
      return [keyword, argument];
    }),
  );
}

const annotations = new Set(["title", "description"]);

/** A branch that any value satisfies stands for every member too. */
function branch(schema: unknown): unknown {
  const open = isObject(schema) && Object.keys(schema).every((keyword) => annotations.has(keyword));
  return open ? { ...schema, unevaluatedProperties: true } : insideClosed(schema);
}

function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (!isObject(schema) || !describesMembers(schema)) return insideClosed(schema);
  return { ...Object(insideClosed(schema)), unevaluatedProperties: false };
}

/**
 * Definitions in which a value may have no member that its schema does not name, at any depth, unless the schema says
 * so. A sender that misspells a member is caught by them: the receiver would only ignore it. For JSON Schema 2019-09.
 * Use a definition through `closedRef`.
 */
export const closedDefinitions = (definitions: ReadonlyMap<string, Schema>): Record<string, unknown> =>
  Object.fromEntries([...definitions].map(([name, schema]) => [name, insideClosed(schema)]));

export const closedRef = ($ref: string): Schema => ({ $ref, unevaluatedProperties: false });

import type { Schema } from "../../model/model.js";

export const isSchema = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Keywords that hold one schema, a list of schemas, and schemas by name. */
const single = new Set([
  "additionalProperties",
  "contains",
  "else",
  "if",
  "items",
  "not",
  "orAbsent",
  "orNull",
  "propertyNames",
  "then",
]);
const listed = new Set(["allOf", "anyOf", "branches", "oneOf"]);
const named = new Set(["patternProperties", "properties"]);

/** True for keywords under which other schemas stand. */
export const holdsSchemas = (keyword: string): boolean =>
  single.has(keyword) || listed.has(keyword) || named.has(keyword);

/** The value of a keyword with the schemas in it mapped. */
export const mapSubschemas = (keyword: string, value: unknown, map: (schema: unknown) => unknown): unknown => {
  if (single.has(keyword)) return map(value);
  if (listed.has(keyword) && Array.isArray(value)) return value.map(map);
  if (named.has(keyword) && isSchema(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, map(schema)]));
  }
  return value;
};

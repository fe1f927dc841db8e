import { isObject, type JsonObject } from "../json.js";

/**
 * Holds what ACP asks for in a place where a value off schema counts as absent: the place itself takes anything. Types
 * follow it, and parsers take out what does not.
 */
export const lenient = "x-lenient";

/** Keywords that hold one schema, a list of schemas, or schemas by name. Everything else is data and left alone. */
const one = new Set([
  "additionalItems",
  "additionalProperties",
  "contains",
  "else",
  "if",
  "items",
  "not",
  "propertyNames",
  "then",
  "unevaluatedProperties",
  lenient,
]);
const many = new Set(["allOf", "anyOf", "items", "oneOf", "prefixItems"]);
const named = new Set(["$defs", "definitions", "dependentSchemas", "patternProperties", "properties"]);

/** A change of one schema node, given its parts already changed. */
export type SchemaChange = (node: JsonObject) => JsonObject;

/**
 * A new schema in which `change` has been applied to every schema node, inner ones first. Only schemas are visited: a
 * property that is called `title`, or a `default` that looks like a schema, is not.
 */
export const mapSchema = (schema: JsonObject, change: SchemaChange): JsonObject => {
  const into = (value: unknown): unknown => (isObject(value) ? mapSchema(value, change) : value);
  const entries = Object.entries(schema).map(([keyword, value]) => {
    if (named.has(keyword) && isObject(value)) {
      return [keyword, Object.fromEntries(Object.entries(value).map(([name, it]) => [name, into(it)]))];
    }
    if (many.has(keyword) && Array.isArray(value)) return [keyword, value.map(into)];
    if (one.has(keyword) && isObject(value)) return [keyword, into(value)];
    return [keyword, value];
  });
  return change(Object.fromEntries(entries));
};

/** Calls `visit` with every schema node. */
export const eachSchema = (schema: JsonObject, visit: (node: JsonObject) => void): void => {
  mapSchema(schema, (node) => {
    visit(node);
    return node;
  });
};

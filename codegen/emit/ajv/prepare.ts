/**
 * Schemas as ajv compiles them: without annotations, integer formats as plain bounds, unions by their tag, and schemas
 * whose own data an error quotes (`enum`, several types) in definitions of their own, since ajv carries the whole
 * definition around such a keyword into the generated code.
 */

import type { Schema } from "../../model/model.js";
import { lenient } from "../../model/walk.js";
import { integerBounds } from "./formats.js";
import { kindsOf } from "./keywords.js";
import { holdsSchemas, isSchema, mapSubschemas } from "./schema.js";
import { collapseStrings, nullUnion, tagUnion } from "./unions.js";

/** Keywords that say nothing about validity. */
const annotations = new Set([
  "$comment",
  "$schema",
  "contentEncoding",
  "contentMediaType",
  "default",
  "deprecated",
  "description",
  "examples",
  "readOnly",
  "title",
  "writeOnly",
]);

const isAnnotation = (keyword: string): boolean => annotations.has(keyword) || keyword.startsWith("x-");

export interface PrepareContext {
  /** The name under which ajv knows what a `$ref` points to; marks it as wanted. */
  readonly refer: (ref: string) => string;
  /** The schema a `$ref` points to. */
  readonly resolve: (ref: string) => Schema;
  /** Makes a definition of its own of a prepared schema; returns its name. */
  readonly hoist: (schema: Schema) => string;
}

/** Schemas without annotations and with bounds for formats, the whole tree down; `$ref`s stay as they are. */
export const strip = (schema: unknown): unknown => {
  if (!isSchema(schema)) return schema;
  const kept: Schema = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (isAnnotation(keyword)) continue;
    if (keyword === "unevaluatedProperties" && value === true) continue;
    if (keyword === "additionalProperties" && value === true) continue;
    kept[keyword] = mapSubschemas(keyword, value, strip);
  }
  const wanted = schema[lenient];
  if (wanted === undefined) return integerBounds(kept);
  // Beside constraints of its own, such a place is an object, or absent: what is wrong inside it is a fault.
  const kind = Object.keys(kept).length > 0 ? { type: ["object", "null"] } : strip(wanted);
  return integerBounds({ ...kept, orAbsent: kind });
};

/** A stripped schema, ready for ajv. */
export const prepare = (schema: unknown, context: PrepareContext): unknown => {
  if (!isSchema(schema)) return schema;
  const ref = onlyRef(schema);
  if (ref !== null) return prepareRef(ref, context);
  const union = nullUnion(collapseStrings(tagUnion(schema, context.resolve), context.resolve));
  const ready: Schema = {};
  for (const [keyword, value] of Object.entries(union)) {
    if (keyword === "$ref") ready["$ref"] = context.refer(String(value));
    else if (keyword === "orAbsent" && isSchema(value) && kindsOf(value) !== null) ready[keyword] = value;
    else ready[keyword] = mapSubschemas(keyword, value, (part) => prepare(part, context));
  }
  return quotesItself(ready) ? hoistQuoted(ready, context) : ready;
};

/** The target where nothing stands beside the `$ref`, or beside an `allOf` of one. */
const onlyRef = (schema: Schema): string | null => {
  const keywords = Object.keys(schema);
  if (keywords.length !== 1) return null;
  if (typeof schema["$ref"] === "string") return schema["$ref"];
  const all = schema["allOf"];
  return Array.isArray(all) && all.length === 1 && isSchema(all[0]) ? onlyRef(all[0]) : null;
};

/** Small definitions (`{ "type": "string" }`) stand in place of the reference: cheaper than a call. */
const prepareRef = (ref: string, context: PrepareContext): unknown => {
  const target = collapseStrings(context.resolve(ref), context.resolve);
  const small = Object.values(target).every((value) => typeof value !== "object");
  return small && !("$ref" in target) ? target : { $ref: context.refer(ref) };
};

const quotesItself = (schema: Schema): boolean => "enum" in schema || Array.isArray(schema["type"]);

const hoistQuoted = (schema: Schema, context: PrepareContext): Schema => {
  const parts = Object.keys(schema).some((key) => holdsSchemas(key) || key === "$ref");
  if (!parts) return { $ref: context.hoist(schema) };
  const { enum: values, type, ...rest } = schema;
  const types = Array.isArray(type) ? type : [type];
  const [first, ...others] = types.filter((name) => name !== "null");
  if (values === undefined && first !== undefined && others.length === 0)
    return { ...rest, type: first, nullable: true };
  const quoted = { ...(values === undefined ? {} : { enum: values }), ...(type === undefined ? {} : { type }) };
  const all = Array.isArray(rest["allOf"]) ? rest["allOf"] : [];
  return { ...rest, allOf: [{ $ref: context.hoist(quoted) }, ...all] };
};

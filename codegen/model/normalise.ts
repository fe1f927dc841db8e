import { isDeepStrictEqual } from "node:util";
import { isObject, type JsonObject, objectAt } from "../json.js";
import { refTo } from "./names.js";
import { oneKind } from "./one-kind.js";
import { mapSchema } from "./walk.js";

/** A `$ref` as it stands in a file → the name of the definition meant, in the normalised set. */
export type ResolveRef = (ref: string) => string;

/**
 * A schema in the one form that all emitters read: `$ref`s of the form `#/definitions/Name` that stand alone, no titles
 * (they name types by accident, and twice), every node of one kind, no wrapper around a single schema. The input is not
 * changed.
 */
export const normaliseSchema = (schema: JsonObject, resolve: ResolveRef): JsonObject =>
  mapSchema(schema, (node) => collapse(oneKind(aloneRef(withoutNames(node), resolve))));

const withoutNames = (node: JsonObject): JsonObject => {
  const { title, $schema, $id, $comment, unevaluatedProperties, ...rest } = node;
  // It looks across the parts of a node, which come apart here. What is open without it needs no keyword.
  if (unevaluatedProperties !== undefined && unevaluatedProperties !== true) {
    throw new Error("unevaluatedProperties is not supported: use additionalProperties");
  }
  return rest;
};

/** Draft 7 ignores what stands beside a `$ref`, and the type compiler makes a numbered copy of it: it moves outside. */
const aloneRef = (node: JsonObject, resolve: ResolveRef): JsonObject => {
  const { $ref, ...beside } = node;
  if (typeof $ref !== "string") return node;
  const ref = refTo(resolve($ref));
  if (Object.keys(beside).length === 0) return ref;
  const all = Array.isArray(beside["allOf"]) ? beside["allOf"] : [];
  return { ...beside, allOf: [ref, ...all] };
};

/** `{ allOf: [X] }` is X; so is `{ anyOf: [X] }`. */
const collapse = (node: JsonObject): JsonObject => {
  const [entry, ...others] = Object.entries(node);
  if (entry === undefined || others.length > 0) return node;
  const [keyword, members] = entry;
  if (!["allOf", "anyOf", "oneOf"].includes(keyword) || !Array.isArray(members) || members.length !== 1) return node;
  return isObject(members[0]) ? members[0] : node;
};

/** The definitions of Codex's bundle, its `v2` namespace and the unlisted requests' in one. */
export const codexDefinitions = (bundle: JsonObject, unlisted: JsonObject): Map<string, JsonObject> => {
  const { v2, ...root } = objectAt(bundle, "definitions", "Codex's bundle");
  if (!isObject(v2)) throw new Error('Codex\'s bundle has no "v2" definitions');
  return flatten([root, v2, objectAt(unlisted, "definitions", "Codex's unlisted requests")]);
};

const lastName: ResolveRef = (ref) => {
  const name = /^#\/(?:definitions|\$defs)\/(?:v2\/)?([^/]+)$/.exec(ref)?.[1];
  if (name === undefined) throw new Error(`a $ref of a form not known: ${ref}`);
  return name;
};

/** ACP's `$defs` in the same form. */
export const acpDefinitions = (schema: JsonObject): Map<string, JsonObject> =>
  flatten([objectAt(schema, "$defs", "ACP's schema")]);

/** Several namespaces in one. A name that two of them give different schemas is an error: refs could not tell them apart. */
export const flatten = (namespaces: readonly JsonObject[]): Map<string, JsonObject> => {
  const all = new Map<string, JsonObject>();
  for (const [name, definition] of namespaces.flatMap((it) => Object.entries(it))) {
    if (!isObject(definition)) throw new Error(`the definition of ${name} is no schema`);
    const schema = normaliseSchema(definition, lastName);
    const other = all.get(name);
    if (other !== undefined && !isDeepStrictEqual(other, schema)) {
      throw new Error(`two namespaces define ${name}, and not alike`);
    }
    all.set(name, schema);
  }
  return new Map([...all].sort(([a], [b]) => (a < b ? -1 : 1)));
};

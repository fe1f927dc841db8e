import type { JsonObject } from "../json.js";
import { objectAt } from "../json.js";
import type { MethodRow, SchemaRef } from "./contract.js";
import { lenientName, lenientSchema, metaSchema, relaxedNames, strictSchema, withMeta } from "./lenient.js";
import { metaDefinitions, metaTypeName } from "./meta.js";
import type { Model, Schema } from "./model.js";
import { pascalCase, refName, refTo } from "./names.js";
import { normaliseSchema } from "./normalise.js";
import { eachSchema, mapSchema } from "./walk.js";

type Definitions = ReadonlyMap<string, Schema>;

export interface ContractSources {
  readonly acp: Definitions;
  readonly codex: Definitions;
  /** File name → content of `schemas/contract/*.schema.json`. */
  readonly schemaFiles: ReadonlyMap<string, JsonObject>;
  readonly methods: Model["contract"]["methods"];
  readonly meta: Model["contract"]["meta"];
}

/**
 * Everything that the contract's params and results are made of, in one flat set: the effective params and results of
 * every method, the `_meta` of every carrier, the contract's own definitions; and what they need of the captures, as
 * `acp.Name` and `codex.Name`. What a host sends is read as the draft has a receiver read it: the definitions that
 * this relaxes are there a second time, as `….lenient`.
 */
export const contractDefinitions = (sources: ContractSources): Map<string, Schema> => {
  const own = new Map([...metaDefinitions(sources.meta), ...ownDefinitions(sources.schemaFiles)]);
  const all = new Map([...own, ...prefixed("acp", sources.acp), ...prefixed("codex", sources.codex)]);
  const relaxed = relaxedNames(all);
  const known = new Map<string, Schema>();
  for (const [name, schema] of all) {
    known.set(name, strictSchema(schema));
    if (relaxed.has(name)) known.set(lenientName(name), lenientSchema(schema, relaxed));
  }
  const effective = new Map(sources.methods.methods.flatMap((row) => effectiveDefinitions(row, known)));
  const carriers = sources.meta.carriers.map((it) => metaTypeName(it.carrier));
  return reachable([...effective.keys(), ...carriers], effective, known);
};

const prefixed = (prefix: string, definitions: Definitions): [string, Schema][] =>
  [...definitions].map(([name, schema]) => [
    `${prefix}.${name}`,
    mapSchema(schema, (node) => {
      const target = refName(node);
      return target === null ? node : refTo(`${prefix}.${target}`);
    }),
  ]);

/** `$defs` of the contract's schema files, by name; a name stands in one file only. */
const ownDefinitions = (files: ReadonlyMap<string, JsonObject>): Map<string, Schema> => {
  const found = new Map<string, Schema>();
  for (const [file, content] of files) {
    for (const [name, schema] of Object.entries(objectAt(content, "$defs", file))) {
      if (found.has(name)) throw new Error(`${file} defines ${name}, which another contract schema defines too`);
      const resolve = (ref: string): string => resolveContractRef(file, ref);
      found.set(name, normaliseSchema(objectAt({ [name]: schema }, name, file), resolve));
    }
  }
  return found;
};

/** A `$ref` of a contract file → the name in the flat set. */
export const resolveContractRef = (file: string, ref: string): string => {
  const [path = "", pointer = ""] = ref.split("#");
  const name = /^\/(?:\$defs|definitions)\/(?:v2\/)?([^/]+)$/.exec(pointer)?.[1];
  const target = path.replace(/^\.\//, "");
  if (name !== undefined) {
    if (target === "" || /^[^/]+\.json$/.test(target)) return name;
    if (target === "../acp/schema.unstable.json") return `acp.${name}`;
    if (/^\.\.\/codex\/(?:protocol|unlisted)\.schema\.json$/.test(target)) return `codex.${name}`;
  }
  throw new Error(`${file}: a $ref of a form not known: ${ref}`);
};

const effectiveDefinitions = (row: MethodRow, known: Definitions): [string, Schema][] => {
  const name = pascalCase(row.name);
  const fromHost = row.direction === "host-to-agent";
  const params = effectiveSchema(row, row.params, row.metaParams, fromHost, known);
  const result = row.result === null ? null : effectiveSchema(row, row.result, row.metaResult, !fromHost, known);
  return [[`${name}Params`, params], ...(result === null ? [] : [[`${name}Result`, result] as [string, Schema]])];
};

const effectiveSchema = (
  row: MethodRow,
  ref: SchemaRef,
  carrier: string | undefined,
  isLenient: boolean,
  known: Definitions,
): Schema => {
  const schema = referenced(row, ref, isLenient, known);
  if (carrier === undefined) return schema;
  const name = metaTypeName(carrier);
  const resolve = (wanted: string): Schema => lookUp(known, wanted, row.method);
  return withMeta(schema, metaSchema(name, resolve(name), isLenient), resolve);
};

const referenced = (row: MethodRow, ref: SchemaRef, isLenient: boolean, known: Definitions): Schema => {
  if (ref === "object") return { type: "object", additionalProperties: true };
  if (ref === "empty") return { type: "object", additionalProperties: false };
  const [kind = "", name = ""] = ref.split(":");
  const strict = kind === "contract" ? name : `${kind}.${name}`;
  const lenient = lenientName(strict);
  const chosen = isLenient && known.has(lenient) ? lenient : strict;
  const schema = lookUp(known, chosen, `${row.method}: ${ref}`);
  // The contract's own params and results get the method's name; the captures' keep theirs and are referred to.
  return kind === "contract" ? schema : refTo(chosen);
};

const lookUp = (known: Definitions, name: string, where: string): Schema => {
  const schema = known.get(name);
  if (schema === undefined) throw new Error(`${where}: there is no definition ${name}`);
  return schema;
};

/** `effective`, and of `known` what can be reached from `roots`, sorted by name. */
const reachable = (roots: readonly string[], effective: Definitions, known: Definitions): Map<string, Schema> => {
  const found = new Map<string, Schema>();
  const open = [...roots];
  const visit = (from: string) => (node: Schema) => {
    const target = refName(node);
    if (target === null || found.has(target)) return;
    if (effective.has(target) && known.has(target)) {
      throw new Error(`${from} refers to the contract's ${target}, but a method's params or result have that name`);
    }
    open.push(target);
  };
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (found.has(name)) continue;
    const schema = effective.get(name) ?? lookUp(known, name, "the contract");
    found.set(name, schema);
    eachSchema(schema, visit(name));
  }
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
};

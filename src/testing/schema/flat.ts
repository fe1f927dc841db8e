import { canonical, satisfies } from "./check.js";
import { integerRange } from "./formats.js";
import { asSchema, type Definitions, follow, isObject, type JsonSchema, schemasIn } from "./schema.js";

/** All that must hold for a value, in one place: a schema with its references and its `allOf` taken in, unions aside. */
export interface Flat {
  /** JSON types allowed (`integer` beside `number` where only integers are); null: any. */
  readonly types: ReadonlySet<string> | null;
  /** Values allowed; null: not listed. */
  readonly values: readonly unknown[] | null;
  readonly minimum: number;
  readonly maximum: number;
  readonly minLength: number;
  readonly maxLength: number;
  readonly minItems: number;
  readonly maxItems: number;
  readonly unique: boolean;
  readonly patterns: readonly string[];
  readonly formats: readonly string[];
  readonly items: readonly JsonSchema[];
  readonly properties: ReadonlyMap<string, readonly JsonSchema[]>;
  readonly required: ReadonlySet<string>;
  /** For members that `properties` does not name; false among them closes the object. */
  readonly additional: readonly unknown[];
  /** Conditions that are only checked: `not`, `if`, `oneOf` and the like. */
  readonly checks: readonly JsonSchema[];
}

const nothing: Flat = {
  types: null,
  values: null,
  minimum: -Infinity,
  maximum: Infinity,
  minLength: 0,
  maxLength: Infinity,
  minItems: 0,
  maxItems: Infinity,
  unique: false,
  patterns: [],
  formats: [],
  items: [],
  properties: new Map(),
  required: new Set(),
  additional: [],
  checks: [],
};

/** What every one of `schemas` asks for; null when no value can satisfy them all. */
export const flatten = (schemas: readonly JsonSchema[], definitions: Definitions): Flat | null => {
  const flat = schemas
    .flatMap((schema) => parts(schema, definitions))
    .map(one)
    .reduce(both, nothing);
  const values = flat.values?.filter((value) => flat.types === null || isOfTypes(value, flat.types)) ?? null;
  const impossible = flat.types?.size === 0 || values?.length === 0 || flat.checks.some(isFalse);
  return impossible ? null : { ...flat, values };
};

const isFalse = (schema: JsonSchema): boolean => isObject(schema["not"]) && Object.keys(schema["not"]).length === 0;

const isOfTypes = (value: unknown, types: ReadonlySet<string>): boolean => satisfies(value, { type: [...types] }, {});

/** The schemas that must all hold where `schema` must, each without references and `allOf`. */
export const parts = (schema: JsonSchema, definitions: Definitions): JsonSchema[] => {
  const { $ref, allOf, ...own } = schema;
  const referred = $ref === undefined ? [] : parts(follow($ref, definitions), definitions);
  return [...referred, ...schemasIn(allOf).flatMap((part) => parts(part, definitions)), own];
};

const numberOr = (value: unknown, otherwise: number): number => (typeof value === "number" ? value : otherwise);

const one = (schema: JsonSchema): Flat => {
  const { type, format, not, oneOf } = schema;
  const integer = integerRange[String(format)] ?? [-Infinity, Infinity];
  const listed = "const" in schema ? [schema["const"]] : schema["enum"];
  const conditional = ["if", "dependentRequired", "propertyNames", "minProperties", "maxProperties"].some(
    (it) => it in schema,
  );
  return {
    types: type === undefined ? null : new Set([type].flat().map(String)),
    values: Array.isArray(listed) ? listed : null,
    minimum: Math.max(numberOr(schema["minimum"], -Infinity), integer[0]),
    maximum: Math.min(numberOr(schema["maximum"], Infinity), integer[1]),
    minLength: numberOr(schema["minLength"], 0),
    maxLength: numberOr(schema["maxLength"], Infinity),
    minItems: numberOr(schema["minItems"], 0),
    maxItems: numberOr(schema["maxItems"], Infinity),
    unique: schema["uniqueItems"] === true,
    patterns: typeof schema["pattern"] === "string" ? [schema["pattern"]] : [],
    formats: typeof format === "string" ? [format] : [],
    items: "items" in schema ? [asSchema(schema["items"])] : [],
    properties: new Map(
      Object.entries(isObject(schema["properties"]) ? schema["properties"] : {}).map(([name, it]) => [
        name,
        [asSchema(it)],
      ]),
    ),
    required: new Set(Array.isArray(schema["required"]) ? schema["required"].map(String) : []),
    additional: "additionalProperties" in schema ? [schema["additionalProperties"]] : [],
    checks: [
      ...(not === undefined ? [] : [{ not }]),
      ...(oneOf === undefined ? [] : [{ oneOf }]),
      ...(conditional ? [schema] : []),
    ],
  };
};

const bothTypes = (a: ReadonlySet<string> | null, b: ReadonlySet<string> | null): ReadonlySet<string> | null => {
  if (a === null || b === null) return a ?? b;
  const integers = [a, b].some((it) => it.has("integer") && !it.has("number"));
  const shared = [...a].filter((it) => b.has(it));
  const isNumeric = [a, b].every((it) => it.has("integer") || it.has("number"));
  return new Set(isNumeric && integers ? [...shared.filter((it) => it !== "number"), "integer"] : shared);
};

const bothValues = (a: Flat, b: Flat): readonly unknown[] | null => {
  if (a.values === null || b.values === null) return a.values ?? b.values;
  const right = new Set(b.values.map(canonical));
  return a.values.filter((value) => right.has(canonical(value)));
};

const both = (a: Flat, b: Flat): Flat => {
  const properties = new Map(a.properties);
  for (const [name, schemas] of b.properties) properties.set(name, [...(properties.get(name) ?? []), ...schemas]);
  return {
    types: bothTypes(a.types, b.types),
    values: bothValues(a, b),
    minimum: Math.max(a.minimum, b.minimum),
    maximum: Math.min(a.maximum, b.maximum),
    minLength: Math.max(a.minLength, b.minLength),
    maxLength: Math.min(a.maxLength, b.maxLength),
    minItems: Math.max(a.minItems, b.minItems),
    maxItems: Math.min(a.maxItems, b.maxItems),
    unique: a.unique || b.unique,
    patterns: [...a.patterns, ...b.patterns],
    formats: [...a.formats, ...b.formats],
    items: [...a.items, ...b.items],
    properties,
    required: new Set([...a.required, ...b.required]),
    additional: [...a.additional, ...b.additional],
    checks: [...a.checks, ...b.checks],
  };
};

/** The first union among `pieces`, and all that must hold beside it. */
export const splitUnion = (
  pieces: readonly JsonSchema[],
): { readonly union: readonly JsonSchema[]; readonly rest: readonly JsonSchema[] } | null => {
  for (const [index, piece] of pieces.entries()) {
    const keyword = ["anyOf", "oneOf"].find((name) => Array.isArray(piece[name]));
    if (keyword === undefined) continue;
    const { [keyword]: branches, ...rest } = piece;
    return { union: schemasIn(branches), rest: pieces.with(index, rest) };
  }
  return null;
};

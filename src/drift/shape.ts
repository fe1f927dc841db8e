import { isObject, type JsonObject, refName } from "./surface.js";

/**
 * What a JSON Schema lets through, in the few forms that a comparison needs: no `allOf`, unions flat, and all strings of
 * a union in one.
 */
export type Shape = AnyShape | RefShape | ScalarShape | ListShape | ObjectShape | UnionShape;

interface AnyShape {
  readonly is: "any" | "never";
}

export interface RefShape {
  readonly is: "ref";
  readonly to: string;
}

export interface ScalarShape {
  readonly is: "scalar";
  readonly type: "boolean" | "integer" | "null" | "number" | "string";
  /** The values that the schema names. */
  readonly values: readonly (boolean | number | string)[];
  /** Whether other values are allowed too. */
  readonly open: boolean;
  /** `format`, `minimum` and their like. */
  readonly limits: JsonObject;
}

export interface ListShape {
  readonly is: "list";
  readonly of: Shape;
  readonly limits: JsonObject;
}

export interface ObjectShape {
  readonly is: "object";
  readonly fields: ReadonlyMap<string, Field>;
  /** What members without a name of their own may hold. */
  readonly rest: Shape;
}

export interface Field {
  readonly shape: Shape;
  readonly required: boolean;
}

export interface UnionShape {
  readonly is: "union";
  readonly of: readonly Shape[];
}

/** The definition of a name; an error when there is none. */
export type Lookup = (name: string) => Shape;

export const anything: Shape = { is: "any" };
const nothing: Shape = { is: "never" };

const limitKeywords = ["format", "maximum", "minimum", "maxLength", "minLength", "multipleOf", "pattern"];
const listLimitKeywords = ["maxItems", "minItems", "uniqueItems"];

const pick = (schema: JsonObject, keywords: readonly string[]): JsonObject =>
  Object.fromEntries(keywords.filter((it) => schema[it] !== undefined).map((it) => [it, schema[it]]));

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const isScalarType = (type: unknown): type is ScalarShape["type"] =>
  type === "boolean" || type === "integer" || type === "null" || type === "number" || type === "string";

const typeOfValue = (value: unknown): ScalarShape["type"] =>
  value === null ? "null" : typeof value === "boolean" ? "boolean" : typeof value === "number" ? "number" : "string";

/** The shape of a schema. `lookup` is asked only where an `allOf` has to be taken apart. */
export function shapeOf(schema: unknown, lookup: Lookup): Shape {
  if (schema === false) return nothing;
  if (!isObject(schema)) return anything;
  const parts: Shape[] = [];
  if (typeof schema["$ref"] === "string") parts.push({ is: "ref", to: refName(schema["$ref"]) });
  parts.push(...listOf(schema["allOf"]).map((it) => shapeOf(it, lookup)));
  for (const keyword of ["anyOf", "oneOf"]) {
    const members = listOf(schema[keyword]);
    if (members.length > 0) parts.push(union(members.map((it) => shapeOf(it, lookup))));
  }
  const own = ownShape(schema, lookup);
  if (own !== null) parts.push(own);
  return parts.reduce((one, other) => both(one, other, lookup), anything);
}

/** What the node says by itself, without its combiners. */
function ownShape(schema: JsonObject, lookup: Lookup): Shape | null {
  if (schema["const"] !== undefined) return valuesShape([schema["const"]], schema);
  if (Array.isArray(schema["enum"])) return valuesShape(schema["enum"], schema);
  const types = Array.isArray(schema["type"]) ? schema["type"] : schema["type"] === undefined ? [] : [schema["type"]];
  const shapes = types.map((type): Shape => {
    if (type === "object") return objectShape(schema, lookup);
    if (type === "array") return listShape(schema, lookup);
    if (!isScalarType(type)) throw new Error(`a type that is not known: ${JSON.stringify(type)}`);
    return { is: "scalar", type, values: [], open: true, limits: type === "null" ? {} : pick(schema, limitKeywords) };
  });
  if (shapes.length > 0) return union(shapes);
  if (isObject(schema["properties"]) || Array.isArray(schema["required"])) return objectShape(schema, lookup);
  return schema["items"] === undefined ? null : listShape(schema, lookup);
}

const valuesShape = (values: readonly unknown[], schema: JsonObject): Shape => {
  const shapes = values.map((value): Shape => {
    const type = typeOfValue(value);
    const plain = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
    if (!plain && value !== null) throw new Error(`a value that is not known: ${JSON.stringify(value)}`);
    return plain
      ? { is: "scalar", type, values: [value], open: false, limits: pick(schema, limitKeywords) }
      : { is: "scalar", type: "null", values: [], open: true, limits: {} };
  });
  return union(shapes);
};

const listShape = (schema: JsonObject, lookup: Lookup): ListShape => {
  const { items } = schema;
  const of = Array.isArray(items) ? union(items.map((it) => shapeOf(it, lookup))) : shapeOf(items, lookup);
  return { is: "list", of, limits: pick(schema, listLimitKeywords) };
};

const objectShape = (schema: JsonObject, lookup: Lookup): ObjectShape => {
  const required = new Set(listOf(schema["required"]));
  const properties = isObject(schema["properties"]) ? Object.entries(schema["properties"]) : [];
  const fields = properties.map(([name, it]): [string, Field] => [
    name,
    { shape: shapeOf(it, lookup), required: required.has(name) },
  ]);
  const unnamed = [...required].filter((name) => typeof name === "string" && !properties.some(([it]) => it === name));
  for (const name of unnamed) fields.push([String(name), { shape: anything, required: true }]);
  return { is: "object", fields: new Map(fields), rest: shapeOf(schema["additionalProperties"], lookup) };
};

/** One of `members`. Strings become one shape, as do the other scalars of one type. */
export function union(members: readonly Shape[]): Shape {
  const flat = members.flatMap((it) => (it.is === "union" ? it.of : [it])).filter((it) => it.is !== "never");
  if (flat.some((it) => it.is === "any")) return anything;
  const merged: Shape[] = [];
  for (const shape of flat) {
    const at = merged.findIndex((it) => it.is === "scalar" && shape.is === "scalar" && it.type === shape.type);
    const before = merged[at];
    if (before?.is === "scalar" && shape.is === "scalar") merged[at] = eitherScalar(before, shape);
    else if (!merged.some((it) => sameByName(it, shape))) merged.push(shape);
  }
  const [only, ...others] = merged;
  if (only === undefined) return nothing;
  return others.length === 0 ? only : { is: "union", of: merged };
}

/** Whether both are the same reference, or lists of it. */
const sameByName = (one: Shape, other: Shape): boolean => {
  if (one.is === "list" && other.is === "list") return sameByName(one.of, other.of);
  return one.is === "ref" && other.is === "ref" && one.to === other.to;
};

const eitherScalar = (one: ScalarShape, other: ScalarShape): ScalarShape => ({
  ...one,
  values: [...new Set([...one.values, ...other.values])],
  open: one.open || other.open,
  limits: JSON.stringify(one.limits) === JSON.stringify(other.limits) ? one.limits : {},
});

/** What both let through. Where they cannot be put in one, the second. */
function both(one: Shape, other: Shape, lookup: Lookup): Shape {
  if (one.is === "any") return other;
  if (other.is === "any") return one;
  if (one.is === "ref") return both(lookup(one.to), other, lookup);
  if (other.is === "ref") return both(one, lookup(other.to), lookup);
  if (one.is === "union") return union(one.of.map((it) => both(it, other, lookup)));
  if (other.is === "union") return union(other.of.map((it) => both(one, it, lookup)));
  return one.is === "object" && other.is === "object" ? bothObjects(one, other) : other;
}

const bothObjects = (one: ObjectShape, other: ObjectShape): ObjectShape => {
  const fields = new Map(one.fields);
  for (const [name, field] of other.fields) {
    const before = fields.get(name);
    const shape = before === undefined || field.shape.is !== "any" ? field.shape : before.shape;
    fields.set(name, { shape, required: field.required || before?.required === true });
  }
  return { is: "object", fields, rest: one.rest.is === "any" ? other.rest : one.rest };
};

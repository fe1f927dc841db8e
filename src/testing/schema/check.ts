import { integerRange, stringFormat } from "./formats.js";
import { asSchema, type Definitions, follow, isObject, type JsonSchema, schemasIn } from "./schema.js";

/**
 * Whether `value` satisfies `schema`. Slow and plain on purpose: what is generated from the same schemas is held
 * against it.
 */
export const satisfies = (value: unknown, schema: JsonSchema, definitions: Definitions): boolean =>
  Object.entries(schema).every(([keyword, argument]) => {
    const rule = rules[keyword];
    if (rule === undefined && !isAnnotation(keyword)) throw new Error(`the keyword "${keyword}" is not known`);
    return rule === undefined || rule(value, argument, schema, definitions);
  });

// `then` and `else` are read with `if`.
const annotations = new Set([
  "contentEncoding",
  "then",
  "else",
  "default",
  "deprecated",
  "description",
  "examples",
  "title",
]);

const isAnnotation = (keyword: string): boolean => annotations.has(keyword) || keyword.startsWith("x-");

type Rule = (value: unknown, argument: unknown, schema: JsonSchema, definitions: Definitions) => boolean;

const hasType = (value: unknown, type: unknown): boolean => {
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isObject(value);
  if (type === "integer") return Number.isInteger(value);
  if (type === "number") return Number.isFinite(value);
  return typeof value === type;
};

/** JSON text with members in order, so that equal values have equal text. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  );

const same = (a: unknown, b: unknown): boolean => canonical(a) === canonical(b);

const number = (value: unknown, test: (value: number) => boolean): boolean => typeof value !== "number" || test(value);
const text = (value: unknown, test: (value: string) => boolean): boolean => typeof value !== "string" || test(value);
const list = (value: unknown, test: (value: readonly unknown[]) => boolean): boolean =>
  !Array.isArray(value) || test(value);
const object = (
  value: unknown,
  test: (names: readonly string[], value: Readonly<Record<string, unknown>>) => boolean,
) => !isObject(value) || test(Object.keys(value), value);

const length = (value: string): number => [...value].length;

const count = (value: unknown, schemas: unknown, definitions: Definitions): number =>
  schemasIn(schemas).filter((schema) => satisfies(value, schema, definitions)).length;

const rules: Readonly<Record<string, Rule>> = {
  $ref: (value, ref, _, definitions) => satisfies(value, follow(ref, definitions), definitions),
  type: (value, type) => [type].flat().some((name) => hasType(value, name)),
  const: (value, wanted) => same(value, wanted),
  enum: (value, wanted) => Array.isArray(wanted) && wanted.some((item) => same(value, item)),
  allOf: (value, schemas, _, definitions) => count(value, schemas, definitions) === schemasIn(schemas).length,
  anyOf: (value, schemas, _, definitions) => count(value, schemas, definitions) > 0,
  oneOf: (value, schemas, _, definitions) => count(value, schemas, definitions) === 1,
  not: (value, schema, _, definitions) => !satisfies(value, asSchema(schema), definitions),
  if: (value, condition, schema, definitions) => {
    const branch = satisfies(value, asSchema(condition), definitions) ? schema["then"] : schema["else"];
    return satisfies(value, asSchema(branch), definitions);
  },
  minimum: (value, limit) => number(value, (it) => it >= Number(limit)),
  maximum: (value, limit) => number(value, (it) => it <= Number(limit)),
  exclusiveMinimum: (value, limit) => number(value, (it) => it > Number(limit)),
  exclusiveMaximum: (value, limit) => number(value, (it) => it < Number(limit)),
  minLength: (value, limit) => text(value, (it) => length(it) >= Number(limit)),
  maxLength: (value, limit) => text(value, (it) => length(it) <= Number(limit)),
  pattern: (value, pattern) => text(value, (it) => new RegExp(String(pattern), "u").test(it)),
  format: (value, name) => {
    const [minimum, maximum] = integerRange[String(name)] ?? [-Infinity, Infinity];
    const pattern = stringFormat[String(name)];
    return (
      number(value, (it) => it >= minimum && it <= maximum) &&
      text(value, (it) => pattern === undefined || pattern.test(it))
    );
  },
  minItems: (value, limit) => list(value, (it) => it.length >= Number(limit)),
  maxItems: (value, limit) => list(value, (it) => it.length <= Number(limit)),
  uniqueItems: (value, wanted) => wanted !== true || list(value, (it) => new Set(it.map(canonical)).size === it.length),
  items: (value, schema, _, definitions) =>
    list(value, (it) => it.every((item) => satisfies(item, asSchema(schema), definitions))),
  minProperties: (value, limit) => object(value, (names) => names.length >= Number(limit)),
  maxProperties: (value, limit) => object(value, (names) => names.length <= Number(limit)),
  required: (value, names) =>
    object(value, (_, it) => Array.isArray(names) && names.every((name) => Object.hasOwn(it, name))),
  properties: (value, schemas, _, definitions) =>
    object(value, (_, it) =>
      Object.entries(isObject(schemas) ? schemas : {}).every(
        ([name, schema]) => !Object.hasOwn(it, name) || satisfies(it[name], asSchema(schema), definitions),
      ),
    ),
  propertyNames: (value, schema, _, definitions) =>
    object(value, (names) => names.every((name) => satisfies(name, asSchema(schema), definitions))),
  dependentRequired: (value, rows) =>
    object(value, (_, it) =>
      Object.entries(isObject(rows) ? rows : {}).every(
        ([name, wanted]) =>
          !Object.hasOwn(it, name) || (Array.isArray(wanted) && wanted.every((other) => Object.hasOwn(it, other))),
      ),
    ),
  additionalProperties: (value, schema, parent, definitions) =>
    object(value, (names, it) => {
      const known = isObject(parent["properties"]) ? parent["properties"] : {};
      const others = names.filter((name) => !Object.hasOwn(known, name));
      return others.every((name) => satisfies(it[name], asSchema(schema), definitions));
    }),
  unevaluatedProperties: (_, argument) => argument === true,
};

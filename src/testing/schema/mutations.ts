import { objectOf } from "./any-json.js";
import { satisfies } from "./check.js";
import { type Flat, flatten, parts, splitUnion } from "./flat.js";
import { asSchema, type Definitions, isObject, type JsonSchema, pointer, type SchemaDocument } from "./schema.js";

/** A valid instance with one fault put in. */
export interface Mutation {
  readonly value: unknown;
  /** JSON pointer of the fault: of the wrong value, of the member too many, of the object that lacks a member. */
  readonly path: string;
  /** What was done, in words. */
  readonly fault: string;
}

/**
 * Every single fault at every position of `instance`, which satisfies the schema. A change that the schema allows, by
 * another branch of a union or by an open object, is no fault and left out.
 */
export const mutationsOf = (document: SchemaDocument, instance: unknown): Mutation[] =>
  changes([document.schema], instance, "", document.definitions).filter(
    ({ value }) => !satisfies(value, document.schema, document.definitions),
  );

const changes = (
  schemas: readonly JsonSchema[],
  value: unknown,
  path: string,
  definitions: Definitions,
): Mutation[] => {
  const pieces = chosen(
    schemas.flatMap((schema) => parts(schema, definitions)),
    value,
    definitions,
  );
  const flat = flatten(pieces, definitions);
  if (flat === null) return [];
  const here = replacements(flat, value).map((it) => ({ value: it.value, path, fault: it.fault }));
  if (Array.isArray(value)) return [...here, ...itemChanges(flat, value, path, definitions)];
  return isObject(value) ? [...here, ...memberChanges(flat, value, path, definitions)] : here;
};

/** What holds for the value: every union replaced by the branch that the value satisfies. */
const chosen = (pieces: readonly JsonSchema[], value: unknown, definitions: Definitions): readonly JsonSchema[] => {
  const split = splitUnion(pieces);
  if (split === null) return pieces;
  const branch = split.union.find((it) => satisfies(value, it, definitions));
  const branches = branch === undefined ? [] : parts(branch, definitions);
  return chosen([...split.rest, ...branches], value, definitions);
};

interface Replacement {
  readonly value: unknown;
  readonly fault: string;
}

const samples: Readonly<Record<string, unknown>> = {
  null: null,
  boolean: true,
  number: 0.5,
  string: "no such value",
  array: [],
  object: {},
};

const replacements = (flat: Flat, value: unknown): Replacement[] => {
  const { types, values } = flat;
  if (types === null && values === null) return [];
  const wrong = Object.entries(samples)
    .filter(([type]) => types === null || !types.has(type))
    .map(([type, sample]) => ({ value: sample, fault: `${type} in place of a value` }));
  const outside = values === null ? [] : [{ value: "no such value", fault: "a value that is not listed" }];
  return [...wrong, ...outside, ...outOfRange(flat, value)];
};

const outOfRange = (flat: Flat, value: unknown): Replacement[] => {
  const found: Replacement[] = [];
  const add = (limit: number, made: () => unknown, fault: string): void => {
    if (Number.isFinite(limit)) found.push({ value: made(), fault: `${fault} ${limit}` });
  };
  if (typeof value === "number") {
    add(flat.minimum, () => below(flat.minimum), "below");
    add(flat.maximum, () => above(flat.maximum), "above");
  }
  if (typeof value === "string") {
    if (flat.minLength > 0) add(flat.minLength, () => "x".repeat(flat.minLength - 1), "shorter than");
    if (flat.maxLength < 10_000) add(flat.maxLength, () => "x".repeat(flat.maxLength + 1), "longer than");
    for (const text of ["", " ", "no scheme", "!"]) {
      if (flat.patterns.length + flat.formats.length > 0)
        found.push({ value: text, fault: `${JSON.stringify(text)} in place of a string` });
    }
  }
  return found;
};

/** The next number that a double can tell from `limit`, a whole one away where it can. */
const above = (limit: number): number => (Math.abs(limit) < 2 ** 53 ? limit + 1 : limit * 2);
const below = (limit: number): number => (Math.abs(limit) < 2 ** 53 ? limit - 1 : limit - Math.abs(limit));

const itemChanges = (flat: Flat, value: readonly unknown[], path: string, definitions: Definitions): Mutation[] => {
  const inside = value.flatMap((item, index) =>
    changes(flat.items, item, pointer(path, index), definitions).map((it) => ({
      ...it,
      value: value.with(index, it.value),
    })),
  );
  const [first] = value;
  const sized: Mutation[] = [];
  if (flat.minItems > 0)
    sized.push({ value: value.slice(0, flat.minItems - 1), path, fault: `fewer than ${flat.minItems} items` });
  if (flat.maxItems < 10_000 && value.length > 0) {
    sized.push({ value: Array(flat.maxItems + 1).fill(first), path, fault: `more than ${flat.maxItems} items` });
  }
  if (flat.unique && value.length > 0) sized.push({ value: [...value, first], path, fault: "an item twice" });
  return [...inside, ...sized];
};

const memberChanges = (
  flat: Flat,
  value: Readonly<Record<string, unknown>>,
  path: string,
  definitions: Definitions,
): Mutation[] => {
  const members = Object.entries(value);
  const inside = members.flatMap(([name, member]) => {
    const schemas = flat.properties.get(name) ?? flat.additional.map(asSchema);
    return changes(schemas, member, pointer(path, name), definitions).map((it) => ({
      ...it,
      value: objectOf(members.map(([key, old]) => [key, key === name ? it.value : old])),
    }));
  });
  const dropped = [...flat.required]
    .filter((name) => Object.hasOwn(value, name))
    .map((name) => ({ value: objectOf(members.filter(([key]) => key !== name)), path, fault: `without ${name}` }));
  const extra = {
    value: objectOf([...members, ["x-extra", 1]]),
    path: pointer(path, "x-extra"),
    fault: "a member too many",
  };
  return [...inside, ...dropped, ...(flat.additional.length > 0 ? [extra] : [])];
};

import fc from "fast-check";
import { anyJson, hostileNames, objectOf } from "./any-json.js";
import { satisfies } from "./check.js";
import { type Flat, flatten, parts, splitUnion } from "./flat.js";
import { height } from "./height.js";
import { integers, numbers } from "./numbers.js";
import { asSchema, type Definitions, type JsonSchema, type SchemaDocument } from "./schema.js";
import { strings } from "./strings.js";

export interface ArbitraryOptions {
  /** References that may be followed before only what is required is made. Default 6. */
  readonly depth?: number;
}

/**
 * Values that satisfy a schema, as `JSON.parse` would make them. Throws for a schema that nothing satisfies. `T` is
 * what the schema's generated type says, which the caller vouches for.
 */
export const arbitraryOf = <T = unknown>(document: SchemaDocument, options: ArbitraryOptions = {}): fc.Arbitrary<T> => {
  const made = new Maker(document.definitions, options.depth ?? 6).of([document.schema], 0);
  if (made === null) throw new Error("nothing satisfies the schema");
  return made.filter((value): value is T => satisfies(value, document.schema, document.definitions));
};

/** Arbitraries of the definitions of one document, by name. */
export const arbitraryFrom =
  (definitions: Definitions, options?: ArbitraryOptions) =>
  <T>(name: string): fc.Arbitrary<T> =>
    arbitraryOf<T>({ schema: { $ref: `#/definitions/${name}` }, definitions }, options);

/** Arbitraries of one definition that is a union told apart by `type`: a branch at a time. */
export const variantOf =
  <Union extends { readonly type: string }>() =>
  (definitions: Definitions, name: string) =>
  <Type extends Union["type"]>(type: Type): fc.Arbitrary<Extract<Union, { type: Type }>> => {
    const branch = { type: "object", properties: { type: { const: type } }, required: ["type"] };
    return arbitraryOf({ schema: { allOf: [{ $ref: `#/definitions/${name}` }, branch] }, definitions });
  };

/** Makes arbitraries; each list of schemas once for each depth, so that their number stays small. */
class Maker {
  readonly #definitions: Definitions;
  readonly #depth: number;
  readonly #known = new Map<string, fc.Arbitrary<unknown> | null>();

  constructor(definitions: Definitions, depth: number) {
    this.#definitions = definitions;
    this.#depth = depth;
  }

  /** Null: nothing satisfies them all. */
  of(schemas: readonly JsonSchema[], depth: number): fc.Arbitrary<unknown> | null {
    const key = `${depth} ${JSON.stringify(schemas)}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const made = this.#make(schemas, depth);
    this.#known.set(key, made);
    return made;
  }

  #make(schemas: readonly JsonSchema[], depth: number): fc.Arbitrary<unknown> | null {
    const flat = flatten(schemas, this.#definitions);
    if (flat === null) return null;
    const split = splitUnion(schemas.flatMap((schema) => parts(schema, this.#definitions)));
    const made = split === null ? this.#plain(flat, depth) : this.#union(split, depth);
    if (made === null || (flat.checks.length === 0 && !flat.additional.includes(false))) return made;
    return made.filter((value) => schemas.every((schema) => satisfies(value, schema, this.#definitions)));
  }

  /** One branch in place of the union; the others are tried in turn. Too deep, the branch that ends soonest. */
  #union({ union, rest }: { union: readonly JsonSchema[]; rest: readonly JsonSchema[] }, depth: number) {
    const deep = depth >= this.#depth;
    const sorted = deep ? [...union].sort((a, b) => this.#height(a) - this.#height(b)) : union;
    const branches: fc.Arbitrary<unknown>[] = [];
    for (const branch of sorted) {
      const made = this.of([...rest, branch], depth + 1);
      if (made !== null) branches.push(made);
      if (deep && branches.length > 0) break;
    }
    return branches.length === 0 ? null : fc.oneof(...branches);
  }

  #height(schema: JsonSchema): number {
    return height(schema, this.#definitions);
  }

  #plain(flat: Flat, depth: number): fc.Arbitrary<unknown> | null {
    if (flat.values !== null) return fc.constantFrom(...flat.values);
    const types = flat.types ?? (describesObject(flat) ? new Set(["object"]) : null);
    if (types === null) return anyJson;
    const made = [...types].map((type) => this.#typed(type, flat, depth)).filter((it) => it !== null);
    return made.length === 0 ? null : fc.oneof(...made);
  }

  #typed(type: string, flat: Flat, depth: number): fc.Arbitrary<unknown> | null {
    if (type === "null") return fc.constant(null);
    if (type === "boolean") return fc.boolean();
    if (type === "string") return strings(flat);
    if (type === "integer") return integers(flat);
    if (type === "number") return numbers(flat);
    if (type === "array") return this.#array(flat, depth);
    if (type === "object") return this.#object(flat, depth);
    throw new Error(`the type "${type}" is not known`);
  }

  #array(flat: Flat, depth: number): fc.Arbitrary<unknown> | null {
    const item = this.of(flat.items.length === 0 ? [{}] : flat.items, depth + 1);
    if (item === null) return flat.minItems > 0 ? null : fc.constant([]);
    const extra = depth < this.#depth ? 2 : 0;
    const bounds = { minLength: flat.minItems, maxLength: Math.min(flat.maxItems, flat.minItems + extra) };
    return flat.unique
      ? fc.uniqueArray(item, { ...bounds, selector: (value) => JSON.stringify(value) })
      : fc.array(item, bounds);
  }

  #object(flat: Flat, depth: number): fc.Arbitrary<unknown> | null {
    const members: fc.Arbitrary<readonly (readonly [string, unknown])[]>[] = [];
    for (const name of new Set([...flat.required, ...flat.properties.keys()])) {
      const required = flat.required.has(name);
      if (!required && depth >= this.#depth) continue;
      const value = this.of(flat.properties.get(name) ?? flat.additional.map(asSchema), depth + 1);
      if (value === null && required) return null;
      if (value === null) continue;
      const member = value.map((it) => [[name, it] as const]);
      members.push(required ? member : fc.oneof(fc.constant([]), member));
    }
    const others = this.#others(flat, depth);
    return fc.tuple(...members, ...(others === null ? [] : [others])).map((parts) => objectOf(parts.flat()));
  }

  /** Members that the schema does not name, where it takes such. */
  #others(flat: Flat, depth: number): fc.Arbitrary<readonly (readonly [string, unknown])[]> | null {
    if (depth >= this.#depth) return null;
    const value = this.of(flat.additional.map(asSchema), depth + 1);
    if (value === null) return null;
    const name = fc
      .oneof(
        fc.constantFrom("x-other", ...hostileNames.filter((it) => !/\p{Surrogate}/u.test(it))),
        fc.string({ maxLength: 6 }),
      )
      .filter((it) => !flat.properties.has(it) && !flat.required.has(it));
    return fc.oneof(
      { weight: 4, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.array(fc.tuple(name, value), { maxLength: 2 }) },
    );
  }
}

const describesObject = (flat: Flat): boolean => flat.properties.size > 0 || flat.required.size > 0;

/** JSON Schema as far as the captures and the contract use it. An unknown keyword makes the readers of this folder throw. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

export type Definitions = Readonly<Record<string, JsonSchema>>;

/** A schema and where its `$ref`s (`#/definitions/Name`) point to. */
export interface SchemaDocument {
  readonly schema: JsonSchema;
  readonly definitions: Definitions;
}

export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A boolean schema as an object one. */
export const asSchema = (schema: unknown): JsonSchema => {
  if (schema === true || schema === undefined) return {};
  if (schema === false) return { not: {} };
  if (isObject(schema)) return schema;
  throw new Error(`no schema: ${JSON.stringify(schema)}`);
};

export const schemasIn = (value: unknown): readonly JsonSchema[] => (Array.isArray(value) ? value.map(asSchema) : []);

/** The definition that a `$ref` names; an error when there is none. */
export const follow = (ref: unknown, definitions: Definitions): JsonSchema => {
  const name = String(ref).replace(/^#\/definitions\//, "");
  const found = Object.hasOwn(definitions, name) ? definitions[name] : undefined;
  if (found === undefined) throw new Error(`no definition for ${ref}`);
  return found;
};

/** Appends a member's name or an item's index to a JSON pointer. */
export const pointer = (path: string, part: string | number): string =>
  `${path}/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`;

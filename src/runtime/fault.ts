import type { Parser, SchemaFault } from "./parse.js";

/** One error of ajv, as far as words are made from it. `params` depends on the keyword. */
export interface SchemaError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** A generated validation function: `errors` tells of its last call. */
export interface Validate {
  (value: unknown): boolean;
  errors?: readonly SchemaError[] | null;
}

/** Keywords whose errors only say that what stands inside them failed. */
const wrappers = new Set(["anyOf", "contains", "if", "oneOf", "propertyNames"]);

/** Errors that exclude a whole branch of a union, rather than find fault inside it. */
const excluding = new Set(["const", "enum", "type"]);

/**
 * The one fault that a host is told of. ajv stops at the first, so that several errors come from the branches of a
 * union: those that lie deepest are of the branch that was meant, and where none goes deeper than the union, all it
 * would have taken is named.
 */
export const faultOf = (errors: readonly SchemaError[]): SchemaFault => {
  const found = errors.filter((error) => !wrappers.has(error.keyword)).map((error) => ({ error, path: pathOf(error) }));
  const depth = Math.max(...found.map(({ path }) => path.split("/").length));
  const deepest = found.filter(({ path }) => path.split("/").length === depth);
  const inside = deepest.find(({ error }) => !excluding.has(error.keyword)) ?? deepest[0];
  if (inside === undefined) return { path: errors[0]?.instancePath ?? "", expected: "a value of another form" };
  if (!excluding.has(inside.error.keyword)) return { path: inside.path, expected: expectedBy(inside.error) };
  const same = deepest.filter(({ path }) => path === inside.path);
  return { path: inside.path, expected: [...new Set(same.map(({ error }) => expectedBy(error)))].join(" or ") };
};

/**
 * A parser over a generated function. The value comes out as it went in, but for members that the draft has a receiver
 * read as absent when they are off schema: those are taken out of it. So the schema vouches for `T`.
 */
export const parser =
  <T>(validate: Validate): Parser<T> =>
  (value) => {
    try {
      if (validate(value)) return { ok: true, value: value as T };
    } catch (error) {
      // Only recursion can throw: JSON nested more deeply than the stack is high.
      if (!(error instanceof RangeError)) throw error;
      return { ok: false, fault: { path: "", expected: "JSON that is nested less deeply" } };
    }
    return { ok: false, fault: faultOf(validate.errors ?? []) };
  };

/** The pointer of what is at fault: a member that must not be there and a wrong tag are faults of their own. */
const pathOf = ({ instancePath, keyword, params }: SchemaError): string => {
  if (keyword === "additionalProperties") return `${instancePath}/${pointerPart(params["additionalProperty"])}`;
  if (keyword === "tagged" && params["given"] !== undefined) return `${instancePath}/${pointerPart(params["tag"])}`;
  return instancePath;
};

const pointerPart = (name: unknown): string => String(name).replaceAll("~", "~0").replaceAll("/", "~1");

const typeWords: Readonly<Record<string, string>> = {
  array: "an array",
  boolean: "a boolean",
  integer: "an integer",
  null: "null",
  number: "a number",
  object: "an object",
  string: "a string",
};

const quote = (value: unknown): string => JSON.stringify(value);

const quoteAll = (values: unknown): string => {
  const list = Array.isArray(values) ? values : [];
  return list.length === 1 ? quote(list[0]) : `one of ${list.map(quote).join(", ")}`;
};

const count = (limit: unknown, unit: string): string => `${limit} ${unit}${limit === 1 ? "" : "s"}`;

const comparisons: Readonly<Record<string, string>> = {
  "<": "less than",
  "<=": "at most",
  ">": "more than",
  ">=": "at least",
};

const bound = ({ params }: SchemaError): string => `${comparisons[String(params["comparison"])]} ${params["limit"]}`;

/** Words by keyword, for what a value would have had to be. */
const words: Readonly<Record<string, (error: SchemaError) => string>> = {
  additionalProperties: () => "no such member",
  const: ({ params }) => quote(params["allowedValue"]),
  enum: ({ params }) => quoteAll(params["allowedValues"]),
  exclusiveMaximum: bound,
  exclusiveMinimum: bound,
  "false schema": () => "nothing",
  format: ({ params }) => (params["format"] === "uri" ? "a URI" : `a ${params["format"]}`),
  maximum: bound,
  maxItems: ({ params }) => `at most ${count(params["limit"], "item")}`,
  maxLength: ({ params }) => `at most ${count(params["limit"], "character")}`,
  maxProperties: ({ params }) => `at most ${count(params["limit"], "member")}`,
  minimum: bound,
  minItems: ({ params }) => `at least ${count(params["limit"], "item")}`,
  minLength: ({ params }) => `at least ${count(params["limit"], "character")}`,
  minProperties: ({ params }) => `at least ${count(params["limit"], "member")}`,
  multipleOf: ({ params }) => `a multiple of ${params["multipleOf"]}`,
  pattern: ({ params }) => `a string that matches ${params["pattern"]}`,
  required: ({ params }) => `the member ${quote(params["missingProperty"])}`,
  tagged: ({ params }) =>
    params["given"] === undefined ? `the member ${quote(params["tag"])}` : quoteAll(params["values"]),
  type: ({ params }) => {
    const types = Array.isArray(params["type"]) ? params["type"] : [params["type"]];
    return types.map((type) => typeWords[String(type)] ?? String(type)).join(" or ");
  },
  uniqueItems: () => "no item twice",
};

const expectedBy = (error: SchemaError): string => words[error.keyword]?.(error) ?? "a value of another form";

/**
 * Unions as they are meant. A union whose branches are told apart by one member becomes the keyword `tagged`, which
 * tries only the branch that the value names, so that a fault is reported where it lies; a union of fixed strings
 * becomes one `enum`, and `null` is set apart from what it stands beside. Any other union is left alone.
 */

import type { Schema } from "../../model/model.js";
import { isSchema } from "./schema.js";

type Resolve = (ref: string) => Schema;

/** The schema of the keyword `tagged`; its schemas stand beside it under `branches`. */
export interface Tagged {
  /** The member that names the branch. */
  readonly tag: string;
  /** Its values, by branch. */
  readonly values: readonly (readonly string[])[];
  /** True when the last of `branches` is for every other value. */
  readonly open: boolean;
}

const unionKeyword = (schema: Schema): "anyOf" | "oneOf" | null => {
  if ("anyOf" in schema === "oneOf" in schema) return null;
  return "anyOf" in schema ? "anyOf" : "oneOf";
};

const branchesOf = (schema: Schema, resolve: Resolve): Schema[] | null => {
  const keyword = unionKeyword(schema);
  const branches = keyword === null ? null : schema[keyword];
  if (!Array.isArray(branches) || !branches.every(isSchema)) return null;
  return branches.map((branch) => followRef(branch, resolve));
};

const followRef = (schema: Schema, resolve: Resolve): Schema => {
  const ref = schema["$ref"];
  return typeof ref === "string" && Object.keys(schema).length === 1 ? followRef(resolve(ref), resolve) : schema;
};

const fixedStrings = (schema: unknown): readonly string[] | null => {
  if (!isSchema(schema)) return null;
  const values = "const" in schema ? [schema["const"]] : schema["enum"];
  return Array.isArray(values) && values.every((value) => typeof value === "string") ? values : null;
};

const members = (schema: Schema): Schema => (isSchema(schema["properties"]) ? schema["properties"] : {});

const requires = (schema: Schema, name: string): boolean =>
  schema["type"] === "object" && Array.isArray(schema["required"]) && schema["required"].includes(name);

const withTag = (branch: Schema, tag: string): readonly string[] | null =>
  requires(branch, tag) ? fixedStrings(members(branch)[tag]) : null;

/** What the `not` of an open branch excludes, where it excludes values of the tag and nothing else. */
const excluded = (branch: Schema, tag: string): ReadonlySet<string> | null => {
  const no = branch["not"];
  const parts = isSchema(no) && Array.isArray(no["anyOf"]) ? no["anyOf"] : [no];
  const values = parts.map((part) => (isSchema(part) && requires(part, tag) ? fixedStrings(members(part)[tag]) : null));
  return values.some((value) => value === null) ? null : new Set(values.flatMap((value) => value ?? []));
};

/** `schema` with its union as `tagged` and `branches`, or `schema` itself. */
export const tagUnion = (schema: Schema, resolve: Resolve): Schema => {
  const keyword = unionKeyword(schema);
  const branches = branchesOf(schema, resolve);
  if (keyword === null || branches === null || branches.length < 2) return schema;
  const [first] = branches;
  for (const tag of Object.keys(first === undefined ? {} : members(first))) {
    const tagged = taggedBy(tag, branches);
    if (tagged === null) continue;
    const { [keyword]: _, ...rest } = schema;
    return { type: "object", ...rest, tagged: tagged.tagged, branches: tagged.branches };
  }
  return schema;
};

const taggedBy = (tag: string, branches: Schema[]): { tagged: Tagged; branches: Schema[] } | null => {
  const closed = branches.filter((branch) => withTag(branch, tag) !== null);
  const others = branches.filter((branch) => withTag(branch, tag) === null);
  const values = closed.map((branch) => withTag(branch, tag) ?? []);
  const all = values.flat();
  if (new Set(all).size !== all.length || others.length > 1) return null;
  const ready = closed.map((branch) => ({ ...branch, properties: { ...members(branch), [tag]: true } }));
  const [other] = others;
  if (other === undefined) return { tagged: { tag, values, open: false }, branches: ready };
  const not = excluded(other, tag);
  const agrees = not !== null && not.size === all.length && all.every((value) => not.has(value));
  if (!agrees || !requires(other, tag)) return null;
  const { not: _, ...open } = other;
  return { tagged: { tag, values, open: true }, branches: [...ready, open] };
};

/** `anyOf` with `null` among its branches: the keyword `orNull` over the others. */
export const nullUnion = (schema: Schema): Schema => {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf)) return schema;
  const others = anyOf.filter((branch) => !(isSchema(branch) && branch["type"] === "null"));
  if (others.length === anyOf.length || others.length === 0) return schema;
  return { ...rest, orNull: others.length === 1 ? others[0] : { anyOf: others } };
};

/** A union of fixed strings as one `enum`; with any string among them, as any string. */
export const collapseStrings = (schema: Schema, resolve: Resolve): Schema => {
  const keyword = unionKeyword(schema);
  const branches = branchesOf(schema, resolve);
  if (keyword === null || branches === null) return schema;
  const plain = branches.filter((branch) => branch["type"] === "string" && Object.keys(branch).length === 1);
  const fixed = branches.filter((branch) => isFixed(branch));
  if (plain.length + fixed.length !== branches.length || (keyword === "oneOf" && plain.length > 0)) return schema;
  const { [keyword]: _, ...rest } = schema;
  if (plain.length > 0) return { ...rest, type: "string" };
  return { ...rest, type: "string", enum: [...new Set(fixed.flatMap((branch) => fixedStrings(branch) ?? []))] };
};

const isFixed = (branch: Schema): boolean =>
  fixedStrings(branch) !== null &&
  Object.keys(branch).every((key) => key === "const" || key === "enum" || key === "type");

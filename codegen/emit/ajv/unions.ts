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

const allOf = (schema: Schema): Schema[] => {
  const parts = schema["allOf"];
  return Array.isArray(parts) ? parts.filter(isSchema) : [];
};

/** What must all hold for a value of this schema: itself and all in its `allOf`, references followed. */
const partsOf = (schema: Schema, resolve: Resolve): Schema[] => {
  const followed = followRef(schema, resolve);
  return [followed, ...allOf(followed).flatMap((part) => partsOf(part, resolve))];
};

/** The schema with `change` made in it and in those of its parts that stand in place. */
const changeParts = (schema: Schema, change: (part: Schema) => Schema): Schema => {
  if ("$ref" in schema) return schema;
  const parts = allOf(schema).map((part) => changeParts(part, change));
  return change(parts.length === 0 ? schema : { ...schema, allOf: parts });
};

const requires = (parts: readonly Schema[], name: string): boolean =>
  parts.some((part) => part["type"] === "object") &&
  parts.some((part) => Array.isArray(part["required"]) && part["required"].includes(name));

/** The values of the tag that the schema's parts allow; of a union among them, those of all its branches. */
const tagValues = (parts: readonly Schema[], tag: string, resolve: Resolve): readonly string[] | null => {
  const own = parts.map((part) => fixedStrings(members(part)[tag])).find((values) => values !== null);
  if (own !== undefined && requires(parts, tag)) return own ?? null;
  for (const part of parts) {
    const branches = branchesOf(part, resolve) ?? [];
    const values = branches.map((branch) => tagValues(partsOf(branch, resolve), tag, resolve));
    if (values.length > 0 && values.every((value) => value !== null))
      return [...new Set(values.flatMap((it) => it ?? []))];
  }
  return null;
};

/** What the `not` of an open branch excludes, where it excludes values of the tag and nothing else. */
const excluded = (parts: readonly Schema[], tag: string, resolve: Resolve): ReadonlySet<string> | null => {
  const [not, ...others] = parts.flatMap((part) => (isSchema(part["not"]) ? [part["not"]] : []));
  if (not === undefined || others.length > 0) return null;
  const cases = Array.isArray(not["anyOf"]) ? not["anyOf"] : [not];
  const values = cases.map((part) => (isSchema(part) ? tagValues([part], tag, resolve) : null));
  return values.some((value) => value === null) ? null : new Set(values.flatMap((value) => value ?? []));
};

/** `schema` with its union as `tagged` and `branches`, or `schema` itself. */
export const tagUnion = (schema: Schema, resolve: Resolve): Schema => {
  const keyword = unionKeyword(schema);
  const branches = branchesOf(schema, resolve);
  if (keyword === null || branches === null || branches.length < 2) return schema;
  const parts = branches.map((branch) => partsOf(branch, resolve));
  for (const tag of new Set(parts.flat().flatMap((part) => Object.keys(members(part))))) {
    const tagged = taggedBy(tag, branches, parts, resolve);
    if (tagged === null) continue;
    const { [keyword]: _, ...rest } = schema;
    return { type: "object", ...rest, tagged: tagged.tagged, branches: tagged.branches };
  }
  return schema;
};

const taggedBy = (
  tag: string,
  branches: readonly Schema[],
  parts: readonly (readonly Schema[])[],
  resolve: Resolve,
): { tagged: Tagged; branches: Schema[] } | null => {
  const found = branches.map((branch, index) => {
    const own = parts[index] ?? [];
    return { branch, own, values: tagValues(own, tag, resolve) };
  });
  const closed = found.filter(({ values }) => values !== null);
  const [other, ...others] = found.filter(({ values }) => values === null);
  const values = closed.map((it) => it.values ?? []);
  const all = values.flat();
  if (new Set(all).size !== all.length || closed.length === 0 || others.length > 0) return null;
  const ready = closed.map(({ branch }) => changeParts(branch, (part) => withoutTag(part, tag)));
  if (other === undefined) return { tagged: { tag, values, open: false }, branches: ready };
  const not = excluded(other.own, tag, resolve);
  const agrees = not !== null && not.size === all.length && all.every((value) => not.has(value));
  if (!agrees || !requires(other.own, tag)) return null;
  const open = changeParts(other.branch, ({ not: _, ...part }) => part);
  return { tagged: { tag, values, open: true }, branches: [...ready, open] };
};

/** The keyword itself has looked at the tag; its name must stay, for `additionalProperties`. */
const withoutTag = (part: Schema, tag: string): Schema =>
  tag in members(part) ? { ...part, properties: { ...members(part), [tag]: true } } : part;

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

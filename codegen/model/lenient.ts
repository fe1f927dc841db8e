import { isObject } from "../json.js";
import type { Schema } from "./model.js";
import { refName, refTo } from "./names.js";
import { eachSchema, lenient, mapSchema } from "./walk.js";

const onError = "x-deserialize-default-on-error";
const onNull = "x-deserialize-default-on-null";

/** The name of the variant of a definition that a host's input is held to. */
export const lenientName = (name: string): string => `${name}.lenient`;

/** The definitions that hold a place which ACP relaxes, or refer to one that does. */
export const relaxedNames = (definitions: ReadonlyMap<string, Schema>): Set<string> => {
  const relaxed = new Set<string>();
  const referrers = new Map<string, string[]>();
  for (const [name, schema] of definitions) {
    eachSchema(schema, (node) => {
      if (node[onError] === true || node[onNull] === true) relaxed.add(name);
      const target = refName(node);
      if (target !== null) referrers.set(target, [...(referrers.get(target) ?? []), name]);
    });
  }
  // A set also visits what is added to it on the way.
  for (const name of relaxed) for (const referrer of referrers.get(name) ?? []) relaxed.add(referrer);
  return relaxed;
};

/**
 * A schema as the draft has a receiver read it: a place marked default-on-error takes anything, one marked
 * default-on-null also null; `$ref`s to definitions in `relaxed` go to their lenient variants.
 */
export const lenientSchema = (schema: Schema, relaxed: ReadonlySet<string>): Schema =>
  mapSchema(schema, (node) => {
    const target = refName(node);
    if (target !== null) return relaxed.has(target) ? refTo(lenientName(target)) : node;
    const { description, ...rest } = withoutMarks(node);
    const about = typeof description === "string" ? { description } : {};
    const wanted: Schema = node[onNull] === true ? { anyOf: [rest, { type: "null" }] } : rest;
    if (node[onError] === true) return { ...about, [lenient]: wanted };
    return { ...about, ...wanted };
  });

/** A schema without ACP's marks. */
export const strictSchema = (schema: Schema): Schema => mapSchema(schema, withoutMarks);

const withoutMarks = (node: Schema): Schema =>
  Object.fromEntries(Object.entries(node).filter(([keyword]) => !keyword.startsWith("x-") || keyword === lenient));

/**
 * The schema of a `_meta` from the schema of its carrier. Strict: that, or null. Lenient: what is no object is accepted
 * (it counts as absent), an object must satisfy the carrier's keys, and a fault in it keeps its path.
 */
export const metaSchema = (name: string, carrier: Schema, isLenient: boolean): Schema => {
  const wanted = { anyOf: [refTo(name), { type: "null" }] };
  if (!isLenient) return wanted;
  const { type, description, ...members } = carrier;
  return { ...(typeof description === "string" ? { description } : {}), ...members, [lenient]: wanted };
};

/** `schema` with `meta` as its property `_meta`: in every member of a union, in every part of an `allOf` that has one. */
export const withMeta = (schema: Schema, meta: Schema, resolve: (name: string) => Schema): Schema => {
  const target = refName(schema);
  if (target !== null) return withMeta(resolve(target), meta, resolve);
  for (const keyword of ["anyOf", "oneOf"] as const) {
    const members = schema[keyword];
    if (Array.isArray(members))
      return { ...schema, [keyword]: members.map((it) => (isObject(it) ? withMeta(it, meta, resolve) : it)) };
  }
  if (Array.isArray(schema["allOf"])) {
    const parts = schema["allOf"].filter(isObject);
    if (!parts.some((it) => hasMeta(it, resolve))) return { ...schema, allOf: [...parts, metaOnly(meta)] };
    return { ...schema, allOf: parts.map((it) => (hasMeta(it, resolve) ? withMeta(it, meta, resolve) : it)) };
  }
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  return { ...schema, properties: { ...properties, _meta: meta } };
};

const metaOnly = (meta: Schema): Schema => ({ type: "object", properties: { _meta: meta } });

const hasMeta = (schema: Schema, resolve: (name: string) => Schema): boolean => {
  const target = refName(schema);
  if (target !== null) return hasMeta(resolve(target), resolve);
  if (isObject(schema["properties"]) && "_meta" in schema["properties"]) return true;
  return ["allOf", "anyOf", "oneOf"].some((keyword) => {
    const parts = schema[keyword];
    return Array.isArray(parts) && parts.some((it) => isObject(it) && hasMeta(it, resolve));
  });
};

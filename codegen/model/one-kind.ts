import { isObject, type JsonObject } from "../json.js";

const combiners = ["allOf", "anyOf", "oneOf"] as const;

/** Keywords that say something about a schema and constrain nothing. */
const isAnnotation = (keyword: string): boolean =>
  ["default", "deprecated", "description", "examples"].includes(keyword) || keyword.startsWith("x-");

/**
 * A node that constrains by itself and also by `allOf`, `anyOf` or `oneOf` becomes a node of one kind. The type compiler
 * would print the two halves as `Name` and `Name1`. A union takes the node's own properties into each member, so that
 * every member is complete; whatever cannot be merged is written as an `allOf`. Means the same before and after.
 */
export const oneKind = (node: JsonObject): JsonObject => {
  const used = combiners.filter((keyword) => Array.isArray(node[keyword]));
  const annotations = pick(node, isAnnotation);
  const own = pick(node, (keyword) => !isAnnotation(keyword) && !used.some((it) => it === keyword));
  const hasOwn = Object.keys(own).length > 0;
  if (used.length === 0 || (used.length === 1 && !hasOwn)) return node;
  const [union] = used;
  if (used.length === 1 && union !== undefined && union !== "allOf" && isOpenObject(own)) {
    return { ...annotations, [union]: listOf(node[union]).map((member) => into(own, member)) };
  }
  const parts = used.flatMap((keyword) =>
    keyword === "allOf" ? listOf(node[keyword]) : [{ [keyword]: node[keyword] }],
  );
  return { ...annotations, allOf: hasOwn ? [...parts, own] : parts };
};

const pick = (node: JsonObject, wanted: (keyword: string) => boolean): JsonObject =>
  Object.fromEntries(Object.entries(node).filter(([keyword]) => wanted(keyword)));

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const objectKeywords = new Set(["type", "properties", "required"]);

/** An object schema that says nothing about members it does not name. */
const isOpenObject = (schema: JsonObject): boolean =>
  (schema["type"] === "object" || (schema["type"] === undefined && isObject(schema["properties"]))) &&
  Object.keys(schema).every((keyword) => objectKeywords.has(keyword) || isAnnotation(keyword));

/** `own` and a member of its union in one schema. */
const into = (own: JsonObject, member: unknown): unknown => {
  if (member === false) return false;
  if (!isObject(member)) return own;
  const ownProperties = isObject(own["properties"]) ? own["properties"] : {};
  const properties = isObject(member["properties"]) ? member["properties"] : {};
  const shared = Object.keys(properties).some((name) => name in ownProperties);
  const { not, ...rest } = member;
  if (shared || !isOpenObject(rest)) return { ...pick(member, isAnnotation), allOf: [...membersOf(member), own] };
  const required = [...new Set([...listOf(own["required"]), ...listOf(member["required"])])];
  return {
    ...member,
    ...("type" in own || "type" in member ? { type: "object" } : {}),
    properties: { ...ownProperties, ...properties },
    ...(required.length > 0 ? { required } : {}),
  };
};

const membersOf = (member: JsonObject): unknown[] => {
  const bare = pick(member, (keyword) => !isAnnotation(keyword));
  return Object.keys(bare).length === 1 && Array.isArray(bare["allOf"]) ? bare["allOf"] : [bare];
};

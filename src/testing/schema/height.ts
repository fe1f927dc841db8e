import { asSchema, type Definitions, follow, isObject, type JsonSchema, schemasIn } from "./schema.js";

/** How many references the smallest value of a schema needs; infinite while it leads back to itself. */
export const height = (schema: JsonSchema, definitions: Definitions, open: readonly string[] = []): number => {
  const below = (part: JsonSchema): number => height(part, definitions, open);
  const ref = schema["$ref"];
  const referred =
    typeof ref !== "string"
      ? 0
      : open.includes(ref)
        ? Infinity
        : 1 + height(follow(ref, definitions), definitions, [...open, ref]);
  const all = schemasIn(schema["allOf"]).map(below);
  const unions = [schema["anyOf"], schema["oneOf"]]
    .filter(Array.isArray)
    .map((branches) => Math.min(...schemasIn(branches).map(below)));
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  const required = Array.isArray(schema["required"]) ? schema["required"].map(String) : [];
  const members = required
    .filter((name) => Object.hasOwn(properties, name))
    .map((name) => below(asSchema(properties[name])));
  const items = Number(schema["minItems"] ?? 0) > 0 ? [below(asSchema(schema["items"]))] : [];
  return Math.max(0, referred, ...all, ...unions, ...members, ...items);
};

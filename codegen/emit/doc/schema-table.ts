import { isObject } from "../../json.js";
import type { Model, Schema } from "../../model/model.js";
import { refName, refTo } from "../../model/names.js";
import { mapSchema } from "../../model/walk.js";
import { anchor, code, firstParagraph, json, link, table } from "./markdown.js";

/** True for the contract's own definitions; those of the captures are `acp.Name`, `codex.Name`, `….lenient`. */
const isOwn = (name: string): boolean => !name.includes(".");

/** How this page calls a definition that is not its own: ACP's by its name, Codex's as `codex:Name`. */
const foreignName = (name: string): string =>
  name
    .replace(/\.lenient$/, "")
    .replace(/^acp\./, "")
    .replace(/^codex\./, "codex:");

/** A definition as its protocol states it: how the bridge reads it leniently is not what a host should send. */
export const definition = (model: Model, name: string): Schema | undefined => {
  const [, prefix, base] = /^(acp|codex)\.([^.]+)/.exec(name) ?? [];
  if (base === undefined) return model.contract.definitions.get(name);
  const found = (prefix === "acp" ? model.acp : model.codex).definitions.get(base);
  return found && mapSchema(found, (node) => (refName(node) === null ? node : refTo(`${prefix}.${refName(node)}`)));
};

/** Schemas that describe one value together: the node itself, what it refers to, and its `allOf` parts. */
const parts = (model: Model, schema: Schema, seen: readonly string[] = []): Schema[] => {
  const name = refName(schema);
  if (name !== null) {
    const target = definition(model, name);
    return target === undefined || seen.includes(name) ? [] : parts(model, target, [...seen, name]);
  }
  const all = Array.isArray(schema["allOf"]) ? schema["allOf"].filter(isObject) : [];
  return [schema, ...all.flatMap((part) => parts(model, part, seen))];
};

const unionOf = (schema: Schema): Schema[] | null => {
  const members = schema["anyOf"] ?? schema["oneOf"];
  return Array.isArray(members) ? members.filter(isObject) : null;
};

/** A schema as a short type, in the notation of TypeScript. Names of this contract's own types are links. */
export const typeText = (model: Model, schema: Schema): string => {
  const name = refName(schema);
  if (name !== null) return isOwn(name) ? link(code(name), anchor("type", name)) : code(foreignName(name));
  if ("const" in schema) return json(schema["const"]);
  if (Array.isArray(schema["enum"])) return schema["enum"].map(json).join(" or ");
  const union = unionOf(schema);
  if (union !== null) return [...new Set(union.map((member) => typeText(model, member)))].join(" or ");
  const all = schema["allOf"];
  if (Array.isArray(all))
    return all
      .filter(isObject)
      .map((part) => typeText(model, part))
      .join(" and ");
  const types = Array.isArray(schema["type"]) ? schema["type"] : [schema["type"]];
  return types.map((type) => plainType(model, schema, type)).join(" or ");
};

const plainType = (model: Model, schema: Schema, type: unknown): string => {
  if (type === "array") return isObject(schema["items"]) ? `array of ${typeText(model, schema["items"])}` : "array";
  if (type === "object") {
    const values = schema["additionalProperties"];
    return isObject(values) && schema["properties"] === undefined ? `map to ${typeText(model, values)}` : "object";
  }
  return typeof type === "string" ? type : "any JSON value";
};

const limits: readonly (readonly [string, string])[] = [
  ["minimum", "at least"],
  ["exclusiveMinimum", "more than"],
  ["maximum", "at most"],
  ["minLength", "length at least"],
  ["maxLength", "length at most"],
  ["minItems", "items at least"],
  ["maxItems", "items at most"],
  ["pattern", "matches"],
];

/** Bounds that the schema sets, in words. */
const bounds = (schema: Schema): string => {
  const found = limits.flatMap(([keyword, words]) =>
    keyword in schema ? [`${words} ${code(String(schema[keyword]))}`] : [],
  );
  return found.length === 0 ? "" : ` (${found.join(", ")})`;
};

interface Member {
  readonly name: string;
  readonly schema: Schema;
  readonly required: boolean;
}

export const members = (model: Model, schema: Schema): Member[] => {
  const all = parts(model, schema);
  const required = new Set(all.flatMap((part) => (Array.isArray(part["required"]) ? part["required"] : [])));
  const found = new Map<string, Schema>();
  for (const part of all) {
    if (!isObject(part["properties"])) continue;
    for (const [name, member] of Object.entries(part["properties"])) if (isObject(member)) found.set(name, member);
  }
  // What may stand in `_meta` is told by carrier.
  found.delete("_meta");
  return [...found].map(([name, member]) => ({ name, schema: member, required: required.has(name) }));
};

const memberRow = (model: Model, { name, schema, required }: Member): string[] => [
  code(name),
  typeText(model, schema) + bounds(schema),
  required ? "yes" : "no",
  "default" in schema ? json(schema["default"]) : "",
  firstParagraph(schema["description"]),
];

/** The members of an object schema, the alternatives of a union, or one line for anything else. */
export const schemaTable = (model: Model, schema: Schema): string => {
  const found = members(model, schema);
  const common =
    found.length === 0
      ? ""
      : table(
          ["Member", "Type", "Required", "Default", "Meaning"],
          found.map((member) => memberRow(model, member)),
        );
  const unions = parts(model, schema).flatMap((part) => unionOf(part) ?? []);
  const alternatives = unions
    .filter((member) => member["type"] !== "null")
    .map(
      (member) =>
        `One of: ${firstParagraph(member["description"]) || typeText(model, member)}\n\n${alternative(model, member)}`,
    );
  if (common === "" && alternatives.length === 0) return plain(model, schema);
  return common + alternatives.join("");
};

const alternative = (model: Model, schema: Schema): string => {
  const name = refName(schema);
  if (name !== null && isOwn(name)) return `See ${link(code(name), anchor("type", name))}.\n\n`;
  const found = members(model, schema);
  if (found.length === 0) return "";
  return table(
    ["Member", "Type", "Required", "Default", "Meaning"],
    found.map((member) => memberRow(model, member)),
  );
};

const plain = (model: Model, schema: Schema): string => {
  const [only] = parts(model, schema);
  if (only === undefined) return "";
  const text = typeText(model, only);
  return text === "object" ? "No members of its own.\n\n" : `${text}${bounds(only)}\n\n`;
};

/** Names of this contract's own definitions that `names` lead to, in order of discovery. */
export const ownDefinitions = (model: Model, names: readonly string[]): string[] => {
  const found = new Set<string>();
  const visited = new Set<string>();
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    if (!isObject(value)) return;
    const name = refName(value);
    if (name === null) Object.values(value).forEach(visit);
    else enter(name);
  };
  const enter = (name: string): void => {
    if (visited.has(name) || !isOwn(name)) return;
    visited.add(name);
    if (!names.includes(name)) found.add(name);
    visit(definition(model, name));
  };
  names.forEach(enter);
  return [...found];
};

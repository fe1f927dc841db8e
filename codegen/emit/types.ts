import { compile } from "json-schema-to-typescript";
import { isObject } from "../json.js";
import type { Emitter, Schema } from "../model/model.js";
import { planTypeNames, refName, refTo } from "../model/names.js";
import { eachSchema, lenient, mapSchema } from "../model/walk.js";
import { header } from "./text.js";

const external = /^(acp|codex)\.([^.]+)(?:\.lenient)?$/;

/** A definition of another generated file, as the type that stands for it here: `acp.ContentBlock`. */
export const externalType = (name: string): string | null => {
  const [, file, type] = external.exec(name) ?? [];
  return file === undefined || type === undefined ? null : `${file}.${type}`;
};

/**
 * TypeScript types of `definitions`, one exported type each, and an interface `index` that maps every definition's name
 * to its type. All are compiled as parts of that one interface, so that each is printed once and under its own name.
 * Objects are closed where the schema does not say that they take other members.
 */
export const compileTypes = async (
  index: string,
  doc: string,
  definitions: ReadonlyMap<string, Schema>,
): Promise<string> => {
  const plan = planTypeNames(definitions.keys());
  const declared = (name: string): string => plan.get(name)?.declared ?? name;
  const prepare = (schema: Schema): Schema => mapSchema(schema, (node) => prepareNode(node, declared));
  const text = await compile(
    {
      title: index,
      description: doc,
      type: "object" as const,
      properties: Object.fromEntries([...definitions.keys()].map((name) => [name, refTo(declared(name))])),
      required: [...definitions.keys()],
      definitions: Object.fromEntries([...definitions].map(([name, schema]) => [declared(name), prepare(schema)])),
    },
    index,
    { bannerComment: "", additionalProperties: false, ignoreMinAndMaxItems: true },
  );
  const aliases = [...plan.values()]
    .filter((it) => it.exported !== it.declared)
    .map((it) => `export type ${it.exported} = ${it.declared};\n`);
  return text + aliases.join("");
};

/** A node as the type compiler is to see it; always a new one, since the compiler writes into what it is given. */
const prepareNode = (node: Schema, declared: (name: string) => string): Schema => {
  const name = refName(node);
  if (name !== null) {
    const tsType = externalType(name);
    return tsType === null ? refTo(declared(name)) : { tsType };
  }
  const { [lenient]: wanted, ...rest } = node;
  if (isObject(wanted)) {
    return typeof node["description"] === "string" ? { description: node["description"], allOf: [wanted] } : wanted;
  }
  // Printed as `{}` it would take anything.
  if (node["additionalProperties"] === false && node["properties"] === undefined) {
    return { ...rest, tsType: "Record<string, never>" };
  }
  if (!Object.keys(rest).some((keyword) => shaping.has(keyword))) return { ...rest, tsType: "unknown" };
  return rest;
};

/** Keywords that say what a value looks like. The compiler takes a schema without any of them for an object. */
const shaping = new Set([
  "additionalProperties",
  "allOf",
  "anyOf",
  "const",
  "enum",
  "items",
  "oneOf",
  "patternProperties",
  "properties",
  "required",
  "type",
]);

/** `src/generated/{codex,acp,contract}/types.ts`. */
export const emitTypes: Emitter = async (model) => {
  const own = new Map([...model.contract.definitions].filter(([name]) => !name.includes(".")));
  return [
    {
      path: "src/generated/codex/types.ts",
      text:
        header("schemas/codex") +
        (await compileTypes("CodexDefinitions", "Codex's definitions by name.", model.codex.definitions)),
    },
    {
      path: "src/generated/acp/types.ts",
      text:
        header("schemas/acp/schema.unstable.json") +
        (await compileTypes("AcpDefinitions", "ACP's definitions by name.", model.acp.definitions)),
    },
    {
      path: "src/generated/contract/types.ts",
      text:
        header("schemas/contract, schemas/acp and schemas/codex") +
        importsOf(own) +
        (await compileTypes("ContractDefinitions", "The contract's definitions by name.", own)),
    },
  ];
};

/** Imports of the files that `definitions` refer to. */
const importsOf = (definitions: ReadonlyMap<string, Schema>): string => {
  const files = new Set<string>();
  for (const schema of definitions.values()) {
    eachSchema(schema, (node) => {
      const file = externalType(refName(node) ?? "")?.split(".")[0];
      if (file !== undefined) files.add(file);
    });
  }
  const lines = [...files].sort().map((file) => `import type * as ${file} from "../${file}/types.js";\n`);
  return lines.length === 0 ? "" : `${lines.join("")}\n`;
};

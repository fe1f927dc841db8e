import { compile } from "json-schema-to-typescript";
import type { Emitter, Schema } from "../model/model.js";
import { planTypeNames, refName, refTo } from "../model/names.js";
import { mapSchema } from "../model/walk.js";
import { header } from "./text.js";

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
  const rename = (schema: Schema): Schema =>
    mapSchema(schema, (node) => {
      const name = refName(node);
      return name === null ? { ...node } : refTo(declared(name));
    });
  const text = await compile(
    {
      title: index,
      description: doc,
      type: "object" as const,
      properties: Object.fromEntries([...definitions.keys()].map((name) => [name, refTo(declared(name))])),
      required: [...definitions.keys()],
      definitions: Object.fromEntries([...definitions].map(([name, schema]) => [declared(name), rename(schema)])),
    },
    index,
    { bannerComment: "", additionalProperties: false, ignoreMinAndMaxItems: true },
  );
  const aliases = [...plan.values()]
    .filter((it) => it.exported !== it.declared)
    .map((it) => `export type ${it.exported} = ${it.declared};\n`);
  return text + aliases.join("");
};

/** `src/generated/{codex,acp}/types.ts`. */
export const emitTypes: Emitter = async (model) => [
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
];

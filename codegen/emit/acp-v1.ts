/**
 * `src/generated/acp-v1`: what the projection to version 1 of ACP stands on. Types and descriptors of the methods that
 * are served, parsers for what a host says in another form than draft v2 has, and the tables of acp-v1.json by which
 * code is held to be complete.
 */

import { becomes, reachableV1 } from "../model/acp-v1.js";
import type { AcpV1Row } from "../model/contract-acp-v1.js";
import { lenientName, lenientSchema, relaxedNames, strictSchema } from "../model/lenient.js";
import type { AcpV1Method, Emitter, GeneratedFile, Model, Schema } from "../model/model.js";
import { validationFile } from "./ajv/module.js";
import { resolveIn } from "./ajv/resolve.js";
import { docComment, header, importType, literal, memberName } from "./text.js";
import { compileTypes } from "./types.js";

const folder = "src/generated/acp-v1";
const captured = "schemas/acp/v1.schema.unstable.json";
const sources = `schemas/contract/acp-v1.json and ${captured}`;

/** What hosts of version 1 and this agent say to each other, but for what is the same in both versions and needs no type. */
const served = ({ contract, acpV1 }: Model): AcpV1Method[] => {
  const reached = new Set(contract.acpV1.methods.flatMap(becomes));
  return acpV1.methods.filter(({ method, side }) => reached.has(method) && side !== "protocol");
};

/** The rows whose members differ between the versions. */
const isTranslated = ({ is }: AcpV1Row): boolean => is === "reshaped" || is === "renamed";

/** Methods of a host that must be translated, with the method of this contract that each becomes. */
const translations = (model: Model): { readonly method: AcpV1Method; readonly to: string }[] =>
  model.contract.acpV1.methods.filter(isTranslated).flatMap((row) => {
    const to = model.contract.methods.methods.find(({ method }) => method === row.name);
    if (to === undefined || to.direction !== "host-to-agent") return [];
    return served(model)
      .filter(({ method, side }) => side === "agent" && becomes(row).includes(method))
      .map((method) => ({ method, to: to.name }));
  });

const descriptors = (name: string, doc: string, methods: readonly AcpV1Method[]): string => {
  const rows = methods.map(({ key, method, params, result }) => {
    const call = result === null ? `notification<${params}>` : `request<${params}, ${result}>`;
    return `  ${memberName(key)}: ${call}(${JSON.stringify(method)}),\n`;
  });
  return `\n/** ${doc} */\nexport const ${name} = {\n${rows.join("")}} as const;\n`;
};

const methodsFile = (model: Model): GeneratedFile => {
  const all = served(model);
  const of = (side: string, request: boolean): AcpV1Method[] =>
    all.filter((it) => it.side === side && (it.result !== null) === request);
  const rows = model.contract.acpV1.methods;
  const same = rows.filter(({ is }) => is === "same").map(({ name }) => name);
  const names = all.flatMap(({ params, result }) => (result === null ? [params] : [params, result]));
  const entries = translations(model).map(({ method, to }) => [method.key, to]);
  return {
    path: `${folder}/methods.ts`,
    text: [
      header(sources),
      `import { notification, request } from "../../runtime/index.js";\n`,
      importType(names, "./types.js"),
      descriptors("hostRequests", "What a host of version 1 asks of the agent.", of("agent", true)),
      descriptors("hostNotifications", "What a host of version 1 tells the agent.", of("agent", false)),
      descriptors("agentRequests", "What the agent asks of a host of version 1.", of("client", true)),
      descriptors("agentNotifications", "What the agent tells a host of version 1.", of("client", false)),
      "\n/** The requests that must be translated, with the request of the contract that each becomes. */\n",
      `export const translated = ${literal(Object.fromEntries(entries))} as const;\n`,
      "\n/** The methods that are the same in both versions, on the wire. */\n",
      `export const sameMethods: ReadonlySet<string> = new Set(${literal(same)});\n`,
    ].join(""),
  };
};

const updatesFile = (model: Model): GeneratedFile => {
  const { updates } = model.contract.acpV1;
  const kept = updates.filter(({ is }) => is === "same");
  const always = kept.filter(({ when }) => when === undefined).map(({ name }) => name);
  const asked = kept.flatMap(({ name, when }) => (when === undefined ? [] : [[name, when.split(".")]]));
  const union = (names: readonly string[]): string => names.map((it) => JSON.stringify(it)).join(" | ");
  return {
    path: `${folder}/updates.ts`,
    text: [
      header(sources),
      docComment("The kinds of update that are the same in both versions."),
      `export type SameUpdate = ${union(always)};\n\n`,
      docComment("The kinds that are the same, but only for a host with the client capability at this path."),
      `export const capabilityOf = ${literal(Object.fromEntries(asked))} as const;\n\n`,
      docComment("The kinds that version 1 has no place for."),
      `export type LeftOut = ${union(updates.filter(({ is }) => is === "left-out").map(({ name }) => name))};\n`,
    ].join(""),
  };
};

/** Lenient and strict definitions in one set, as the contract's are. */
const readDefinitions = (definitions: ReadonlyMap<string, Schema>): Map<string, Schema> => {
  const relaxed = relaxedNames(definitions);
  return new Map(
    [...definitions].flatMap(([name, schema]): [string, Schema][] => [
      [name, strictSchema(schema)],
      ...(relaxed.has(name) ? [[lenientName(name), lenientSchema(schema, relaxed)] as [string, Schema]] : []),
    ]),
  );
};

const parserFiles = (model: Model): GeneratedFile[] => {
  const definitions = readDefinitions(model.acpV1.definitions);
  const rows = translations(model).map(({ method }) => method);
  const codeOf = ({ params }: AcpV1Method): string =>
    definitions.has(lenientName(params)) ? lenientName(params) : params;
  // A definition is exported under its name, which a lenient one's is not as an identifier.
  const aliases = new Map(rows.map((row) => [row.params, definitions.get(codeOf(row)) ?? {}]));
  const resolve = resolveIn(
    new Map([...definitions, ...[...aliases].map(([name, it]) => [`${name}Params`, it] as const)]),
  );
  const members = rows.map((row) => `  ${row.key}: parser<${row.params}>(code.${row.params}Params),\n`);
  return [
    {
      path: `${folder}/parsers.ts`,
      text: [
        header(captured),
        `import { parser } from "../../runtime/index.js";\n`,
        `import * as code from "./parsers-code.js";\n`,
        importType(
          rows.map(({ params }) => params),
          "./types.js",
        ),
        `\n/** The params of what a host of version 1 asks, where they are translated. */\n`,
        `export const parsers = {\n${members.join("")}} as const;\n`,
      ].join(""),
    },
    validationFile(
      `${folder}/parsers-code.ts`,
      captured,
      rows.map(({ params }) => `${params}Params`),
      resolve,
    ),
  ];
};

export const emitAcpV1: Emitter = async (model) => {
  const roots = served(model).flatMap(({ params, result }) => (result === null ? [params] : [params, result]));
  if (roots.length === 0) return [];
  const types = await compileTypes(
    "AcpV1Definitions",
    "Definitions of ACP version 1 by name.",
    reachableV1(roots, model.acpV1),
  );
  return [
    { path: `${folder}/types.ts`, text: header(captured) + types },
    methodsFile(model),
    updatesFile(model),
    ...parserFiles(model),
  ];
};

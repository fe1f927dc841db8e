/**
 * Validators for what production does not check: both directions of the Codex side, and what the agent sends a host.
 * Tests hold every frame against them; a client of `/codex` may load them. The functions stand in a module for each
 * direction, where definitions are shared, and are loaded on demand.
 */

import type { MethodRow } from "../model/contract.js";
import type { CodexMethod, GeneratedFile, Model } from "../model/model.js";
import { planTypeNames } from "../model/names.js";
import { validationFile } from "./ajv/module.js";
import { resolveIn } from "./ajv/resolve.js";
import { paramsType, resultType } from "./contract-methods.js";
import { docComment, header, importType } from "./text.js";

/** One method of a table: its type, and the text of its parser. */
interface Entry {
  readonly method: string;
  readonly type: string;
  readonly parser: string;
}

interface Table {
  /** The member of the loaded validators, and the interface of its types. */
  readonly name: string;
  readonly types: string;
  readonly doc: string;
  readonly entries: readonly Entry[];
}

const typesInterface = ({ types, doc, entries }: Table): string => {
  const members = entries.map(({ method, type }) => `  ${JSON.stringify(method)}: ${type};\n`);
  return `${docComment(`${doc} Types by method.`)}export interface ${types} {\n${members.join("")}}\n\n`;
};

const lookupText = ({ name, types, entries }: Table): string => {
  const rows = entries.map(({ method, parser }) => `      ${JSON.stringify(method)}: ${parser},\n`);
  return `    ${name}: lookup<${types}>({\n${rows.join("")}    }),\n`;
};

/** The interface `name`, and `load<name>` that imports `modules` (variable → file) when it is called. */
const indexText = (name: string, modules: ReadonlyMap<string, string>, tables: readonly Table[]): string => {
  const members = tables.map(
    (table) => `${docComment(table.doc, "  ")}  readonly ${table.name}: Lookup<${table.types}>;\n`,
  );
  const imports = [...modules.values()].map((file) => `import("./${file}.js")`);
  return [
    ...tables.map(typesInterface),
    "/** By wire method. */\n",
    `export interface ${name} {\n${members.join("")}}\n\n`,
    "/** Loads the validation code; later calls find it loaded. */\n",
    `export const load${name} = async (): Promise<${name}> => {\n`,
    `  const [${[...modules.keys()].join(", ")}] = await Promise.all([${imports.join(", ")}]);\n`,
    `  return {\n${tables.map(lookupText).join("")}  };\n};\n`,
  ].join("");
};

const runtimeImport = (index: string, up: string): string => {
  const values = ["lookup", "nothing", "optional", "parser"].filter((name) =>
    new RegExp(`\\b${name}[(<,]`).test(index),
  );
  return `import { type Lookup, ${values.join(", ")} } from "${up}runtime/index.js";\n`;
};

const inUse = (model: Model) => {
  const { requests, serverRequests, notifications } = model.contract.codex;
  const used = new Set(requests.filter((row) => row.use !== "unused").map((row) => row.method));
  const kept = new Set(notifications.filter((row) => row.disposition !== "drop").map((row) => row.method));
  const asked = new Set(serverRequests.map((row) => row.method));
  return {
    requests: model.codex.requests.filter(({ method }) => used.has(method)),
    notifications: model.codex.notifications.filter(({ method }) => kept.has(method)),
    serverRequests: model.codex.serverRequests.filter(({ method }) => asked.has(method)),
  };
};

const names = (methods: readonly CodexMethod[], member: "params" | "result"): string[] =>
  methods.flatMap((method) => method[member] ?? []);

/** `src/generated/codex/validators`: the requests, notifications and server requests that the bridge has a use for. */
export const emitCodexValidators = (model: Model): GeneratedFile[] => {
  const { requests, notifications, serverRequests } = inUse(model);
  const plan = planTypeNames(model.codex.definitions.keys());
  const typeOf = (name: string): string => plan.get(name)?.exported ?? name;
  const entries = (module: string, methods: readonly CodexMethod[], member: "params" | "result"): Entry[] =>
    methods.map((it) => {
      const name = it[member];
      if (name === null) return { method: it.method, type: "null | undefined", parser: "nothing" };
      const parser = `parser<${typeOf(name)}>(${module}.${name})`;
      const optional = member === "params" && it.paramsOptional;
      if (!optional) return { method: it.method, type: typeOf(name), parser };
      return { method: it.method, type: `${typeOf(name)} | null | undefined`, parser: `optional(${parser})` };
    });
  const tables: Table[] = [
    {
      name: "params",
      types: "RequestParams",
      doc: "Params of the requests that Codex answers.",
      entries: entries("client", requests, "params"),
    },
    {
      name: "result",
      types: "RequestResults",
      doc: "What Codex answers.",
      entries: entries("server", requests, "result"),
    },
    {
      name: "notification",
      types: "NotificationParams",
      doc: "Params of the notifications that Codex sends.",
      entries: entries("server", notifications, "params"),
    },
    {
      name: "serverRequest",
      types: "ServerRequestParams",
      doc: "Params of the requests that Codex makes of its client.",
      entries: entries("server", serverRequests, "params"),
    },
    {
      name: "serverResult",
      types: "ServerRequestResults",
      doc: "What a client answers to Codex.",
      entries: entries("client", serverRequests, "result"),
    },
  ];
  const modules = new Map([
    ["client", "client"],
    ["server", "server"],
  ]);
  const index = indexText("CodexValidators", modules, tables);
  const types = [requests, serverRequests].flatMap((it) => [...names(it, "params"), ...names(it, "result")]);
  const folder = "src/generated/codex/validators";
  const resolve = resolveIn(model.codex.definitions);
  const toCodex = [...names(requests, "params"), ...names(serverRequests, "result")];
  const fromCodex = [
    ...names(requests, "result"),
    ...names(notifications, "params"),
    ...names(serverRequests, "params"),
  ];
  const used = [...types, ...names(notifications, "params")].map(typeOf);
  const head = `${header("schemas/codex and schemas/contract/codex.json")}${runtimeImport(index, "../../../")}`;
  return [
    { path: `${folder}/index.ts`, text: `${head}${importType(used, "../types.js")}\n${index}` },
    validationFile(`${folder}/client.ts`, "schemas/codex", toCodex, resolve),
    validationFile(`${folder}/server.ts`, "schemas/codex", fromCodex, resolve),
  ];
};

/** `src/generated/contract/validators`: what the agent sends a host. What it receives, `parsers.ts` looks at. */
export const emitContractValidators = (model: Model): GeneratedFile[] => {
  const { methods } = model.contract.methods;
  const sent = methods.filter((row) => row.direction === "agent-to-host");
  const answered = methods.filter((row) => row.direction === "host-to-agent" && row.result !== null);
  const entries = (rows: readonly MethodRow[], type: (row: MethodRow) => string): Entry[] =>
    rows.map((row) => ({ method: row.method, type: type(row), parser: `parser<${type(row)}>(agent.${type(row)})` }));
  const tables: Table[] = [
    {
      name: "params",
      types: "AgentParams",
      doc: "Params of the requests and notifications that the agent sends.",
      entries: entries(sent, paramsType),
    },
    {
      name: "result",
      types: "AgentResults",
      doc: "What the agent answers to a host.",
      entries: entries(answered, resultType),
    },
  ];
  const index = indexText("ContractValidators", new Map([["agent", "agent"]]), tables);
  const types = [...sent.map(paramsType), ...answered.map(resultType)];
  const folder = "src/generated/contract/validators";
  const sources = "schemas/contract, schemas/acp/schema.unstable.json and schemas/codex";
  const resolve = resolveIn(model.contract.definitions);
  const head = `${header(sources)}${runtimeImport(index, "../../../")}`;
  return [
    { path: `${folder}/index.ts`, text: `${head}${importType(types, "../types.js")}\n${index}` },
    validationFile(`${folder}/agent.ts`, sources, types, resolve),
  ];
};

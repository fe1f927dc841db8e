/**
 * `src/generated/testing`: what tests draw from the schemas. The arbitraries are thin and typed; the schemas they stand
 * on are data in files of their own, which the agent never loads.
 */

import type { CodexMethod, GeneratedFile, Model, Schema } from "../model/model.js";
import { planTypeNames, refName } from "../model/names.js";
import { eachSchema, lenient, mapSchema } from "../model/walk.js";
import { paramsType } from "./contract-methods.js";
import { docComment, header, importType, literal, memberName } from "./text.js";

type Definitions = ReadonlyMap<string, Schema>;

/** What can be reached from `roots`, without what no reader of the data needs. */
const reachable = (roots: Iterable<string>, definitions: Definitions): Map<string, Schema> => {
  const found = new Map<string, Schema>();
  const open = [...roots];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const schema = definitions.get(name);
    if (schema === undefined) throw new Error(`no definition ${name}`);
    if (found.has(name)) continue;
    const kept = bare(schema);
    found.set(name, kept);
    eachSchema(kept, (node) => {
      const target = refName(node);
      if (target !== null) open.push(target);
    });
  }
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
};

const isProse = (keyword: string): boolean =>
  ["contentEncoding", "default", "description", "examples"].includes(keyword) ||
  (keyword.startsWith("x-") && keyword !== lenient);

const bare = (schema: Schema): Schema =>
  mapSchema(schema, (node) => Object.fromEntries(Object.entries(node).filter(([keyword]) => !isProse(keyword))));

const dataFile = (path: string, sources: string, name: string, definitions: Definitions): GeneratedFile => {
  const members = [...definitions].map(([key, schema]) => {
    const start = `  ${memberName(key)}: `;
    return `${start}${literal(schema, "  ", start.length)},\n`;
  });
  const text = [
    header(sources),
    `import type { Definitions } from "../../testing/schema/index.js";\n\n`,
    `export const ${name}: Definitions = {\n${members.join("")}};\n`,
  ];
  return { path, text: text.join("") };
};

interface Row {
  readonly key: string;
  /** The call that makes the arbitrary. */
  readonly made: string;
}

const table = (name: string, doc: string, rows: readonly Row[]): string => {
  const members = rows.map(({ key, made }) => `  ${memberName(key)}: () => ${made},\n`);
  return `\n${docComment(doc)}export const ${name} = {\n${members.join("")}} as const;\n`;
};

export const emitArbitraries = (model: Model): GeneratedFile[] => {
  const { codex, contract } = model;
  const served = contract.methods.methods.filter((row) => row.direction === "host-to-agent");
  const kept = new Set(
    contract.codex.notifications.filter((row) => row.disposition !== "drop").map((row) => row.method),
  );
  const notifications = codex.notifications.filter((it) => kept.has(it.method));
  const { serverRequests } = codex;
  const plan = planTypeNames(codex.definitions.keys());
  const roots = [...notifications, ...serverRequests].flatMap((it) => it.params ?? []);
  const typeOf = (name: string): string => plan.get(name)?.exported ?? name;
  const rows = (methods: readonly CodexMethod[]): Row[] =>
    methods.flatMap(({ key, params }) =>
      params === null ? [] : [{ key, made: `codex<${typeOf(params)}>(${JSON.stringify(params)})` }],
    );
  const folder = "src/generated/testing";
  const text = [
    header("schemas"),
    `import { arbitraryFrom, variantOf } from "../../testing/schema/index.js";\n`,
    importType([...roots.map(typeOf), "ThreadItem"], "../codex/types.js"),
    importType(served.map(paramsType), "../contract/types.js"),
    `import { codexDefinitions } from "./codex-schemas.js";\n`,
    `import { contractDefinitions } from "./contract-schemas.js";\n\n`,
    "const codex = arbitraryFrom(codexDefinitions);\n",
    "const contract = arbitraryFrom(contractDefinitions);\n",
    `const threadItem = variantOf<ThreadItem>()(codexDefinitions, "ThreadItem");\n`,
    table(
      "contractParams",
      "Params of what a host asks and tells, by the method's name. Any JSON stands where a receiver reads a bad value as none.",
      served.map((row) => ({ key: row.name, made: `contract<${paramsType(row)}>("${paramsType(row)}")` })),
    ),
    table("codexNotifications", "Params of the notifications that the bridge acts on.", rows(notifications)),
    table("codexServerRequests", "Params of what Codex asks.", rows(serverRequests)),
    table(
      "threadItems",
      "Items of a turn, by type.",
      contract.codex.items.map(({ type }) => ({ key: type, made: `threadItem(${JSON.stringify(type)})` })),
    ),
  ];
  return [
    { path: `${folder}/arbitraries.ts`, text: text.join("") },
    dataFile(
      `${folder}/contract-schemas.ts`,
      "schemas/contract and schemas/acp/schema.unstable.json",
      "contractDefinitions",
      reachable(served.map(paramsType), contract.definitions),
    ),
    dataFile(
      `${folder}/codex-schemas.ts`,
      "schemas/codex",
      "codexDefinitions",
      reachable([...roots, "ThreadItem"], codex.definitions),
    ),
  ];
};

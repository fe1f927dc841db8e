import type { MethodRow } from "../model/contract.js";
import type { GeneratedFile, Model } from "../model/model.js";
import { pascalCase } from "../model/names.js";
import { paramsType, resultType } from "./contract-methods.js";
import { docComment, header, importType, memberName } from "./text.js";

/** What a host can call, without what the SDK answers alone. */
export const servedRows = (model: Model): MethodRow[] =>
  model.contract.methods.methods.filter((row) => row.direction === "host-to-agent" && row.handler !== "sdk");

/** The type arguments of a row's handler: what its parser returns, and what it answers. */
export const handlerType = (row: MethodRow): string => {
  const params = row.missingParams === "pass" ? `${paramsType(row)} | undefined` : paramsType(row);
  return `Handler<${params}, ${resultType(row)}>`;
};

export const handlerImports = (rows: MethodRow[]): string =>
  importType(
    rows.flatMap((row) => (row.result === null ? [paramsType(row)] : [paramsType(row), resultType(row)])),
    "../contract/types.js",
  );

/** Implemented policy methods by area, in the order of methods.json. */
export const policyAreas = (model: Model): Map<string, MethodRow[]> => {
  const rows = servedRows(model).filter((row) => row.handler === "policy" && row.implemented);
  const areas = new Map<string, MethodRow[]>();
  for (const row of rows) areas.set(row.area, [...(areas.get(row.area) ?? []), row]);
  return areas;
};

const handlersName = (area: string): string => `${pascalCase(area)}Handlers`;

const area = ([name, rows]: [string, MethodRow[]]): string => {
  const members = rows.map((row) => `${docComment(row.doc, "  ")}  readonly ${row.name}: ${handlerType(row)};\n`);
  return `export interface ${handlersName(name)} {\n${members.join("")}}\n\n`;
};

/** `src/generated/agent/handlers.ts`: what the policy modules must export, neither less nor more. */
export const emitAgentHandlers = (model: Model): GeneratedFile[] => {
  const areas = [...policyAreas(model)];
  const modules = areas.map(([name]) => `  readonly ${memberName(name)}: ${handlersName(name)};\n`).join("");
  const text = [
    header("schemas/contract/methods.json"),
    `import type { Handler } from "../../runtime/index.js";\n`,
    handlerImports(areas.flatMap(([, rows]) => rows)),
    "\n",
    ...areas.map(area),
    "/** One member for each area of the contract that has a policy module. */\n",
    `export interface PolicyModules {\n${modules}}\n`,
  ];
  return [{ path: "src/generated/agent/handlers.ts", text: text.join("") }];
};

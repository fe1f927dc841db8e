import type { ErrorRow, MethodRow } from "../model/contract.js";
import type { GeneratedFile, Model } from "../model/model.js";
import { camelCase } from "../model/names.js";
import { servedRows } from "./agent-handlers.js";
import { parameters } from "./contract-errors.js";
import { header, memberName } from "./text.js";

/** The error for params off schema: the method's own where it names one, with its fixed message where it has one. */
const invalid = (model: Model, row: MethodRow): string => {
  if (row.invalid !== undefined) return chosenByFault(model, row, row.invalid);
  const name = row.errors.find((error) => error.endsWith("_invalid_params")) ?? "invalid_params";
  const error = errorRow(model, row, name);
  const wanted = parameters(error);
  if (row.invalidParams !== undefined && !wanted.has("message")) {
    throw new Error(`${row.method}: ${name} has no {message} for the row's invalidParams`);
  }
  const values = [...wanted.keys()].map((parameter) => {
    if (parameter !== "message") return `${parameter}: fault.${parameter}`;
    if (row.invalidParams === undefined) throw new Error(`${row.method}: ${name} needs the row's invalidParams`);
    return `message: ${JSON.stringify(row.invalidParams)}`;
  });
  const argument = values.length === 0 ? "" : `{ ${values.join(", ")} }`;
  return `(${argument === "" ? "" : "fault"}) => errors.${camelCase(name)}(${argument})`;
};

/** Which of a method's fixed errors a fault gets: one for params that are no object, some by path, one for the rest. */
const chosenByFault = (
  model: Model,
  row: MethodRow,
  { notObject, byPath, otherwise }: NonNullable<MethodRow["invalid"]>,
): string => {
  const make = (name: string): string => {
    if (parameters(errorRow(model, row, name)).size > 0) throw new Error(`${row.method}: ${name} has parameters`);
    return `errors.${camelCase(name)}()`;
  };
  const paths = Object.entries(byPath).map(
    ([path, name]) => `fault.path === ${JSON.stringify(path)} ? ${make(name)} : `,
  );
  return `(fault, params) => (isObject(params) ? ${paths.join("")}${make(otherwise)} : ${make(notObject)})`;
};

const errorRow = (model: Model, row: MethodRow, name: string): ErrorRow => {
  const found = model.contract.errors.errors.find((error) => error.name === name);
  if (found === undefined) throw new Error(`${row.method}: errors.json has no ${name}`);
  return found;
};

const handle = (row: MethodRow, method: string): string => {
  if (!row.implemented) return `unimplemented(${method})`;
  if (row.handler === "pass-through") return `passThrough.${row.name}`;
  const area = memberName(row.area);
  return area === row.area ? `policies.${area}.${row.name}` : `policies[${area}].${row.name}`;
};

/** What the host sends goes to Codex as the host wrote it (PASS-01). */
const forwardsParams = ({ implemented, passThrough }: MethodRow): boolean =>
  implemented && (passThrough?.params === "forward" || passThrough?.params === "defaults");

const entry = (model: Model, row: MethodRow): string => {
  const method = `${row.kind === "request" ? "hostRequests" : "hostNotifications"}.${row.name}.method`;
  const missing = row.missingParams ?? "refuse";
  const lines = [
    `name: ${JSON.stringify(row.name)}`,
    `kind: ${JSON.stringify(row.kind)}`,
    ...(row.area === "initialize" ? ["initializes: true"] : []),
    ...(forwardsParams(row) ? ["verbatim: true"] : []),
    ...(missing === "refuse" ? [] : [`missing: ${JSON.stringify(missing)}`]),
    `parse: parsers.${row.name}`,
    `invalid: ${invalid(model, row)}`,
    `handle: ${handle(row, method)}`,
  ];
  return `    [\n      ${method},\n      methodEntry({\n${lines.map((line) => `        ${line},\n`).join("")}      }),\n    ],\n`;
};

/** `src/generated/agent/registration.ts`: every method a host can call, with its parser and its handler. */
export const emitAgentRegistration = (model: Model): GeneratedFile[] => {
  const rows = servedRows(model);
  const used = (kind: MethodRow["kind"]): boolean => rows.some((row) => row.kind === kind);
  const descriptors = [
    ...(used("notification") ? ["hostNotifications"] : []),
    ...(used("request") ? ["hostRequests"] : []),
  ];
  const open = rows.some((row) => !row.implemented);
  const text = [
    header("schemas/contract/methods.json"),
    `import { ${rows.some((row) => row.invalid !== undefined) ? "isObject, " : ""}type MethodEntry, methodEntry } from "../../runtime/index.js";\n`,
    `import { errors } from "../contract/errors.js";\n`,
    `import { ${descriptors.join(", ")} } from "../contract/methods.js";\n`,
    `import { parsers } from "../contract/parsers.js";\n`,
    `import type { PolicyModules } from "./handlers.js";\n`,
    `import type { PassThroughHandlers } from "./pass-through.js";\n\n`,
    "export type { MethodEntry };\n\n",
    open
      ? [
          "/** Stands in for a handler the contract has and this version has not. */\n",
          "const unimplemented = (method: string) => async (): Promise<never> => {\n",
          "  throw errors.notImplemented({ method });\n",
          "};\n\n",
        ].join("")
      : "",
    "/** Wire method → how to serve it. A method that is not in the table is not in the contract. */\n",
    "export const createMethodTable = (\n",
    "  policies: PolicyModules,\n",
    "  passThrough: PassThroughHandlers,\n",
    "): ReadonlyMap<string, MethodEntry> =>\n",
    "  new Map<string, MethodEntry>([\n",
    ...rows.map((row) => entry(model, row)),
    "  ]);\n",
  ];
  return [{ path: "src/generated/agent/registration.ts", text: text.join("") }];
};

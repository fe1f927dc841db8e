import { fileURLToPath } from "node:url";
import { Ajv, type ErrorObject } from "ajv";
import { paramsType, resultType } from "../../codegen/emit/contract-methods.js";
import { loadModel } from "../../codegen/model/load.js";
import type { CodexMethod, Schema } from "../../codegen/model/model.js";
import type { SchemaFault } from "../../src/runtime/index.js";
import type { Check, MethodChecks, WireSchemas } from "../../src/testing/strict.js";

export const model = loadModel(fileURLToPath(new URL("../..", import.meta.url)));

/** The fault deepest in the value: of the branches of a union, the one that got furthest. */
function worst(errors: readonly ErrorObject[]): SchemaFault {
  const depth = (error: ErrorObject): number => error.instancePath.split("/").length;
  const deepest = [...errors].sort((a, b) => depth(b) - depth(a))[0];
  if (deepest === undefined) return { path: "", expected: "something else" };
  const detail = Object.values(deepest.params).map((value) => JSON.stringify(value));
  return { path: deepest.instancePath, expected: `what ${deepest.keyword} ${detail.join(" ")} asks for` };
}

/** Checks by definition name, compiled when first used. */
function checksOf(definitions: ReadonlyMap<string, Schema>): (name: string) => Check {
  // The captures use formats for the width of integers; `minimum` stands beside them where it matters.
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema({ $id: "all", definitions: Object.fromEntries(definitions) });
  const compiled = new Map<string, Check>();
  return (name) => {
    const known = compiled.get(name);
    if (known !== undefined) return known;
    if (!definitions.has(name)) throw new Error(`there is no definition ${name}`);
    const validate = ajv.compile({ $ref: `all#/definitions/${name}` });
    const check: Check = (value) => (validate(value) ? null : worst(validate.errors ?? []));
    compiled.set(name, check);
    return check;
  };
}

const nothing: Check = (value) => (value === undefined || value === null ? null : { path: "", expected: "no params" });

const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || value === null ? null : check(value);

const codexCheck = checksOf(model.codex.definitions);
const hostCheck = checksOf(model.contract.definitions);

/** Check of one Codex definition. */
export const codexDefinition = (name: string): Check => codexCheck(name);

function codexMethod(row: CodexMethod, isRequest: boolean): MethodChecks {
  const params = row.params === null ? nothing : codexCheck(row.params);
  const result: Check = row.result === null ? () => null : codexCheck(row.result);
  return { params: row.paramsOptional ? optional(params) : params, result: isRequest ? result : null };
}

const byMethod = <T extends { readonly method: string }>(rows: readonly T[]): ReadonlyMap<string, T> =>
  new Map(rows.map((row) => [row.method, row]));

const requests = byMethod(model.codex.requests);
const serverRequests = byMethod(model.codex.serverRequests);
const notifications = byMethod(model.codex.notifications);
const hostMethods = byMethod(model.contract.methods.methods);

/** The captured Codex. `initialized` is the one notification a client sends; it stands in no table. */
const codexWire: WireSchemas = (from, method) => {
  if (from === "bridge") {
    if (method === "initialized") return { params: nothing, result: null };
    const row = requests.get(method);
    return row === undefined ? undefined : codexMethod(row, true);
  }
  const asked = serverRequests.get(method);
  if (asked !== undefined) return codexMethod(asked, true);
  const told = notifications.get(method);
  return told === undefined ? undefined : codexMethod(told, false);
};

/** The contract. `$/cancel_request` goes both ways. */
const hostWire: WireSchemas = (from, method) => {
  const row = hostMethods.get(method);
  if (row === undefined) return undefined;
  const sender = row.direction === "host-to-agent" ? "host" : "bridge";
  if (sender !== from && row.handler !== "sdk") return undefined;
  const params = hostCheck(paramsType(row));
  const result = row.kind === "request" ? hostCheck(resultType(row)) : null;
  const { missingParams = "refuse" } = row;
  return { params: missingParams === "refuse" ? params : optional(params), result };
};

export const schemas = { codex: codexWire, host: hostWire };

import { fileURLToPath } from "node:url";
import type { ErrorObject } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { paramsType, resultType } from "../../codegen/emit/contract-methods.js";
import { loadModel } from "../../codegen/model/load.js";
import type { CodexMethod, Schema } from "../../codegen/model/model.js";
import type { SchemaFault } from "../../src/runtime/index.js";
import type { Party } from "../../src/testing/frames.js";
import type { Check, MethodChecks, WireSchemas } from "../../src/testing/strict.js";

export const model = loadModel(fileURLToPath(new URL("../..", import.meta.url)));

import { closedDefinitions, closedRef } from "./closed.js";

/** The fault deepest in the value: of the branches of a union, the one that got furthest. */
function worst(errors: readonly ErrorObject[]): SchemaFault {
  const depth = (error: ErrorObject): number => error.instancePath.split("/").length;
  const deepest = [...errors].sort((a, b) => depth(b) - depth(a))[0];
  if (deepest === undefined) return { path: "", expected: "something else" };
  const detail = Object.values(deepest.params).map((value) => JSON.stringify(value));
  return { path: deepest.instancePath, expected: `what ${deepest.keyword} ${detail.join(" ")} asks for` };
}

interface Checks {
  /** As the schema says. */
  open(name: string): Check;
  /** And no member that the schema does not name. */
  closed(name: string): Check;
}

/** Checks by definition name, compiled when first used. */
export function checksOf(definitions: ReadonlyMap<string, Schema>): Checks {
  // The captures use formats for the width of integers; `minimum` stands beside them where it matters.
  const ajv = new Ajv2019({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema({ $id: "open", definitions: Object.fromEntries(definitions) });
  ajv.addSchema({ $id: "closed", definitions: closedDefinitions(definitions) });
  const compiled = new Map<string, Check>();
  const check = (name: string, ref: string, wrap: (ref: string) => Schema): Check => {
    const known = compiled.get(ref);
    if (known !== undefined) return known;
    if (!definitions.has(name)) throw new Error(`there is no definition ${name}`);
    const validate = ajv.compile(wrap(ref));
    const made: Check = (value) => (validate(value) ? null : worst(validate.errors ?? []));
    compiled.set(ref, made);
    return made;
  };
  return {
    open: (name) => check(name, `open#/definitions/${name}`, ($ref) => ({ $ref })),
    closed: (name) => check(name, `closed#/definitions/${name}`, closedRef),
  };
}

const nothing: Check = (value) => (value === undefined || value === null ? null : { path: "", expected: "no params" });

const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || value === null ? null : check(value);

const codexChecks = checksOf(model.codex.definitions);
const hostChecks = checksOf(model.contract.definitions);

/** Check of one Codex definition; `closed` refuses members that it does not name. */
export const codexDefinition = (name: string, closed = false): Check =>
  closed ? codexChecks.closed(name) : codexChecks.open(name);

/** What the bridge says is held to the letter; the others may know more than the captures. */
function codexMethod(row: CodexMethod, isRequest: boolean, from: Party): MethodChecks {
  const ofBridge = from === "bridge";
  const params = row.params === null ? nothing : codexDefinition(row.params, ofBridge);
  const result: Check = row.result === null ? () => null : codexDefinition(row.result, !ofBridge);
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
    // Asks an untested Codex for its methods: its refusal lists them.
    if (method === "codex-acp-kit/methods") return { params: () => null, result: () => null };
    const row = requests.get(method);
    return row === undefined ? undefined : codexMethod(row, true, from);
  }
  const asked = serverRequests.get(method);
  if (asked !== undefined) return codexMethod(asked, true, from);
  const told = notifications.get(method);
  return told === undefined ? undefined : codexMethod(told, false, from);
};

/** The contract. `$/cancel_request` goes both ways. */
const hostWire: WireSchemas = (from, method) => {
  const row = hostMethods.get(method);
  if (row === undefined) return undefined;
  const sender = row.direction === "host-to-agent" ? "host" : "bridge";
  if (sender !== from && row.handler !== "sdk") return undefined;
  // What is passed on as it is may hold what Codex came to say after the capture (PASS-01).
  const closed = row.handler === "pass-through" ? hostChecks.open : hostChecks.closed;
  const params = from === "bridge" ? closed(paramsType(row)) : hostChecks.open(paramsType(row));
  const answer = from === "bridge" ? hostChecks.open : closed;
  const result = row.kind === "request" ? answer(resultType(row)) : null;
  const { missingParams = "refuse" } = row;
  return { params: missingParams === "refuse" ? params : optional(params), result };
};

export const schemas = { codex: codexWire, host: hostWire };

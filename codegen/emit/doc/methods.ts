import type { MethodRow } from "../../model/contract.js";
import { metaTypeName } from "../../model/meta.js";
import type { Model } from "../../model/model.js";
import { paramsType, resultType } from "../contract-methods.js";
import { anchor, code, heading, link, list, table } from "./markdown.js";
import { definition, schemaTable } from "./schema-table.js";

const methodAnchor = (row: MethodRow): string => anchor("method", row.method);

export const methodLink = (row: MethodRow): string => link(code(row.method), methodAnchor(row));

export const errorLink = (name: string): string => link(code(name), anchor("error", name));

export const yesNo = (flag: boolean | undefined): string => (flag ? "yes" : "not yet");

const standard = { stable: "ACP", unstable: "ACP, unstable", extension: "extension" } as const;

const overview = (rows: readonly MethodRow[]): string =>
  table(
    ["Method", "Kind", "Origin", "Implemented", "Announced by"],
    rows.map((row) => [
      methodLink(row),
      row.kind,
      standard[row.standard],
      yesNo(row.implemented),
      row.capability === undefined ? "" : code(row.capability),
    ]),
  );

const missing = {
  refuse: "Missing or null params are refused.",
  empty: "Missing or null params mean `{}`.",
  "absent-only": "Missing params mean `{}`; null is refused.",
  pass: "Params may be missing or null.",
} as const;

/** `emits` in words: methods to the host, by key, and kinds of `session/update`. */
const emitted = (model: Model, names: readonly string[]): string => {
  const { methods } = model.contract.methods;
  const isMethod = (row: MethodRow): boolean => names.includes(row.name) || names.includes(row.method);
  const sent = methods.filter(isMethod);
  const updates = names.filter((name) => !sent.some((row) => row.name === name || row.method === name));
  const carrier = methods.find((row) => row.area === "updates" && row.direction === "agent-to-host");
  const kinds = updates.map(code).join(", ");
  return [
    ...(kinds === "" ? [] : [`${carrier === undefined ? "" : `${methodLink(carrier)} `}${kinds}`]),
    ...sent.map(methodLink),
  ].join("; ");
};

/** A capture's definition under its own name, or the contract's under the method's. */
const schemaOf = (model: Model, ref: string, name: string): string => {
  const [namespace, definitionName] = ref.split(":");
  const foreign = namespace === "acp" || namespace === "codex";
  const schema = definition(model, foreign ? `${namespace}.${definitionName}` : name);
  if (schema === undefined) throw new Error(`no definition of ${ref} for docs/protocol.md`);
  return schemaTable(model, schema);
};

const origin = (ref: string): string => {
  const [namespace, name] = ref.split(":");
  if (name === undefined) return "";
  return { acp: ` ACP's ${code(name)}.`, codex: ` Codex's ${code(name)}.` }[namespace ?? ""] ?? "";
};

const metaNote = (carrier: string | undefined): string =>
  carrier === undefined
    ? ""
    : `\`_meta\` may hold the keys of ${link(carrier, anchor("meta", metaTypeName(carrier)))}.\n\n`;

const section = (model: Model, row: MethodRow): string => {
  const facts = [
    ...(row.implemented ? [] : [`Not implemented yet: answered with ${errorLink("not_implemented")}.`]),
    ...(row.cancellable ? ["`$/cancel_request` ends it early."] : []),
    ...(row.passThrough === undefined ? [] : [`Passed through to Codex's ${code(row.passThrough.codex)}.`]),
    ...(row.codex === undefined ? [] : [`Codex requests it may lead to: ${row.codex.map(code).join(", ")}.`]),
    ...(row.emits === undefined ? [] : [`May send: ${emitted(model, row.emits)}.`]),
    ...(row.errors.length === 0 ? [] : [`Errors: ${row.errors.map(errorLink).join(", ")}.`]),
    ...(row.clauses.length === 0 ? [] : [`Clauses: ${row.clauses.join(", ")}.`]),
  ];
  const accepts =
    row.direction === "host-to-agent" && row.kind === "request" ? ` ${missing[row.missingParams ?? "refuse"]}` : "";
  return [
    heading(3, code(row.method), methodAnchor(row)),
    `${row.doc}\n\n`,
    facts.length === 0 ? "" : `${list(facts)}\n`,
    `**Params.**${origin(row.params)}${accepts}\n\n`,
    schemaOf(model, row.params, paramsType(row)),
    metaNote(row.metaParams),
    row.result === null ? "" : `**Result.**${origin(row.result)}\n\n${schemaOf(model, row.result, resultType(row))}`,
    metaNote(row.metaResult),
  ].join("");
};

const directed = (model: Model, direction: MethodRow["direction"]): MethodRow[] =>
  model.contract.methods.methods.filter((row) => row.direction === direction);

export const methodOverview = (model: Model): string =>
  [
    "From the host to the agent:\n\n",
    overview(directed(model, "host-to-agent")),
    "From the agent to the host:\n\n",
    overview(directed(model, "agent-to-host")),
  ].join("");

export const methodSections = (model: Model): string =>
  model.contract.methods.methods.map((row) => section(model, row)).join("");

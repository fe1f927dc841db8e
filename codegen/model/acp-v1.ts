import { isObject, type JsonObject } from "../json.js";
import { type CheckInput, repeated, unionTags } from "./check.js";
import type { AcpV1Row } from "./contract-acp-v1.js";
import type { AcpV1Method, Model, Schema } from "./model.js";
import { camelCase } from "./names.js";
import { acpDefinitions } from "./normalise.js";
import { mapSchema } from "./walk.js";

type AcpV1 = Model["acpV1"];

/** Version 1 of ACP, from the two schemas that the SDK carries. */
export const loadAcpV1 = (unstable: JsonObject, stable: JsonObject): AcpV1 => {
  const definitions = read(unstable);
  const known = read(stable);
  const stableMethods = new Set(methodsOf(known).map((it) => `${it.side} ${it.method}`));
  const stableUpdates = new Set(updateKinds(known));
  return {
    definitions,
    methods: methodsOf(definitions).map((it) => ({ ...it, stable: stableMethods.has(`${it.side} ${it.method}`) })),
    updates: updateKinds(definitions).map((kind) => ({ kind, stable: stableUpdates.has(kind) })),
  };
};

/** The tags of a union say as much as the keyword of OpenAPI that points to them, which JSON Schema does not know. */
const read = (schema: JsonObject): Map<string, Schema> =>
  acpDefinitions(mapSchema(schema, ({ discriminator, ...node }) => node));

const updateKinds = (definitions: ReadonlyMap<string, Schema>): string[] =>
  unionTags(definitions.get("SessionUpdate"), "sessionUpdate");

/** The schema marks the params and the result of each method with its name, and with the side that handles it. */
const methodsOf = (definitions: ReadonlyMap<string, Schema>): Omit<AcpV1Method, "stable">[] => {
  const found = new Map<string, { method: string; side: string; params?: string; result?: string }>();
  for (const [name, definition] of definitions) {
    const { "x-method": method, "x-side": side } = definition;
    if (typeof method !== "string" || typeof side !== "string") continue;
    const kind = name.endsWith("Notification") ? "notification" : "request";
    const key = `${side} ${method} ${kind}`;
    const member = name.endsWith("Response") ? "result" : "params";
    found.set(key, { ...found.get(key), method, side, [member]: name });
  }
  return [...found.values()].flatMap(({ method, side, params, result }) => {
    if (params === undefined || (side !== "agent" && side !== "client" && side !== "protocol")) return [];
    return [{ method, key: camelCase(method), side, params, result: result ?? null }];
  });
};

/** Faults of acp-v1.json: all of this contract has a row, all of version 1 is reached or refused, and no row lies. */
export const acpV1Faults = ({ acp, acpV1, files }: CheckInput): string[] => {
  const { methods, updates, unserved } = files.acpV1;
  const ours = files.methods.methods.map(({ method }) => method).filter((it) => !it.startsWith("_"));
  const kinds = unionTags(acp.definitions.get("SessionUpdate"), "sessionUpdate");
  const theirMethods = acpV1.methods.map(({ method }) => method);
  const theirKinds = acpV1.updates.map(({ kind }) => kind);
  const notServed = (of: "method" | "update"): string[] => unserved.flatMap((it) => (it.of === of ? [it.name] : []));
  return [
    ...tableFaults("method", methods, ours, theirMethods, notServed("method")),
    ...tableFaults("update", updates, kinds, theirKinds, notServed("update")),
    ...updates.flatMap((row) => unstableFaults(row, acpV1)),
  ].map((fault) => `acp-v1.json: ${fault}`);
};

/** What a row becomes, first of all its own name where it keeps it. */
export const becomes = ({ name, is, as = [], otherwise = [] }: AcpV1Row): string[] => [
  ...(is === "same" || is === "reshaped" ? [name] : []),
  ...as,
  ...otherwise,
];

const tableFaults = (
  of: string,
  rows: readonly AcpV1Row[],
  ours: readonly string[],
  theirs: readonly string[],
  notServed: readonly string[],
): string[] => {
  const names = rows.map(({ name }) => name);
  const reached = new Set(rows.flatMap(becomes));
  return [
    ...ours.filter((it) => !names.includes(it)).map((it) => `the ${of} ${it} has no row`),
    ...names.filter((it) => !ours.includes(it)).map((it) => `there is no ${of} ${it}`),
    ...repeated(names).map((it) => `the ${of} ${it} has more than one row`),
    ...[...reached].filter((it) => !theirs.includes(it)).map((it) => `version 1 has no ${of} ${it}`),
    ...theirs
      .filter((it) => !reached.has(it) && !notServed.includes(it))
      .map((it) => `version 1's ${of} ${it} is neither reached nor refused`),
    ...notServed.filter((it) => !theirs.includes(it)).map((it) => `version 1 has no ${of} ${it} to refuse`),
    ...notServed.filter((it) => reached.has(it)).map((it) => `the ${of} ${it} is reached, and refused too`),
    ...rows.flatMap(({ name, is, as = [] }) =>
      (is === "left-out" && as.length > 0) || ((is === "renamed" || is === "folded") && as.length === 0)
        ? [`the ${of} ${name} is ${is}, and \`as\` says otherwise`]
        : [],
    ),
  ];
};

/** A host that did not ask for a kind which is not in the stable schema must get something else. */
const unstableFaults = (row: AcpV1Row, { updates }: AcpV1): string[] => {
  const unstable = new Set(updates.flatMap(({ kind, stable }) => (stable ? [] : [kind])));
  const always = row.when === undefined ? becomes(row) : (row.otherwise ?? []);
  return always.filter((kind) => unstable.has(kind)).map((kind) => `${row.name} becomes ${kind}, which is not stable`);
};

/** The definitions of version 1 that can be reached from `roots`. */
export const reachableV1 = (roots: readonly string[], { definitions }: AcpV1): Map<string, Schema> => {
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) visit(item);
    if (!isObject(value)) return;
    const name = typeof value["$ref"] === "string" ? (value["$ref"].split("/").at(-1) ?? null) : null;
    if (name !== null) add(name);
    for (const member of Object.values(value)) visit(member);
  };
  const add = (name: string): void => {
    if (found.has(name)) return;
    found.add(name);
    const schema = definitions.get(name);
    if (schema === undefined) throw new Error(`version 1 has no definition ${name}`);
    visit(schema);
  };
  for (const root of roots) add(root);
  return new Map([...definitions].filter(([name]) => found.has(name)));
};

import { isObject } from "../json.js";
import { type CheckInput, repeated, unionTags } from "./check.js";
import type { MethodRow } from "./contract.js";

/** Faults of methods.json: every name in a row means something. */
export const methodFaults = (input: CheckInput): string[] => {
  const rows = input.files.methods.methods;
  const known = namesOf(input);
  return [
    ...repeated(rows.map((row) => row.name)).map((name) => `methods.json: two rows are called ${name}`),
    ...repeated(rows.map((row) => `${row.method}, ${row.direction}`)).map((it) => `methods.json: two rows for ${it}`),
    ...rows.flatMap((row) => rowFaults(row, known).map((fault) => `methods.json: ${row.method}: ${fault}`)),
    ...Object.entries(input.files.capabilities.needs ?? {}).flatMap(([path, methods]) => [
      ...(hasPath(known.capabilities, path)
        ? []
        : [`capabilities.json: there is no ${path} that could need something`]),
      ...missing("Codex request", methods, known.codexRequests).map((fault) => `capabilities.json: ${path}: ${fault}`),
    ]),
  ];
};

const namesOf = ({ codex, acp, files, ownDefinitions }: CheckInput) => {
  const told = files.methods.methods.filter((it) => it.direction === "agent-to-host");
  return {
    definitions: { acp: acp.definitions, codex: codex.definitions, contract: ownDefinitions },
    codexRequests: new Set(codex.requests.map((it) => it.method)),
    errors: new Set(files.errors.errors.map((it) => it.name)),
    carriers: new Map(files.meta.carriers.map((it) => [it.carrier, it.direction])),
    emitted: new Set([
      ...told.map((it) => it.name),
      ...unionTags(acp.definitions.get("SessionUpdate"), "sessionUpdate"),
    ]),
    notifications: new Set(told.filter((it) => it.kind === "notification").map((it) => it.method)),
    capabilities: files.capabilities.capabilities,
  };
};

type Names = ReturnType<typeof namesOf>;

const rowFaults = (row: MethodRow, known: Names): string[] => {
  const answered: MethodRow["direction"] = row.direction === "host-to-agent" ? "agent-to-host" : "host-to-agent";
  const sent = [...(row.codex ?? []), ...(row.passThrough === undefined ? [] : [row.passThrough.codex])];
  const notifies = row.passThrough?.notifies;
  const passes = row.handler === "pass-through" && row.direction === "host-to-agent";
  return [
    ...[row.params, row.result].flatMap((ref) => (ref === null ? [] : refFaults(ref, known))),
    ...((row.kind === "request") === (row.result !== null) ? [] : ["a request has a result, a notification none"]),
    ...carrierFaults(row.metaParams, row.direction, known),
    ...carrierFaults(row.metaResult, answered, known),
    ...missing("Codex request", sent, known.codexRequests),
    ...missing("request among those it sends", row.optional ?? [], new Set(row.codex)),
    ...missing("error", row.errors, known.errors),
    ...missing("notification or update", row.emits ?? [], known.emitted),
    ...missing("notification", notifies === undefined ? [] : [notifies], known.notifications),
    ...(passes === (row.passThrough !== undefined) ? [] : ["passThrough belongs to pass-through methods, and to each"]),
    ...(row.capability === undefined || !row.implemented || hasPath(known.capabilities, row.capability)
      ? []
      : [`capabilities.json has no ${row.capability}`]),
  ];
};

const missing = (kind: string, names: readonly string[], known: ReadonlySet<string>): string[] =>
  names.filter((name) => !known.has(name)).map((name) => `there is no ${kind} ${name}`);

const refFaults = (ref: string, known: Names): string[] => {
  if (ref === "object" || ref === "empty") return [];
  const [source = "", name = ""] = ref.split(":");
  const definitions = Object.entries(known.definitions).find(([it]) => it === source)?.[1];
  return definitions?.has(name) === true ? [] : [`there is no schema ${ref}`];
};

const carrierFaults = (carrier: string | undefined, direction: string, { carriers }: Names): string[] => {
  if (carrier === undefined) return [];
  const found = carriers.get(carrier);
  if (found === undefined) return [`meta.json has no carrier "${carrier}"`];
  return found === direction ? [] : [`meta.json has "${carrier}" go ${found}`];
};

/** True when the dotted path leads to something in the advertised object; a `_meta` key may hold dots or slashes. */
const hasPath = (value: unknown, path: string): boolean => {
  if (!isObject(value)) return false;
  return Object.keys(value).some(
    (key) => path === key || (path.startsWith(`${key}.`) && hasPath(value[key], path.slice(key.length + 1))),
  );
};

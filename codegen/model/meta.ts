import type { MetaCarrier, MetaFile, MetaKey } from "./contract.js";
import type { Schema } from "./model.js";
import { pascalCase } from "./names.js";
import { normaliseSchema } from "./normalise.js";

/** `session/new params` as `SessionNewParamsMeta`, `state_update` as `StateUpdateMeta`. */
export const metaTypeName = (carrier: string): string => `${pascalCase(carrier)}Meta`;

const describe = (key: MetaKey): string => {
  const open = key.implemented ? "" : " Not implemented yet.";
  return `${key.doc}${open}${key.clauses.length === 0 ? "" : ` (${key.clauses.join(", ")})`}`;
};

/**
 * The schema of a carrier's `_meta`. What a host sends may hold keys that others own; what the bridge sends holds its
 * own keys only, so that a misspelt one is an error.
 */
const carrierSchema = (carrier: MetaCarrier): Schema => {
  const closed = carrier.direction === "agent-to-host";
  const object = (properties: { [name: string]: unknown }, description?: string): Schema => ({
    ...(description === undefined ? {} : { description }),
    type: "object",
    properties,
    additionalProperties: !closed,
  });
  const namespaces = Object.entries(carrier.namespaces).map(([namespace, keys]) => {
    const properties = Object.entries(keys).map(([name, key]) => [name, { ...key.schema, description: describe(key) }]);
    return [namespace, object(Object.fromEntries(properties))];
  });
  return object(Object.fromEntries(namespaces), `\`_meta\` of ${carrier.carrier}.`);
};

/** Every carrier's `_meta` and the schemas their keys share, by name, for `model.contract.definitions`. */
export const metaDefinitions = (meta: MetaFile): Map<string, Schema> => {
  const resolve = (ref: string): string => {
    const name = ref.split("/").at(-1) ?? "";
    if (!(name in meta.$defs)) throw new Error(`meta.json has no $defs/${name}, which ${ref} means`);
    return name;
  };
  const own = meta.carriers.map((carrier): [string, Schema] => [metaTypeName(carrier.carrier), carrierSchema(carrier)]);
  const all = [...Object.entries(meta.$defs), ...own];
  const found = new Map<string, Schema>();
  for (const [name, schema] of all) {
    if (found.has(name)) throw new Error(`meta.json defines ${name} twice`);
    found.set(name, normaliseSchema(schema, resolve));
  }
  return found;
};

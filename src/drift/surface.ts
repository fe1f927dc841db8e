/**
 * What a protocol looks like at one version, as far as the wire shows it: its messages and the schemas they need, without
 * prose. Small enough to be kept for every version.
 */
export interface Surface {
  readonly protocol: Protocol;
  readonly version: string;
  readonly messages: readonly Message[];
  /** JSON Schema by name; each `$ref` ends in one of these names. */
  readonly definitions: Readonly<Record<string, unknown>>;
}

export type Protocol = "codex" | "acp";

/** One method. `from` is who sends it: this bridge, or the other end. */
export interface Message {
  readonly method: string;
  readonly kind: "request" | "notification";
  readonly from: "us" | "them";
  /** Names of definitions; null: there are no params, or no result that is known. */
  readonly params: string | null;
  readonly result: string | null;
  /** Only there for a client that opts in. */
  readonly experimental?: true;
}

/** The definition whose variants are the items of the protocol, what a session is made of. */
export const itemDefinition: Readonly<Record<Protocol, string>> = { codex: "ThreadItem", acp: "SessionUpdate" };

export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const objectOf = (value: unknown, what: string): JsonObject => {
  if (!isObject(value)) throw new Error(`${what} is no object`);
  return value;
};

const textOrNull = (value: unknown): string | null => (typeof value === "string" ? value : null);

/** The files of a capture of Codex, parsed. */
export interface CodexCapture {
  readonly version: string;
  /** `protocol.schema.json` */
  readonly protocol: unknown;
  /** `methods.json` */
  readonly methods: unknown;
  /** `unlisted.schema.json` */
  readonly unlisted: unknown;
}

/** The surface of a captured Codex. Throws when a file is not what a capture writes. */
export function surfaceOfCodex({ version, protocol, methods, unlisted }: CodexCapture): Surface {
  const { v2, ...root } = objectOf(objectOf(protocol, "the bundle")["definitions"], "definitions of the bundle");
  const more = objectOf(objectOf(unlisted, "the unlisted schema")["definitions"], "definitions of the unlisted schema");
  const tables = objectOf(methods, "methods.json");
  const rows = (list: string, kind: Message["kind"], from: Message["from"]): Message[] => {
    const found = tables[list];
    if (!Array.isArray(found)) throw new Error(`methods.json has no list "${list}"`);
    return found.map((row: unknown): Message => {
      const { method, params, result, experimental } = objectOf(row, `a row of ${list}`);
      if (typeof method !== "string") throw new Error(`a row of ${list} has no method`);
      return {
        method,
        kind,
        from,
        params: textOrNull(params),
        result: textOrNull(result),
        ...(experimental === true ? { experimental } : {}),
      };
    });
  };
  return reduced({
    protocol: "codex",
    version,
    messages: [
      ...rows("requests", "request", "us"),
      ...rows("serverRequests", "request", "them"),
      ...rows("notifications", "notification", "them"),
    ],
    definitions: { ...root, ...objectOf(v2, "the v2 definitions"), ...more },
  });
}

/** The surface of the ACP schema that the SDK carries, seen from an agent. */
export function surfaceOfAcp(version: string, schema: unknown): Surface {
  const definitions = objectOf(objectOf(schema, "the ACP schema")["$defs"], "$defs of the ACP schema");
  const messages = new Map<string, Message>();
  for (const [name, definition] of Object.entries(definitions)) {
    const { "x-method": method, "x-side": side } = objectOf(definition, name);
    if (typeof method !== "string" || (side !== "agent" && side !== "client")) continue;
    const kind = name.endsWith("Notification") ? "notification" : "request";
    const key = `${kind} ${side} ${method}`;
    const before = messages.get(key) ?? {
      method,
      kind,
      from: side === "agent" ? "them" : "us",
      params: null,
      result: null,
    };
    messages.set(key, { ...before, ...(name.endsWith("Response") ? { result: name } : { params: name }) });
  }
  return reduced({ protocol: "acp", version, messages: [...messages.values()], definitions });
}

/** Keywords that constrain nothing. */
const prose = new Set(["$comment", "$schema", "default", "deprecated", "description", "examples", "title"]);
/** Keywords that hold members by name: what looks like a keyword in there is a name. */
const named = new Set(["$defs", "definitions", "patternProperties", "properties"]);

const withoutProse = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(withoutProse);
  if (!isObject(schema)) return schema;
  const kept = Object.entries(schema).filter(([keyword]) => !prose.has(keyword) && !keyword.startsWith("x-"));
  return Object.fromEntries(
    kept.map(([keyword, value]) => {
      if (keyword === "enum" || keyword === "const" || keyword === "required") return [keyword, value];
      if (!named.has(keyword) || !isObject(value)) return [keyword, withoutProse(value)];
      return [keyword, Object.fromEntries(Object.entries(value).map(([name, it]) => [name, withoutProse(it)]))];
    }),
  );
};

/** The name at the end of a `$ref`. */
export const refName = (ref: string): string => ref.slice(ref.lastIndexOf("/") + 1);

const refsOf = (schema: unknown): string[] => {
  if (Array.isArray(schema)) return schema.flatMap(refsOf);
  if (!isObject(schema)) return [];
  return Object.entries(schema).flatMap(([keyword, value]) =>
    keyword === "$ref" && typeof value === "string" ? [refName(value)] : refsOf(value),
  );
};

/** Without prose, and without definitions that no message needs. */
function reduced(surface: Surface): Surface {
  const kept = new Map<string, unknown>();
  const take = (name: string | null): void => {
    if (name === null || kept.has(name)) return;
    const definition = surface.definitions[name];
    if (definition === undefined) throw new Error(`there is no definition of ${name}`);
    const schema = withoutProse(definition);
    kept.set(name, schema);
    for (const next of refsOf(schema)) take(next);
  };
  for (const { params, result } of surface.messages) {
    take(params);
    take(result);
  }
  const definitions = Object.fromEntries([...kept].sort(([a], [b]) => (a < b ? -1 : 1)));
  return { ...surface, definitions };
}

/** A surface that was stored as JSON. Throws when it is none. */
export function readSurface(value: unknown): Surface {
  const { protocol, version, messages, definitions } = objectOf(value, "the stored surface");
  if (protocol !== "codex" && protocol !== "acp") throw new Error("the stored surface is of no protocol that is known");
  if (typeof version !== "string") throw new Error("the stored surface has no version");
  if (!Array.isArray(messages) || !messages.every(isMessage)) throw new Error("the stored surface has no messages");
  return { protocol, version, messages, definitions: objectOf(definitions, "definitions of the stored surface") };
}

const isMessage = (value: unknown): value is Message =>
  isObject(value) &&
  typeof value["method"] === "string" &&
  (value["kind"] === "request" || value["kind"] === "notification") &&
  (value["from"] === "us" || value["from"] === "them");

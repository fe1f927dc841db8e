import type {
  AuthMethodRow,
  ClausesFile,
  ErrorRow,
  MetaFile,
  MethodRow,
  TablesFile,
} from "../../../codegen/model/contract.js";
import type { CodexMethod, Model, Schema } from "../../../codegen/model/model.js";

/** A request from the host, handled by policy, unless the given members say otherwise. */
export const methodRow = (given: Partial<MethodRow> & Pick<MethodRow, "method" | "name">): MethodRow => ({
  direction: "host-to-agent",
  kind: "request",
  handler: "policy",
  area: "sessions",
  implemented: true,
  standard: "stable",
  params: "object",
  result: "object",
  errors: [],
  clauses: [],
  doc: "",
  ...given,
});

export const errorRow = (given: Partial<ErrorRow> & Pick<ErrorRow, "name">): ErrorRow => ({
  code: -32600,
  message: "Wrong",
  clauses: [],
  doc: "",
  ...given,
});

export const codexRequest = (method: string, params: string | null = "SomeParams"): CodexMethod => ({
  method,
  key: method.replace(/\/(.)/g, (_, letter: string) => letter.toUpperCase()),
  params,
  result: "SomeResponse",
  paramsOptional: false,
  experimental: false,
  unlisted: false,
  doc: null,
});

interface Given {
  readonly methods?: readonly MethodRow[];
  readonly errors?: readonly ErrorRow[];
  readonly codexRequests?: readonly CodexMethod[];
  readonly capabilities?: { [key: string]: unknown };
  readonly authMethods?: readonly AuthMethodRow[];
  readonly tables?: Partial<TablesFile>;
  readonly meta?: MetaFile;
  readonly clauses?: Partial<ClausesFile>;
  readonly definitions?: { readonly [name: string]: Schema };
  readonly acpDefinitions?: { readonly [name: string]: Schema };
}

const emptyTables: TablesFile = {
  configOptions: [],
  toolCalls: [],
  permissions: [],
  stopReasons: [],
  slashCommands: [],
  envelopes: [],
};

/** A model that holds the given rows and nothing else. */
export const smallModel = (given: Given): Model => ({
  codex: {
    version: "1.2.3",
    oldest: "1.0.0",
    lacking: new Map(),
    definitions: new Map(),
    requests: given.codexRequests ?? [],
    serverRequests: [],
    notifications: [],
  },
  acp: { version: "2.0.0", definitions: new Map(Object.entries(given.acpDefinitions ?? {})) },
  acpV1: { definitions: new Map(), methods: [], updates: [] },
  contract: {
    definitions: new Map(Object.entries(given.definitions ?? {})),
    methods: { methods: [...(given.methods ?? [])] },
    errors: { errors: [...(given.errors ?? [])] },
    capabilities: { capabilities: given.capabilities ?? {}, authMethods: [...(given.authMethods ?? [])] },
    tables: { ...emptyTables, ...given.tables },
    meta: given.meta ?? { carriers: [], $defs: {} },
    clauses: { areas: [], readings: [], rulings: [], clauses: [], ...given.clauses },
    codex: { requests: [], serverRequests: [], notifications: [], items: [] },
    acpV1: { methods: [], updates: [], unserved: [] },
  },
});

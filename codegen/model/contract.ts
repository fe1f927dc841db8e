/**
 * The shape of the files under `schemas/contract`, written by hand, from which everything a host can rely on is
 * generated. `schemas/contract/contract.schema.json` is made from these types (typescript-json-schema): it validates
 * the files and gives editors completion. Change a type here and run `npm run generate`.
 */

/** A reference to a schema: `acp:NewSessionRequest`, `codex:SkillsListParams`, `contract:SessionHistoryParams`. */
export type SchemaRef = `${"acp" | "codex" | "contract"}:${string}` | "object" | "empty";

/** The policy module (`src/policy/<area>.ts`) that owns a method. */
export type PolicyArea =
  | "initialize"
  | "auth"
  | "providers"
  | "sessions"
  | "listing"
  | "history"
  | "config"
  | "prompt"
  | "plugins"
  | "tools"
  | "permissions"
  | "elicitation"
  | "updates"
  | "pass-through";

/** How a pass-through method becomes a Codex request. */
export interface PassThrough {
  /** Codex's method, a key of the captured client requests. */
  codex: string;
  /** `forward`: the host's params untouched; `defaults`: them over `values`; `constant`: `values` alone; `none`: no params. */
  params: "forward" | "defaults" | "constant" | "none";
  values?: { [key: string]: unknown };
  /** `forward`: Codex's result untouched; `empty`: `{}`. */
  result: "forward" | "empty";
  /** The notification sent to the host after each success, before the result. */
  notifies?: string;
}

export interface MethodRow {
  /** On the wire. */
  method: string;
  /** In code: the handler's key. */
  name: string;
  direction: "host-to-agent" | "agent-to-host";
  kind: "request" | "notification";
  /** `sdk`: answered by the SDK alone (`$/cancel_request`). */
  handler: "policy" | "pass-through" | "sdk";
  area: PolicyArea;
  /** False while the bridge answers `not_implemented`. */
  implemented: boolean;
  standard: "stable" | "unstable" | "extension";
  params: SchemaRef;
  /** Null for notifications. */
  result: SchemaRef | null;
  /** Carriers in `meta.json` whose `_meta` the params and the result may hold. */
  metaParams?: string;
  metaResult?: string;
  /**
   * What missing or null params mean; default `refuse`. `empty`: both are `{}`. `absent-only`: missing ones are `{}`,
   * null is refused. `pass` hands `undefined` on.
   */
  missingParams?: "refuse" | "empty" | "absent-only" | "pass";
  /** Errors for params off schema, by what is off; all without parameters. Without this: the method's own `invalid_params`. */
  invalid?: { notObject: string; byPath: { [path: string]: string }; otherwise: string };
  /** The fixed message of every `-32602` of this method, where the contract gives one. */
  invalidParams?: string;
  passThrough?: PassThrough;
  /** Codex methods that a policy handler sends. */
  codex?: string[];
  /** Those of `codex` that it does without, on a Codex that lacks them. */
  optional?: string[];
  /** Notifications and `session/update` kinds that handling it may send, by name. */
  emits?: string[];
  /** Dotted path in the advertised capabilities that announces it. */
  capability?: string;
  /** True when `$/cancel_request` ends it early. */
  cancellable?: boolean;
  /** Names in `errors.json`. */
  errors: string[];
  clauses: string[];
  doc: string;
}

export interface MethodsFile {
  $schema?: string;
  methods: MethodRow[];
}

/** One error a host can see. */
export interface ErrorRow {
  /** Name by which code throws it, snake_case; a history error's name is its `data.reason`. */
  name: string;
  code: number;
  /** True: the error is Codex's own or stands for one; its code is Codex's, and `code` only where Codex gave none. */
  nativeCode?: boolean;
  /** `{placeholder}`s are the parameters of the generated constructor. */
  message: string;
  /** `data` with placeholders: a string `"{x}"` stands for the parameter's own value, whatever its type. */
  data?: { [key: string]: unknown };
  /** Null: unknown, never an invitation. Absent: the error says nothing of retries. */
  retryable?: boolean | null;
  clauses: string[];
  doc: string;
}

export interface ErrorsFile {
  $schema?: string;
  errors: ErrorRow[];
}

/** Where `_meta` keys may stand and what they hold. */
export interface MetaCarrier {
  /** e.g. `session/new params`, `user_message`, `state_update`. */
  carrier: string;
  direction: "host-to-agent" | "agent-to-host";
  /** Namespace → key → JSON Schema (may `$ref` `#/$defs/X` of meta.schema.json). */
  namespaces: { [namespace: string]: { [key: string]: MetaKey } };
}

export interface MetaKey {
  schema: { [key: string]: unknown };
  implemented: boolean;
  clauses: string[];
  doc: string;
}

export interface MetaFile {
  $schema?: string;
  carriers: MetaCarrier[];
  /** Schemas shared by keys. */
  $defs: { [name: string]: { [key: string]: unknown } };
}

/** The advertised object: `capabilities` of the `initialize` result, `_meta` included, and the sign-in methods. */
export interface CapabilitiesFile {
  $schema?: string;
  capabilities: { [key: string]: unknown };
  /** Codex methods that a capability needs beside those of the methods that it announces, by its dotted path. */
  needs?: { [path: string]: string[] };
  authMethods: AuthMethodRow[];
}

export interface AuthMethodRow {
  methodId: string;
  name: string;
  description: string;
  /** `always`; `browser`: unless NO_BROWSER is set; `url-elicitation`: only for clients that declare elicitation.url. */
  when: "always" | "browser" | "url-elicitation";
  clauses: string[];
}

export interface ConfigOptionRow {
  configId: string;
  name: string;
  description: string;
  category: string;
  type: "select" | "boolean";
  /** Fixed values; absent where Codex supplies them. */
  values?: { value: string; name: string; description: string; codex?: { [key: string]: unknown } }[];
  /** When it is offered, in words. */
  when: string;
  clauses: string[];
}

export interface ToolCallRow {
  name: string;
  kind: string;
  /** Codex item type, or the notification it comes from. */
  codex: string;
  /** The condition that selects the row among those of one item type. */
  when?: string;
  content: string;
  clauses: string[];
}

export interface PermissionRow {
  /** Codex's server request, or `plan` for the bridge's own. */
  request: string;
  title: string;
  options: {
    optionId: string;
    name: string;
    kind: "allow_once" | "allow_always" | "reject_once" | "reject_always";
    /** What Codex is answered; `<n>` and `<proposed>` are filled in. */
    decision: unknown;
    when?: string;
    description?: string;
  }[];
  clauses: string[];
}

export interface StopReasonRow {
  stopReason: string;
  /** Codex turn status, and error kinds that select it. */
  when: string;
  codexErrorInfo?: string[];
  clauses: string[];
}

export interface SlashCommandRow {
  name: string;
  description: string;
  hint?: string;
  codex: string | null;
  implemented: boolean;
  clauses: string[];
}

/** An envelope that a client of Codex puts around the user's words. A text that is not exactly one is no envelope. */
export interface EnvelopeRow {
  name: string;
  meaning: string;
  /** The fixed texts of the grammar, by rule. */
  literals: { [rule: string]: string };
  /** The rules, one a line, in the notation of RFC 5234; `NL` is a line feed. */
  grammar: string[];
  /** What must hold beside the grammar. */
  conditions: string[];
  clauses: string[];
}

/** The tables that policy and projection read, and docs/protocol.md prints. */
export interface TablesFile {
  $schema?: string;
  configOptions: ConfigOptionRow[];
  toolCalls: ToolCallRow[];
  permissions: PermissionRow[];
  stopReasons: StopReasonRow[];
  slashCommands: SlashCommandRow[];
  envelopes: EnvelopeRow[];
}

/** What the bridge does with everything in the capture. An entry that is missing, or is not in the capture, fails the build. */
export interface CodexDispositionsFile {
  $schema?: string;
  requests: CodexRequestRow[];
  serverRequests: CodexServerRequestRow[];
  notifications: CodexNotificationRow[];
  items: CodexItemRow[];
}

export interface CodexRequestRow {
  method: string;
  use: "policy" | "pass-through" | "unused";
  /** True when the bridge cannot work without it: a Codex that lacks it is refused at start. */
  required?: boolean;
  reason: string;
}

export interface CodexServerRequestRow {
  method: string;
  /** `translate`: asked of the host; `answer`: a fixed or computed answer; `refuse`: a JSON-RPC error. */
  disposition: "translate" | "answer" | "refuse";
  implemented: boolean;
  /** The fail-closed result: for `answer`, while not implemented, and for a thread that no session is open on. */
  answer?: unknown;
  reason: string;
  clauses: string[];
}

export interface CodexNotificationRow {
  method: string;
  /** `translate`: becomes session updates or state; `forward`: a `_codex/*` notification, verbatim; `drop`. */
  disposition: "translate" | "forward" | "drop";
  /** For `forward`: the host notification. */
  to?: string;
  scope: "thread" | "process";
  /** True: named in `optOutNotificationMethods`, so that Codex does not send it at all. */
  optOut?: boolean;
  implemented: boolean;
  reason: string;
  clauses: string[];
}

export interface CodexItemRow {
  /** `type` of a ThreadItem. */
  type: string;
  /** Kind of `session/update` that it becomes. */
  update: string;
  /** For tool calls: the rows of `toolCalls` in tables.json that it may become. */
  tools?: string[];
  implemented: boolean;
  reason?: string;
  clauses: string[];
}

export interface ClauseRow {
  id: string;
  area: string;
  level: "MUST" | "SHOULD" | "MAY";
  text: string;
  /** How it shows on the wire: `H` is the host, `B` the bridge, `C` Codex, `H->B x` a message sent. */
  shows: string;
  needs: "acp-only" | "scripted-codex" | "real-codex";
  /** `open`: not built; `implemented`: built, and a test must name it; `host-duty`: binds the host; `withdrawn`. */
  status: "open" | "implemented" | "host-duty" | "withdrawn";
  /** Readings and rulings that bend it, by id; a ruling with a word on what it changes: `A-35`, `R-05: …`. */
  rulings?: string[];
}

/** How an unclear or contradictory clause is read, `A-01` on. A ruling may overrule it. */
export interface ReadingRow {
  id: string;
  /** The clauses or areas it bears on, in words. */
  where: string;
  question: string;
  reading: string;
}

/** What was decided where the contract, the ACP draft and Codex pull apart, `R-01` or `D-04`. It stands above the readings. */
export interface RulingRow {
  id: string;
  question: string;
  ruling: string;
}

export interface ClausesFile {
  $schema?: string;
  areas: { area: string; subject: string }[];
  readings: ReadingRow[];
  rulings: RulingRow[];
  clauses: ClauseRow[];
}

/** Corrections to captured schemas. A test fails once upstream no longer needs one. */
export interface ErrataFile {
  $schema?: string;
  errata: {
    id: string;
    source: "codex" | "acp";
    /** JSON pointer into the captured file. */
    at: string;
    /** JSON Patch operations applied when the schema is loaded. */
    patch: { op: "add" | "replace" | "remove"; path: string; value?: unknown }[];
    reason: string;
  }[];
}

import type {
  CapabilitiesFile,
  ClausesFile,
  CodexDispositionsFile,
  ErrorsFile,
  MetaFile,
  MethodsFile,
  TablesFile,
} from "./contract.js";
import type { AcpV1File } from "./contract-acp-v1.js";

/** A JSON Schema node, as far as the captures and the contract use it. */
export interface Schema {
  [keyword: string]: unknown;
}

/** One Codex method, server request or notification of the capture. */
export interface CodexMethod {
  /** On the wire: `item/commandExecution/requestApproval`. */
  readonly method: string;
  /** In code: `itemCommandExecutionRequestApproval`. */
  readonly key: string;
  /** Definition names; null: no params (Codex takes null or nothing), no result (notifications). */
  readonly params: string | null;
  readonly result: string | null;
  /** True when params may be null or left out although they have a type. */
  readonly paramsOptional: boolean;
  readonly experimental: boolean;
  /** True for requests only the TypeScript export has. */
  readonly unlisted: boolean;
  readonly doc: string | null;
}

/** One method of ACP version 1. */
export interface AcpV1Method {
  readonly method: string;
  /** In code: `sessionSetMode`. */
  readonly key: string;
  /** The side that handles it; `protocol`: either. */
  readonly side: "agent" | "client" | "protocol";
  /** Definition names; null: a notification. */
  readonly params: string;
  readonly result: string | null;
  /** False when only the unstable schema has it. */
  readonly stable: boolean;
}

/** Everything the emitters read. Definitions are normalised: flat, `$ref`s of the form `#/definitions/Name`, no inline titles. */
export interface Model {
  readonly codex: {
    readonly version: string;
    /** The oldest version whose surface is kept under `schemas/versions`. */
    readonly oldest: string;
    /** Requests of the capture that another kept version lacks, by version. */
    readonly lacking: ReadonlyMap<string, readonly string[]>;
    readonly definitions: ReadonlyMap<string, Schema>;
    readonly requests: readonly CodexMethod[];
    readonly serverRequests: readonly CodexMethod[];
    readonly notifications: readonly CodexMethod[];
  };
  readonly acp: {
    readonly version: string;
    /** The unstable profile of draft v2. */
    readonly definitions: ReadonlyMap<string, Schema>;
  };
  /** Version 1, which hosts may speak instead. */
  readonly acpV1: {
    /** The unstable profile. */
    readonly definitions: ReadonlyMap<string, Schema>;
    readonly methods: readonly AcpV1Method[];
    /** Kinds of `session/update`. */
    readonly updates: readonly { readonly kind: string; readonly stable: boolean }[];
  };
  readonly contract: {
    /**
     * The effective params and results of every method (`SessionNewParams`, `SessionNewResult`, with the `_meta` of
     * their carriers in place), the `_meta` of every carrier, and what these need: definitions of
     * schemas/contract/*.schema.json under their names, those of the captures as `acp.Name` and `codex.Name`. What a
     * host sends is read through `….lenient` variants: there a place that ACP marks default-on-error has no constraint,
     * and keeps what it is meant to hold under `x-lenient`: types follow it, and parsers take out what does not.
     */
    readonly definitions: ReadonlyMap<string, Schema>;
    readonly methods: MethodsFile;
    readonly errors: ErrorsFile;
    readonly capabilities: CapabilitiesFile;
    readonly tables: TablesFile;
    readonly meta: MetaFile;
    readonly clauses: ClausesFile;
    readonly codex: CodexDispositionsFile;
    readonly acpV1: AcpV1File;
  };
}

/** What an emitter returns: files to be written, paths relative to the repository root. */
export interface GeneratedFile {
  readonly path: string;
  readonly text: string;
}

export type Emitter = (model: Model) => GeneratedFile[] | Promise<GeneratedFile[]>;

import { isObject, type JsonObject, objectAt } from "../json.js";
import { pascalCase, refName } from "../model/names.js";

/** A row of `schemas/codex/methods.json`. */
export interface CapturedMethod {
  readonly method: string;
  /** Name of the params' definition; null where Codex takes none. */
  readonly params: string | null;
  /** True when params may be null or left out although they have a type. */
  readonly paramsOptional: boolean;
  /** Name of the result's definition; null for notifications. */
  readonly result: string | null;
  /** True when Codex exports it only with `--experimental`. */
  readonly experimental: boolean;
  /** True when only Codex's TypeScript export has it. */
  readonly unlisted: boolean;
  readonly doc: string | null;
}

export interface CapturedMethods {
  readonly requests: readonly CapturedMethod[];
  readonly serverRequests: readonly CapturedMethod[];
  readonly notifications: readonly CapturedMethod[];
}

/**
 * Codex's export ties no request to its response: they belong together by name. These are the responses whose names
 * follow neither from the params nor from the method, in one of the versions that can be captured.
 */
const resultNames: { readonly [method: string]: string } = {
  "account/gatewayOAuth/cancel": "GatewayOAuthCancelResponse",
  "account/gatewayOAuth/login": "GatewayOAuthLoginResponse",
  "account/gatewayOAuth/read": "GatewayOAuthReadResponse",
  "account/logout": "LogoutAccountResponse",
  "account/rateLimits/read": "GetAccountRateLimitsResponse",
  "account/securitySetup/read": "GetAccountSecuritySetupResponse",
  "account/workspaceMessages/read": "GetWorkspaceMessagesResponse",
  "accountSession/list": "AccountSessionsResponse",
  "config/batchWrite": "ConfigWriteResponse",
  "config/mcpServer/reload": "McpServerRefreshResponse",
  "config/value/write": "ConfigWriteResponse",
  "externalAgentConfig/import/readHistories": "ExternalAgentConfigImportHistoriesReadResponse",
  "modelProvider/default/set": "ConfigWriteResponse",
};

/** The rows of one of the bundle's message unions. */
export const unionRows = (bundle: JsonObject, union: string): JsonObject[] => {
  const rows = objectAt(objectAt(bundle, "definitions", "the bundle"), union, "the bundle's definitions")["oneOf"];
  if (!Array.isArray(rows)) throw new Error(`the bundle's ${union} is no union`);
  return rows.filter(isObject);
};

/** The `method` of a row of a message union. */
export const methodOf = (row: JsonObject): string => {
  const values = objectAt(objectAt(row, "properties", "a message"), "method", "a message")["enum"];
  if (!Array.isArray(values) || typeof values[0] !== "string") throw new Error("a message without a method");
  return values[0];
};

const paramsOf = (row: JsonObject): { params: string | null; paramsOptional: boolean } => {
  const schema = objectAt(row, "properties", "a message")["params"];
  const members = isObject(schema) && Array.isArray(schema["anyOf"]) ? schema["anyOf"] : [schema];
  const name = members.map(refName).find((ref) => ref !== null) ?? null;
  const required = Array.isArray(row["required"]) && row["required"].includes("params");
  return { params: name, paramsOptional: name !== null && (!required || members.length > 1) };
};

/** The definition that answers a request. Throws when no rule and no row of the table finds one. */
export const resultOf = (method: string, params: string | null, known: ReadonlySet<string>): string => {
  const candidates = [resultNames[method], params?.replace(/Params$/, "Response"), `${pascalCase(method)}Response`];
  const found = candidates.find((name) => name !== undefined && known.has(name));
  if (found === undefined) {
    throw new Error(`no response type is known for ${method}: add a row to resultNames in codegen/capture/methods.ts`);
  }
  return found;
};

/** All definition names of a bundle, those of its `v2` namespace included. */
export const definitionNames = (bundle: JsonObject): Set<string> => {
  const { v2, ...root } = objectAt(bundle, "definitions", "the bundle");
  return new Set([...Object.keys(root), ...(isObject(v2) ? Object.keys(v2) : [])]);
};

/**
 * The method tables of a bundle. `stable` is the same export without `--experimental`: what it lacks is experimental.
 * `unlisted` are the requests that only the TypeScript export has.
 */
export const captureMethods = (
  bundle: JsonObject,
  stable: JsonObject,
  unlisted: readonly string[],
): CapturedMethods => {
  const known = definitionNames(bundle);
  const table = (union: string, answered: boolean): CapturedMethod[] => {
    const stableMethods = new Set(unionRows(stable, union).map(methodOf));
    return unionRows(bundle, union).map((row) => {
      const method = methodOf(row);
      const { params, paramsOptional } = paramsOf(row);
      return {
        method,
        params,
        paramsOptional,
        result: answered ? resultOf(method, params, known) : null,
        experimental: !stableMethods.has(method),
        unlisted: false,
        doc: typeof row["description"] === "string" ? row["description"] : null,
      };
    });
  };
  const extra = unlisted.map((method): CapturedMethod => {
    const name = pascalCase(method);
    return {
      method,
      params: `${name}Params`,
      paramsOptional: false,
      result: `${name}Response`,
      experimental: false,
      unlisted: true,
      doc: null,
    };
  });
  return {
    requests: [...table("ClientRequest", true), ...extra],
    serverRequests: table("ServerRequest", true),
    notifications: table("ServerNotification", false),
  };
};

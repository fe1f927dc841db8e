import type { McpServer } from "../generated/acp/types.js";
import type { ThreadStartParams } from "../generated/codex/types.js";
import { errors } from "../generated/contract/errors.js";
import { configOptions, type ModeId } from "../generated/contract/tables.js";

type Config = { readonly [key: string]: unknown };

/** What a mode makes Codex do, from the table of config options. */
export function modePolicy(mode: ModeId): Pick<ThreadStartParams, "approvalPolicy" | "approvalsReviewer" | "sandbox"> {
  const row = configOptions
    .flatMap((option) => (option.configId === "mode" ? [...option.values] : []))
    .find(({ value }) => value === mode);
  return row ? { ...row.codex } : {};
}

export const modeIds: readonly ModeId[] = configOptions.flatMap((option) =>
  option.configId === "mode" ? option.values.map(({ value }) => value) : [],
);

/** Absolute on either kind of system, whatever this one is: the host and Codex may disagree with it. */
export const isAbsolute = (path: string): boolean => /^(?:\/|[A-Za-z]:[\\/]|\\\\)/.test(path);

export function requireAbsolute(path: string, pointer: string): void {
  if (!isAbsolute(path)) throw errors.invalidParams({ path: pointer, expected: "an absolute path" });
}

/** Additional directories as trusted projects and writable roots (SESS-02, SESS-03). */
export function directoriesConfig(directories: readonly string[]): Config {
  if (directories.length === 0) return {};
  return {
    projects: Object.fromEntries(directories.map((path) => [path, { trust_level: "trusted" }])),
    sandbox_workspace_write: { writable_roots: [...directories] },
  };
}

/**
 * The host's MCP servers under keys that Codex takes (SESS-04, K-25): letters, digits, `-` and `_`. A server whose key
 * the user's own config already has is left out whole, never mixed (SESS-05, K-24); two that end up alike are refused.
 */
export function mcpConfig(servers: readonly McpServer[], taken: ReadonlySet<string>): Config {
  const seen = new Map<string, number>();
  const entries: [string, Config][] = [];
  for (const [index, server] of servers.entries()) {
    const path = `/mcpServers/${index}`;
    const name = "name" in server && typeof server.name === "string" ? server.name : "";
    const key = name.replaceAll(/[^A-Za-z0-9_-]/g, "_");
    if (key.replaceAll("_", "") === "") {
      throw errors.invalidParams({ path: `${path}/name`, expected: "a name with a letter or a digit in it" });
    }
    if (seen.has(key)) throw errors.mcpServerDuplicate({ path: `${path}/name`, name });
    seen.set(key, index);
    const config = serverConfig(server);
    if (!config) throw errors.mcpServerUnsupported({ path: `${path}/type`, name, type: server.type });
    if (!taken.has(key)) entries.push([key, config]);
  }
  return entries.length === 0 ? {} : { mcp_servers: Object.fromEntries(entries) };
}

interface Pair {
  readonly name: string;
  readonly value: string;
}

const isPairs = (value: unknown): value is readonly Pair[] => Array.isArray(value);

const mapOf = (pairs: unknown): { [name: string]: string } =>
  isPairs(pairs) ? Object.fromEntries(pairs.map(({ name, value }) => [name, value])) : {};

function serverConfig(server: McpServer): Config | null {
  if (server.type === "stdio" && "command" in server) {
    return { command: server.command, args: server.args ?? [], env: mapOf(server.env) };
  }
  if (server.type === "http" && "url" in server) return { url: server.url, http_headers: mapOf(server.headers) };
  return null;
}

/** Later layers win, objects are merged, everything else is replaced. */
export function mergeConfig(...layers: readonly Config[]): Config {
  const merged: { [key: string]: unknown } = {};
  for (const layer of layers) {
    for (const [key, value] of Object.entries(layer)) {
      const before = Object.hasOwn(merged, key) ? merged[key] : undefined;
      const both = isObject(before) && isObject(value) ? mergeConfig(before, value) : value;
      Object.defineProperty(merged, key, { value: both, enumerable: true, configurable: true, writable: true });
    }
  }
  return merged;
}

const isObject = (value: unknown): value is Config =>
  typeof value === "object" && value !== null && !Array.isArray(value);

import { fileURLToPath } from "node:url";

/** Lines for Codex's `config.toml` that start the test's own MCP server, under the name `tiny`. */
export const tinyMcpServer = (options: readonly string[] = []): string[] => [
  "[mcp_servers.tiny]",
  `command = ${JSON.stringify(process.execPath)}`,
  `args = [${JSON.stringify(fileURLToPath(new URL("children/mcp-server.mjs", import.meta.url)))}]`,
  ...options,
];

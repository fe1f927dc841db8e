import { fileURLToPath } from "node:url";

const script = fileURLToPath(new URL("children/mcp-server.mjs", import.meta.url));

/** The test's own MCP server as a host names it. */
export const tinyMcpServerOfHost = (name = "tiny") => ({
  type: "stdio" as const,
  name,
  command: process.execPath,
  args: [script],
  env: [],
});

/** Lines for Codex's `config.toml` that start the test's own MCP server, under the name `tiny`. */
export const tinyMcpServer = (options: readonly string[] = []): string[] => [
  "[mcp_servers.tiny]",
  `command = ${JSON.stringify(process.execPath)}`,
  `args = [${JSON.stringify(script)}]`,
  ...options,
];

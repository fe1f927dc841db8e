import type { McpServerStatusUpdatedNotification } from "../generated/codex/types.js";
import { announceTool } from "./tool-view.js";
import { content, text, type Update } from "./update.js";

/** An MCP server that did not start, as a call that failed (TOOL-17). */
export function mcpStartupFailed(toolCallId: string, params: McpServerStatusUpdatedNotification): Update {
  return announceTool({
    toolCallId,
    name: "mcp_startup",
    title: `MCP server ${params.name} did not start`,
    status: "failed",
    ...(params.error == null ? {} : { content: [content(text(params.error))] }),
  });
}

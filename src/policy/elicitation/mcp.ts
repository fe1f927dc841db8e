import type { CreateElicitationResponse } from "../../generated/acp/types.js";
import type {
  McpServerElicitationRequestParams,
  McpServerElicitationRequestResponse,
} from "../../generated/codex/types.js";
import { type McpApproval, mcpApproval, onlyCallOf } from "../permissions/mcp.js";
import { type Asked, type Reply, settled } from "../question.js";
import { formOf } from "./mcp-form.js";

type Params = McpServerElicitationRequestParams;
type Response = McpServerElicitationRequestResponse;

const cancelled: Response = { action: "cancel", content: null, _meta: null };

/**
 * What an MCP server, or Codex on behalf of one, asks of the user. A form or page that the client cannot show is
 * cancelled and not degraded (ELIC-03); so are the modes that the bridge does not opt in to.
 */
export function mcpElicitation(asked: Asked<Params>): Reply<Response> {
  const { params, sessionId, state, capabilities } = asked;
  switch (params.mode) {
    case "form": {
      const approval = approvalOf(params);
      if (approval) return mcpApproval(asked, approval);
      const requestedSchema = formOf(params.requestedSchema);
      if (capabilities.elicitation?.form == null || requestedSchema === null) return settled(cancelled);
      return {
        kind: "elicitation",
        blocking: true,
        request: { mode: "form", sessionId, ...scope(asked), message: params.message, requestedSchema },
        decide: answer,
        unanswered: cancelled,
      };
    }
    case "url": {
      if (capabilities.elicitation?.url == null) return settled(cancelled);
      const { elicitationId, url, message } = params;
      return {
        kind: "elicitation",
        blocking: true,
        request: { mode: "url", sessionId, ...scope(asked), elicitationId, url, message },
        decide: answer,
        unanswered: cancelled,
        completes: elicitationId,
      };
    }
    default:
      return settled(cancelled);
  }

  function scope({ params: { serverName } }: Asked<Params>) {
    const call = onlyCallOf(state, serverName);
    return call ? { toolCallId: call.id } : {};
  }
}

function answer({ action, ...given }: CreateElicitationResponse): Response {
  if (action === "accept")
    return { action: "accept", content: ("content" in given && given.content) || {}, _meta: null };
  return action === "decline" ? { action: "decline", content: null, _meta: null } : cancelled;
}

/** A form without fields is a yes-or-no question; one that Codex marks is the approval of a tool call. */
function approvalOf({
  serverName: server,
  message,
  _meta,
  requestedSchema,
}: Extract<Params, { mode: "form" }>): McpApproval | null {
  const meta = isObject(_meta) ? _meta : {};
  if (meta["codex_approval_kind"] === "mcp_tool_call") {
    const { tool_name: name, tool_params: args, persist } = meta;
    const persistAlways = persist === "always" || (Array.isArray(persist) && persist.includes("always"));
    return {
      server,
      message,
      tool: { name: typeof name === "string" ? name : null, arguments: args, persistAlways },
    };
  }
  return Object.keys(requestedSchema.properties).length === 0 ? { server, message, tool: null } : null;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

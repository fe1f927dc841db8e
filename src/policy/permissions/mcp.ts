import type { McpServerElicitationRequestResponse } from "../../generated/codex/types.js";
import type { ItemOf } from "../../projection/update.js";
import { equalJson } from "../../runtime/index.js";
import type { SessionState } from "../../session/turn/state.js";
import type { Asked, Reply } from "../question.js";
import { ask } from "./ask.js";
import { optionOf, rowOf } from "./options.js";
import { ownSubject, type Subject } from "./subject.js";

/** What Codex says of an approval that comes as an elicitation. */
export interface McpApproval {
  readonly server: string;
  readonly message: string;
  /** Null when the request is not about a tool: it has a message and no form (ELIC-06). */
  readonly tool: { readonly name: string | null; readonly arguments: unknown; readonly persistAlways: boolean } | null;
}

type Around = Pick<Asked<unknown>, "sessionId" | "state" | "claimed" | "newId">;

const row = rowOf("Allow tool call?");

/** A call of an MCP tool, or a yes-or-no question of an MCP server (PERM-11, ELIC-06, A-44). */
export function mcpApproval(around: Around, approval: McpApproval): Reply<McpServerElicitationRequestResponse> {
  const { server, message, tool } = approval;
  const choices = row.options.flatMap((option) =>
    offered(option.optionId, tool) ? [{ option: optionOf(option), decision: { ...option.decision } }] : [],
  );
  return ask(around, {
    title: tool ? row.title : `Question from ${server}`,
    description: [message],
    subject: subjectOf(around, approval),
    choices,
    unknown: { action: "decline", content: null, _meta: null },
    unanswered: { action: "cancel", content: null, _meta: null },
  });
}

function offered(optionId: (typeof row.options)[number]["optionId"], tool: McpApproval["tool"]): boolean {
  switch (optionId) {
    case "allow_once":
    case "allow_session":
      return tool !== null;
    case "allow_always":
      return tool?.persistAlways === true;
    case "accept":
      return tool === null;
    case "decline":
    case "cancel":
      return true;
  }
}

function subjectOf(around: Around, { server, tool }: McpApproval): Subject {
  const item = tool ? callOf(around, server, tool.name, tool.arguments) : onlyCallOf(around.state, server);
  if (item) {
    const call = tool ? { kind: "announced" as const, claims: item.id } : { kind: "announced" as const };
    return { toolCall: { toolCallId: item.id }, call };
  }
  return ownSubject({
    toolCallId: `mcp-${around.newId()}`,
    name: "mcp",
    title: tool?.name == null ? server : `${server}: ${tool.name}`,
    status: "in_progress",
    ...(tool?.arguments == null ? {} : { rawInput: tool.arguments }),
  });
}

const callsOf = ({ ledger }: SessionState, server: string): ItemOf<"mcpToolCall">[] =>
  [...ledger.values()].flatMap(({ item }) => (item.type === "mcpToolCall" && item.server === server ? [item] : []));

/**
 * The call an approval without an item id is about: of that server and tool, not yet tied to another approval, and the
 * oldest; one with these very arguments goes first.
 */
function callOf({ state, claimed }: Around, server: string, tool: string | null, args: unknown) {
  const open = callsOf(state, server).filter((item) => item.tool === tool && !claimed.has(item.id));
  return open.find((item) => equalJson(item.arguments, args)) ?? open[0];
}

/** The running call of a server, when there is no doubt which it is. */
export function onlyCallOf(state: SessionState, server: string): ItemOf<"mcpToolCall"> | undefined {
  const [only, ...others] = callsOf(state, server);
  return others.length === 0 ? only : undefined;
}

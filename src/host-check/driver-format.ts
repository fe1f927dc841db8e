/**
 * What `host-check` and a host's driver say to each other: JSON-RPC 2.0, one frame a line, over the driver's stdin and
 * stdout. The runner sends requests, the driver answers them; neither sends anything else. The JSON Schema beside the
 * cases, the checks of both ends and the table in docs/host-check.md are made from these types (`npm run generate`).
 */

/** The instructions by method. What the user does is answered as soon as the host has taken it, not when it is over. */
export interface Instructions {
  /** Says who the host is and what the driver can do. Nothing is started. */
  readonly hello: { readonly params: Nothing; readonly result: Hello };
  /** Starts the agent with this command, as the host does it, and initializes the connection. Once a run. */
  readonly open: { readonly params: AgentCommand; readonly result: Nothing };
  /** The user begins a new session. */
  readonly newSession: { readonly params: InFolder; readonly result: OpenedSession };
  /** The user opens a session that exists: the host resumes it, with its history from the start. */
  readonly openSession: { readonly params: SessionInFolder; readonly result: Taken };
  /** The user types this text and sends it. */
  readonly prompt: { readonly params: PromptText; readonly result: Taken };
  /** The user presses stop. */
  readonly cancel: { readonly params: OfSession; readonly result: Taken };
  /** The user closes the session; the connection stays. */
  readonly closeSession: { readonly params: OfSession; readonly result: Taken };
  /** The user chooses an option of a permission request, perhaps in a dialog that is out of date. */
  readonly answerPermission: { readonly params: PermissionChoice; readonly result: Taken };
  /** What the user sees of a session now. */
  readonly shown: { readonly params: OfSession; readonly result: Shown };
  /** With the ability `list`: the user looks at the sessions that the agent lists, by way of `session/list`. */
  readonly listSessions: { readonly params: Nothing; readonly result: SessionList };
  /** With `history`: the host reads all of a stored session by `_codex/session_history`, without opening it. */
  readonly readHistory: { readonly params: OfSession; readonly result: HistoryRead };
  /** With `plugins`: the user does this with a plugin of the agent's catalog, by way of `_codex/plugin_list`. */
  readonly plugin: { readonly params: PluginAction; readonly result: Taken };
  /** With `providers`: the user points the agent's OpenAI traffic at another address. */
  readonly setProvider: { readonly params: Provider; readonly result: Taken };
  /** With `tools`: from now on the host declares these tools to sessions that it begins or opens. Each answers what it is called with. */
  readonly offerTools: { readonly params: OfferedTools; readonly result: Nothing };
  /** With `tools`: what ran of the tools that the host offered. */
  readonly toolRuns: { readonly params: Nothing; readonly result: ToolRuns };
  /** With `tools`: all that the host publishes to others and keeps for its own replay, as one text. */
  readonly journal: { readonly params: Nothing; readonly result: Journal };
}

export interface Nothing {
  /** For people who read the frames; it means nothing. */
  readonly note?: string;
}

export interface Hello {
  /** Name and version of the host, for the report. */
  readonly name: string;
  readonly version: string;
  /** Further instructions that the driver knows; what it lacks is skipped. */
  readonly can: readonly Ability[];
}

/** Instructions that not every host has a use for, by group. */
export type Ability = "history" | "list" | "plugins" | "providers" | "tools";

export interface AgentCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** To be set besides the host's own environment. */
  readonly env: { readonly [name: string]: string };
  readonly cwd: string;
}

export interface InFolder {
  /** An absolute path. */
  readonly cwd: string;
}

export interface OfSession {
  /** As the agent calls it. */
  readonly sessionId: string;
}

export interface OpenedSession {
  /** As the agent calls it. */
  readonly sessionId: string;
}

export interface SessionInFolder {
  readonly sessionId: string;
  readonly cwd: string;
}

export interface PromptText {
  readonly sessionId: string;
  readonly text: string;
}

export interface PermissionChoice {
  /** The `id` under which `shown` listed the request. */
  readonly permissionId: string;
  /** An `optionId` of the agent. */
  readonly optionId: string;
}

export interface Taken {
  /** False: the host does not let the user do this now. */
  readonly accepted: boolean;
}

export interface Shown {
  /** In the order in which the user sees them. */
  readonly messages: readonly ShownMessage[];
  readonly toolCalls: readonly ShownToolCall[];
  /** What the session is doing; `unknown` for what the host cannot say. */
  readonly state: "idle" | "running" | "requires_action" | "unknown";
  /** The requests that wait for the user. */
  readonly permissions: readonly ShownPermission[];
  /** Whether the user can send a prompt now. */
  readonly mayPrompt: boolean;
}

export interface ShownMessage {
  /** The message's id; the agent's, where the host has no other. */
  readonly id: string;
  readonly role: "user" | "agent" | "thought";
  /** The text of all its text blocks. */
  readonly text: string;
}

export interface ShownToolCall {
  readonly id: string;
  /** Null: it has none. */
  readonly title: string | null;
  /** As the agent says it, unknown ones too; `pending` where it says none. */
  readonly status: string;
  /** The text of all text blocks of its content. */
  readonly text: string;
}

export interface ShownPermission {
  /** The host's own name for the request. */
  readonly id: string;
  readonly title: string;
  readonly options: readonly ShownOption[];
}

export interface ShownOption {
  readonly id: string;
  readonly name: string;
}

export interface SessionList {
  readonly sessions: readonly ListedSession[];
}

export interface ListedSession {
  readonly sessionId: string;
  /** The session that the host shows it to be a branch of; null for one of its own. */
  readonly branchOf: string | null;
}

export interface HistoryRead {
  /** False: the host gave up before the end. */
  readonly whole: boolean;
}

export interface PluginAction {
  /** The plugin's `id` in the catalog. */
  readonly pluginId: string;
  readonly action: "read" | "install" | "enable" | "disable";
}

export interface Provider {
  readonly providerId: string;
  readonly apiType: string;
  readonly baseUrl: string;
}

export interface OfferedTools {
  readonly revision: number;
  readonly definitions: readonly OfferedTool[];
}

export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  /** A JSON Schema of an object. */
  readonly inputSchema: { readonly [keyword: string]: unknown };
}

export interface ToolRuns {
  readonly runs: readonly ToolRun[];
}

export interface ToolRun {
  readonly name: string;
  readonly arguments: unknown;
}

export interface Journal {
  readonly text: string;
}

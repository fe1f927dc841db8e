import type { CodexClient } from "../../codex/client.js";
import type { McpServer, SystemPrompt } from "../../generated/acp/types.js";
import type { ThreadStartParams } from "../../generated/codex/types.js";
import type { ModeId } from "../../generated/contract/tables.js";
import type { ToolSet } from "../../generated/contract/types.js";
import { routedParams, type Target } from "../providers/target.js";
import type { Services, ThreadBase } from "../services.js";
import { directoriesConfig, mcpConfig, mergeConfig, modePolicy, requireAbsolute } from "../thread-config.js";
import { checkToolSet } from "../tools/tool-set.js";
import { checkSystemPrompt, developerInstructions } from "./instructions.js";

/** What `session/new`, `session/resume` and `session/fork` share. */
export interface OpenParams {
  readonly cwd: string;
  readonly additionalDirectories?: readonly string[] | null;
  readonly mcpServers?: readonly McpServer[] | null;
  readonly systemPrompt?: SystemPrompt | null;
  readonly _meta?: {
    readonly codex?: { readonly mode?: ModeId };
    readonly alwith?: { readonly tools?: ToolSet; readonly model?: string; readonly appendSystemPrompt?: string };
  } | null;
}

/** Refuses what can be refused without asking anyone, before anything happens (SESS-25, HOST-05). */
export function checkOpenParams(params: OpenParams): void {
  requireAbsolute(params.cwd, "/cwd");
  for (const [index, path] of (params.additionalDirectories ?? []).entries()) {
    requireAbsolute(path, `/additionalDirectories/${index}`);
  }
  if (params._meta?.alwith?.tools !== undefined) checkToolSet(params._meta.alwith.tools);
  if (params.systemPrompt != null) checkSystemPrompt(params.systemPrompt);
  mcpConfig(params.mcpServers ?? [], new Set());
}

export interface Shared {
  /** The part of Codex's params that all three have in common. */
  readonly params: Pick<
    ThreadStartParams,
    | "cwd"
    | "config"
    | "model"
    | "modelProvider"
    | "developerInstructions"
    | "approvalPolicy"
    | "approvalsReviewer"
    | "sandbox"
  >;
  /** What of it is sent again when the thread is opened anew. */
  readonly base: ThreadBase;
}

/** `mode` null leaves the thread's own. */
export async function threadParams(
  services: Services,
  client: CodexClient,
  params: OpenParams,
  mode: ModeId | null,
  target: Target,
): Promise<Shared> {
  const servers = params.mcpServers ?? [];
  const taken = servers.length === 0 ? new Set<string>() : await configuredServers(client, params.cwd);
  const config = mergeConfig(
    services.settings.config,
    directoriesConfig(params.additionalDirectories ?? []),
    mcpConfig(servers, taken),
  );
  const base: ThreadBase = { config, developerInstructions: developerInstructions(params) ?? null };
  return {
    base,
    params: { cwd: params.cwd, ...(mode === null ? {} : modePolicy(mode)), ...routedParams(base, target) },
  };
}

/** Names of the MCP servers in the user's own config, as it holds for that folder (SESS-05). */
async function configuredServers(client: CodexClient, cwd: string): Promise<ReadonlySet<string>> {
  const { config } = await client.configRead({ cwd });
  const servers: unknown = config["mcp_servers"];
  return new Set(typeof servers === "object" && servers !== null ? Object.keys(servers) : []);
}

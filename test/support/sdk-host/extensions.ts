import type * as acp from "@agentclientprotocol/sdk/experimental/v2/unstable";
import { Ajv } from "ajv";
import { agentRequests, hostRequests } from "../../../src/generated/contract/methods.js";
import type { ParamsOf, RequestDescriptor, ResultOf } from "../../../src/runtime/index.js";
import type { Handlers } from "./handlers.js";
import type { Quirk } from "./quirks.js";

/** What a host does besides for an agent of this contract. */
type Extensions = Pick<
  Handlers,
  "listSessions" | "readHistory" | "plugin" | "setProvider" | "offerTools" | "toolRuns" | "journal"
>;

export interface ExtensionsOptions {
  has(quirk: Quirk): boolean;
  agent(): acp.ClientContext;
  /** The sessions that the user has open and has said nothing in yet, with their folders. */
  emptySessions(): readonly (readonly [sessionId: string, cwd: string])[];
  close(sessionId: string): Promise<void>;
  begin(cwd: string): Promise<string>;
}

type ToolSet = Parameters<Extensions["offerTools"]>[0];
type ToolCall = ParamsOf<typeof agentRequests.toolCall>;

export function createExtensions({ has, agent, emptySessions, close, begin }: ExtensionsOptions) {
  const ajv = new Ajv();
  const runs: { readonly name: string; readonly arguments: unknown }[] = [];
  const published: unknown[] = [];
  /** The tools that each session was begun with. */
  const toolSets = new Map<string, ToolSet>();
  let offered: ToolSet | undefined;

  const ask = <D extends RequestDescriptor<unknown, unknown>>({ method }: D, params: ParamsOf<D>) =>
    agent().request<ResultOf<D>>(method as `_${string}`, params);

  async function catalogEntry(pluginId: string) {
    const { marketplaces } = await ask(hostRequests.codexPluginList, {});
    const found = marketplaces.flatMap(({ plugins }) => plugins).find(({ id }) => id === pluginId);
    if (found === undefined) throw new Error(`the catalog has no ${pluginId}`);
    return has("forgets-remote-ids") ? { ...found, remotePluginId: null } : found;
  }

  const extensions: Extensions = {
    async listSessions() {
      const all: acp.SessionInfo[] = [];
      let cursor: string | null | undefined;
      do {
        const page = await agent().request("session/list", cursor == null ? {} : { cursor });
        all.push(...page.sessions);
        cursor = has("first-page-only") ? null : page.nextCursor;
      } while (cursor != null);
      const codex = ({ _meta }: acp.SessionInfo): Readonly<Record<string, unknown>> => Object(_meta?.["codex"]);
      const root = (info: acp.SessionInfo) => {
        if (!has("branches-by-native-id")) return codex(info)["forkedFromId"];
        const first = all.find((other) => codex(other)["nativeSessionId"] === codex(info)["nativeSessionId"]);
        return first === info ? null : first?.sessionId;
      };
      return {
        sessions: all.map((info) => {
          const branchOf = root(info);
          return { sessionId: info.sessionId, branchOf: typeof branchOf === "string" ? branchOf : null };
        }),
      };
    },
    async readHistory({ sessionId }) {
      const seen = new Set<string>();
      let cursor: string | null = null;
      const read = () => ask(hostRequests.codexSessionHistory, { sessionId, cursor });
      for (;;) {
        // No error here says that a retry helps.
        let page = await read().catch(() => null);
        if (page === null && has("retries-anything")) page = await read().catch(() => null);
        if (page === null) return { whole: false };
        cursor = page.nextCursor;
        if (cursor === null || has("first-page-only")) return { whole: true };
        if (seen.has(cursor) && !has("reads-in-circles")) return { whole: false };
        seen.add(cursor);
      }
    },
    async plugin({ pluginId, action }) {
      const { name, remotePluginId } = await catalogEntry(pluginId);
      if (action === "read") await ask(hostRequests.codexPluginRead, { pluginName: remotePluginId ?? name });
      else if (action === "install") await ask(hostRequests.codexPluginInstall, { pluginName: remotePluginId ?? name });
      else {
        const enabled = action === "enable";
        await ask(hostRequests.codexPluginSetEnabled, {
          pluginId,
          enabled,
          ...(remotePluginId ? { remotePluginId } : {}),
        });
      }
      return { accepted: true };
    },
    async setProvider({ providerId, apiType, baseUrl }) {
      const empty = has("switches-under-sessions") ? [] : emptySessions();
      for (const [sessionId] of empty) await close(sessionId);
      await agent().request("providers/set", { providerId, apiType, baseUrl });
      for (const [, cwd] of empty) await begin(cwd);
      return { accepted: true };
    },
    offerTools(tools) {
      offered = tools;
      return {};
    },
    toolRuns: () => ({ runs }),
    journal: () => ({ text: JSON.stringify(published) }),
  };

  function callTool(call: ToolCall): ResultOf<typeof agentRequests.toolCall> {
    const { sessionId, name, arguments: given, toolSetRevision } = call;
    const set = toolSets.get(sessionId);
    const tool = set?.definitions.find((one) => one.name === name);
    const good = tool !== undefined && set?.revision === toolSetRevision && ajv.validate(tool.inputSchema, given);
    const text = (said: string) => [{ type: "text" as const, text: said }];
    published.push(has("tells-all") ? call : { tool: name });
    if (has("runs-nothing") || !(good || has("runs-anything")))
      return { success: false, contentItems: text("refused") };
    runs.push({ name, arguments: given });
    return { success: true, contentItems: text(JSON.stringify(given)) };
  }

  return {
    extensions,
    /** Takes calls of the offered tools. */
    serveTools: (app: acp.ClientApp): acp.ClientApp =>
      app.onRequest(
        agentRequests.toolCall.method as `_${string}`,
        (params: unknown) => params as ToolCall,
        ({ params }) => callTool(params),
      ),
    /** `_meta` of a session that is begun. */
    declared: () => (offered === undefined ? {} : { _meta: { alwith: { tools: { version: 1, ...offered } } } }),
    /** Remembers with what a session was begun. */
    begun(sessionId: string): void {
      if (offered !== undefined) toolSets.set(sessionId, offered);
    },
    /** Whether a session may be opened with the tools of now. */
    mayOpen: (sessionId: string): boolean =>
      has("restores-anything") ||
      !toolSets.has(sessionId) ||
      JSON.stringify(toolSets.get(sessionId)) === JSON.stringify(offered),
  };
}

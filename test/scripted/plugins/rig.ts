import type { ServerResponse } from "node:http";
import { requests } from "../../../src/generated/codex/methods.js";
import type {
  GetAccountResponse,
  GetAuthStatusResponse,
  PluginInstalledResponse,
  WorkspaceRouting,
} from "../../../src/generated/codex/types.js";
import { hostRequests } from "../../../src/generated/contract/methods.js";
import { isFrame } from "../../../src/testing/frames.js";
import type { ScriptedCodex } from "../../../src/testing/scripted-codex/core.js";
import type { Bridge } from "../../support/bridge.js";
import { startBridge } from "../../support/bridge-agent.js";
import { type PluginService, startPluginService } from "../../support/plugin-service.js";
import { redirectTls } from "../../support/tls/redirect.mjs";

export interface PluginsRig {
  readonly bridge: Bridge;
  /** Stands at the other end of every TLS connection. */
  readonly service: PluginService;
  set(params: Readonly<Record<string, unknown>>): Promise<unknown>;
  close(): Promise<void>;
}

/** Tokens as Codex would hand them out: none may ever reach the host (PLUG-29). */
export const tokens = ["token-of-the-first-try", "token-after-a-refresh"];

export const routing: WorkspaceRouting = {
  accountRoutingOverride: "NO_CONSTRAINT",
  backendOrigin: "https://eu.chatgpt.com",
  chatgptAccountId: "account-1",
};

export const account: GetAccountResponse = {
  account: { type: "chatgpt", email: "a@example.org", planType: "plus" },
  requiresOpenaiAuth: true,
  workspaceRouting: routing,
};

export const authStatus = (refreshed: boolean | null | undefined): GetAuthStatusResponse => ({
  authMethod: "chatgpt",
  authToken: tokens[refreshed ? 1 : 0] ?? null,
  requiresOpenaiAuth: true,
});

export const installed = (...plugins: readonly (readonly [string, boolean])[]): PluginInstalledResponse => ({
  marketplaces: plugins.map(([remotePluginId, enabled]) => ({
    name: `market-of-${remotePluginId}`,
    plugins: [
      {
        id: `${remotePluginId}@market`,
        name: remotePluginId,
        remotePluginId,
        enabled,
        installed: true,
        authPolicy: "ON_INSTALL",
        installPolicy: "AVAILABLE",
        source: { type: "remote" },
      },
    ],
  })),
});

export const confirming =
  (id: unknown, enabled: unknown) =>
  (response: ServerResponse): void => {
    response.setHeader("content-type", "application/json").end(JSON.stringify({ id, enabled }));
  };

/** A Codex that is signed in to ChatGPT. */
export function signIn(codex: ScriptedCodex): void {
  codex.on(requests.accountRead, () => account);
  codex.on(requests.getAuthStatus, ({ refreshToken }) => authStatus(refreshToken));
  codex.on(requests.pluginReconcile, () => ({
    changedPlugins: [],
    failedMaterializationRemotePluginIds: [],
    failedRemotePluginIds: [],
  }));
}

/** A bridge with Node's own `fetch`, over TLS to a stand-in, and with a Codex that is signed in to ChatGPT. */
export async function startPlugins(): Promise<PluginsRig> {
  const service = await startPluginService();
  const restore = redirectTls(service.port);
  const bridge = startBridge();
  const { host, codex, log } = bridge;
  signIn(codex);
  await host.request(hostRequests.initialize, {
    protocolVersion: 2,
    info: { name: "test", version: "0" },
    capabilities: {},
  });
  // What the agent reads at its start has been read: the tests look at what a change asks.
  await bridge.clock.settle();
  return {
    bridge,
    service,
    set: (params) => host.call(hostRequests.codexPluginSetEnabled.method, params),
    async close() {
      restore();
      await service.close();
      const notes = log.entries.filter((entry) => !isFrame(entry));
      const said = JSON.stringify([host.frames(), notes]);
      for (const token of tokens) if (said.includes(token)) throw new Error("a token reached the host or the log");
      await bridge.close();
    },
  };
}

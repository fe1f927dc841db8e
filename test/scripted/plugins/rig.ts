import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { requests } from "../../../src/generated/codex/methods.js";
import type {
  GetAccountResponse,
  GetAuthStatusResponse,
  PluginInstalledResponse,
  WorkspaceRouting,
} from "../../../src/generated/codex/types.js";
import { hostRequests } from "../../../src/generated/contract/methods.js";
import type { Bridge } from "../../support/bridge.js";
import { startBridge } from "../../support/bridge-agent.js";

/** A call as the plugin service got it. */
export interface Call {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface PluginsRig {
  readonly bridge: Bridge;
  /** Calls of the stand-in service so far. */
  readonly calls: readonly Call[];
  /** Where the agent believed it went. */
  readonly origins: readonly string[];
  /** Answers the calls from now on; one that is left open stays so until the end of the test. */
  serve(answer: (response: ServerResponse, nth: number) => void): void;
  /** The first call, once it has come. */
  readonly called: Promise<void>;
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

/** A bridge whose calls to ChatGPT end at a stand-in on loopback, with a Codex that is signed in to ChatGPT. */
export async function startPlugins(): Promise<PluginsRig> {
  const calls: Call[] = [];
  const origins: string[] = [];
  let answer: (response: ServerResponse, nth: number) => void = (response) => response.writeHead(500).end();
  let cameIn = (): void => undefined;
  const called = new Promise<void>((resolve) => {
    cameIn = resolve;
  });
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method, url, headers } = request;
      calls.push({ method, path: url, headers, body: Buffer.concat(chunks).toString() });
      cameIn();
      answer(response, calls.length);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the stand-in has no port");
  const toStandIn: typeof fetch = (input, init) => {
    const url = new URL(String(input));
    origins.push(url.origin);
    return fetch(`http://127.0.0.1:${address.port}${url.pathname}${url.search}`, init);
  };
  const bridge = startBridge({ agent: { fetch: toStandIn } });
  const { host, codex } = bridge;
  codex.on(requests.accountRead, () => account);
  codex.on(requests.getAuthStatus, ({ refreshToken }) => authStatus(refreshToken));
  codex.on(requests.pluginReconcile, () => ({
    changedPlugins: [],
    failedMaterializationRemotePluginIds: [],
    failedRemotePluginIds: [],
  }));
  await host.request(hostRequests.initialize, {
    protocolVersion: 2,
    info: { name: "test", version: "0" },
    capabilities: {},
  });
  // What the agent reads at its start has been read: the tests look at what a change asks.
  await bridge.clock.settle();
  return {
    bridge,
    calls,
    origins,
    called,
    serve: (next) => {
      answer = next;
    },
    set: (params) => host.call(hostRequests.codexPluginSetEnabled.method, params),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      const said = JSON.stringify(host.frames());
      for (const token of tokens) if (said.includes(token)) throw new Error("a token reached the host");
      await bridge.close();
    },
  };
}

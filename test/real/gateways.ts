import { hostRequests } from "../../src/generated/contract/methods.js";
import type { ProvidersSetParams } from "../../src/generated/contract/types.js";
import { type ScriptedModel, startScriptedModel } from "../../src/testing/scripted-model/server.js";
import { httpError, message } from "../../src/testing/scripted-model/steps.js";
import type { CodexUnderTest } from "../support/codexes.js";
import { type RealBridge, type RealBridgeOptions, startRealBridge } from "../support/real-bridge.js";

/** What a test of gateways stands on: a real Codex between its own provider and two gateways of the loopback. */
export interface GatewayRig {
  readonly bridge: RealBridge;
  /** `native` is Codex's own. */
  readonly models: Readonly<Record<Place, ScriptedModel>>;
  set(place: "a" | "b", codex: object, alwith?: object): Promise<unknown>;
  disable(id?: string): Promise<unknown>;
  open(model?: string): Promise<string>;
  resume(sessionId: string, model?: string): Promise<unknown>;
  fork(sessionId: string, model?: string): Promise<string>;
  choose(sessionId: string, model: string): Promise<unknown>;
  /** Runs a turn, and says which of the three got its request. */
  turn(sessionId: string): Promise<Place>;
  close(): Promise<void>;
}

export type Place = "native" | "a" | "b";

/** What a gateway is given, and nobody else may see: by place. */
export const secrets = {
  a: { bearerToken: "token-of-gateway-a", header: "header-of-gateway-a" },
  b: { bearerToken: "token-of-gateway-b", header: "header-of-gateway-b" },
} as const;

/** It answers, or refuses the key that it is given and quotes it. */
const scriptsOf = (key: string) => [
  { key: "GO", steps: [message("Gone.")] },
  { key: "QUOTE", steps: [httpError(400, { error: { message: `Incorrect key: ${key}` } })] },
];

export async function startGateways(
  codex: CodexUnderTest,
  options: Partial<RealBridgeOptions> = {},
): Promise<GatewayRig> {
  const [a, b] = await Promise.all([
    startScriptedModel({ scripts: scriptsOf(secrets.a.bearerToken) }),
    startScriptedModel({ scripts: scriptsOf(secrets.b.bearerToken) }),
  ]);
  const bridge = await startRealBridge({ codex, scripts: scriptsOf(""), ...options });
  const models = { native: bridge.model, a, b };
  const { host, home } = bridge;
  const places = Object.keys(models) as Place[];
  const params = { cwd: home.workspace, mcpServers: [] };
  const hint = (model?: string) => (model === undefined ? {} : { _meta: { alwith: { model } } });
  await host.request(hostRequests.initialize, {
    protocolVersion: 2,
    info: { name: "test", version: "0" },
    capabilities: {},
  });
  return {
    bridge,
    models,
    set: (place, meta, alwith) =>
      host.request(hostRequests.providersSet, {
        providerId: "openai",
        apiType: "openai",
        baseUrl: models[place].url,
        headers: { "x-gateway": secrets[place].header },
        _meta: { codex: { bearerToken: secrets[place].bearerToken, ...meta }, ...(alwith ? { alwith } : {}) },
      } as ProvidersSetParams),
    disable: (id) =>
      host.request(hostRequests.providersDisable, {
        providerId: "openai",
        ...(id === undefined ? {} : { _meta: { codex: { id } } }),
      }),
    async open(model) {
      return (await host.request(hostRequests.sessionNew, { ...params, ...hint(model) })).sessionId;
    },
    resume: (sessionId, model) => host.request(hostRequests.sessionResume, { sessionId, ...params, ...hint(model) }),
    async fork(sessionId, model) {
      return (await host.request(hostRequests.sessionFork, { sessionId, ...params, ...hint(model) })).sessionId;
    },
    choose: (sessionId, value) =>
      host.request(hostRequests.sessionSetConfigOption, { sessionId, configId: "model", type: "id", value }),
    async turn(sessionId) {
      const before = places.map((place) => models[place].requests.length);
      const n = host
        .updates(sessionId)
        .filter((it) => it.sessionUpdate === "state_update" && it.state === "idle").length;
      await host.request(hostRequests.sessionPrompt, { sessionId, prompt: [{ type: "text", text: "GO" }] });
      const idle = await host.idle(sessionId, n + 1);
      if (!("stopReason" in idle) || idle.stopReason !== "end_turn") throw new Error(JSON.stringify(idle));
      const [got, ...more] = places.filter((place, at) => models[place].requests.length > (before[at] ?? 0));
      if (got === undefined || more.length > 0) throw new Error(`the request went to ${[got, ...more].join(", ")}`);
      return got;
    },
    async close() {
      try {
        await bridge.close();
      } finally {
        await Promise.all([a.close(), b.close()]);
      }
    },
  };
}

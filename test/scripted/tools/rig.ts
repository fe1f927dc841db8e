import { serverRequests } from "../../../src/generated/codex/methods.js";
import type { DynamicToolCallParams } from "../../../src/generated/codex/types.js";
import { agentRequests, hostRequests } from "../../../src/generated/contract/methods.js";
import type { ToolCallParams, ToolCallResult, ToolSet } from "../../../src/generated/contract/types.js";
import { dynamicToolCall } from "../../../src/testing/scripted-codex/items.js";
import { type Dialog, ids, type Rig, startRig } from "../permissions/rig.js";

export const toolSet = (names: readonly string[] = ["lookup"], revision: string | number = "r1"): ToolSet => ({
  version: 1,
  revision,
  definitions: names.map((name) => ({ name, description: `Does ${name}`, inputSchema: { type: "object" } })),
});

export type Callback = Dialog<ToolCallParams, ToolCallResult>;

/** A running turn of a session with a tool, and a host that answers calls when the test says so. */
export interface ToolRig extends Rig {
  readonly callbacks: readonly Callback[];
  /** The `n`-th callback, counted from 1. */
  callback(n?: number): Promise<Callback>;
  /** Writes a result that is off contract. */
  answerRaw(callback: Callback, result: unknown): void;
}

export async function startTools(mode: "agent" | "agent-full-access" = "agent-full-access"): Promise<ToolRig> {
  const rig = await startRig({ meta: { alwith: { tools: toolSet() } } });
  // The scripted Codex opens every thread in full access.
  if (mode === "agent") {
    const { bridge, sessionId } = rig;
    const option = { sessionId, configId: "mode", type: "id" as const, value: mode };
    await bridge.host.request(hostRequests.sessionSetConfigOption, option);
  }
  return withCallbacks(rig);
}

export function withCallbacks(rig: Rig): ToolRig {
  const { host, waits } = rig.bridge;
  const callbacks: Callback[] = [];
  host.on(
    agentRequests.toolCall,
    (params, id) =>
      new Promise<ToolCallResult>((resolve, reject) => callbacks.push({ id, params, answer: resolve, fail: reject })),
  );
  return {
    ...rig,
    callbacks,
    callback: (n = 1) => waits.until(`callback ${n}`, () => callbacks[n - 1]),
    answerRaw: ({ id }, result) => host.rawFrames({ jsonrpc: "2.0", id, result }),
  };
}

/** Codex calls a tool; with `announce`, its item starts first, as from the real one. */
export function callTool(
  { bridge, turn }: Pick<Rig, "bridge" | "turn">,
  callId: string,
  fields: Partial<DynamicToolCallParams> = {},
  announce = true,
) {
  const params = { tool: "alwith_client_lookup", namespace: null, arguments: { key: "a" }, callId, ...fields };
  if (announce) turn.itemStarted(dynamicToolCall({ id: callId, tool: params.tool, arguments: { key: "a" } }));
  return bridge.codex.ask(serverRequests.itemToolCall, { ...ids(turn), ...params });
}

export const found = (text = "found"): ToolCallResult => ({ success: true, contentItems: [{ type: "text", text }] });

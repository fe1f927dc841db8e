import { afterEach, describe, expect } from "vitest";
import { agentRequests, hostNotifications, hostRequests } from "../../src/generated/contract/methods.js";
import type { RequestPermissionParams, ToolCallParams, ToolSet } from "../../src/generated/contract/types.js";
import { functionCall, message } from "../../src/testing/scripted-model/steps.js";
import { clause } from "../support/clause.js";
import { isUpdate } from "../support/host.js";
import { type RealBridge, startRealBridge } from "../support/real-bridge.js";

let bridge: RealBridge;

afterEach(() => bridge.close());

const toolSet = (name: string, revision: string): ToolSet => ({
  version: 1,
  revision,
  definitions: [
    {
      name,
      description: "Looks a thing up",
      inputSchema: { type: "object", properties: { key: { type: "string" } } } as { type: "object" },
    },
  ],
});

const lookup = (key: string) => ({
  key,
  steps: [functionCall("alwith_client_lookup", { key }), message(`Done with ${key}.`)],
});

/** What happens on the host's side, in order. */
async function start(keys: readonly string[]) {
  bridge = await startRealBridge({ git: true, scripts: keys.map(lookup) });
  const { host } = bridge;
  const order: string[] = [];
  const permissions: RequestPermissionParams[] = [];
  const callbacks: ToolCallParams[] = [];
  host.on(agentRequests.requestPermission, (params) => {
    order.push("permission");
    permissions.push(params);
    return { outcome: { outcome: "selected", optionId: "allow_once" } };
  });
  host.on(agentRequests.toolCall, (params) => {
    order.push("callback");
    callbacks.push(params);
    return {
      success: true,
      contentItems: [{ type: "text" as const, text: `value of ${Object(params.arguments).key}` }],
    };
  });
  await host.request(hostRequests.initialize, {
    protocolVersion: 2,
    info: { name: "test", version: "0" },
    capabilities: {},
  });
  return { host, order, permissions, callbacks };
}

async function open(mode: "agent" | "agent-full-access") {
  const { sessionId } = await bridge.host.request(hostRequests.sessionNew, {
    cwd: bridge.home.workspace,
    mcpServers: [],
    _meta: { alwith: { tools: toolSet("lookup", "r1") }, codex: { mode } },
  });
  return sessionId;
}

async function turn(sessionId: string, key: string, n = 1) {
  const { host } = bridge;
  await host.request(hostRequests.sessionPrompt, { sessionId, prompt: [{ type: "text", text: key }] });
  return host.idle(sessionId, n);
}

const bodyOf = (key: string, step: number): string =>
  JSON.stringify(bridge.model.requests.find((it) => it.key === key && it.step === step)?.body);

const framesOf = (sessionId: string) => bridge.host.updates(sessionId);

describe("the real Codex calls a tool of the host", () => {
  clause(
    ["CTOOL-04", "CTOOL-07", "CTOOL-08", "CTOOL-12", "CTOOL-13", "CTOOL-22"],
    "once the user has agreed to it",
    async () => {
      const { order, permissions, callbacks } = await start(["ONE"]);
      const sessionId = await open("agent");
      expect(await turn(sessionId, "ONE")).toMatchObject({ stopReason: "end_turn" });
      expect(order).toEqual(["permission", "callback"]);
      const [callback] = callbacks;
      expect(callback).toEqual({
        sessionId,
        turnId: expect.any(String),
        toolCallId: expect.any(String),
        name: "lookup",
        arguments: { key: "ONE" },
        toolSetRevision: "r1",
      });
      expect(permissions[0]?.subject).toMatchObject({ toolCall: { toolCallId: callback?.toolCallId } });
      // Declared before the first turn, and answered in it.
      expect(bodyOf("ONE", 0)).toContain("alwith_client_lookup");
      expect(bodyOf("ONE", 1)).toContain("value of ONE");
      const states = framesOf(sessionId).filter(isUpdate("state_update"));
      expect(states.map(({ state }) => state)).toEqual(["running", "requires_action", "running", "idle"]);
      const calls = framesOf(sessionId).filter(isUpdate("tool_call_update"));
      expect(calls[0]).toMatchObject({ toolCallId: callback?.toolCallId, name: "dynamic_tool", status: "in_progress" });
      expect(calls.at(-1)).toMatchObject({ toolCallId: callback?.toolCallId, status: "completed" });
      expect(JSON.stringify(calls.at(-1))).toContain("value of ONE");
    },
    60_000,
  );

  clause(
    ["CTOOL-05", "CTOOL-07", "CTOOL-12", "CTOOL-13"],
    "without asking in full access, and as it knows the tool after a resume with another set",
    async () => {
      const { host, order, callbacks } = await start(["ONE", "TWO", "THREE"]);
      const sessionId = await open("agent-full-access");
      await turn(sessionId, "ONE");
      expect(order).toEqual(["callback"]);
      const states = framesOf(sessionId).filter(isUpdate("state_update"));
      expect(states.map(({ state }) => state)).toEqual(["running", "idle"]);
      const resume = async (tools?: ToolSet) => {
        await host.request(hostRequests.sessionClose, { sessionId });
        await host.request(hostRequests.sessionResume, {
          sessionId,
          cwd: bridge.home.workspace,
          mcpServers: [],
          _meta: { alwith: tools ? { tools } : {}, codex: { mode: "agent-full-access" } },
        });
      };
      await resume(toolSet("other", "r2"));
      const before = framesOf(sessionId).filter((it) => isUpdate("state_update")(it) && it.state === "idle").length;
      await turn(sessionId, "TWO", before + 1);
      expect(bodyOf("TWO", 0)).toContain("alwith_client_lookup");
      expect(bodyOf("TWO", 0)).not.toContain("alwith_client_other");
      expect(callbacks.at(-1)).toMatchObject({ name: "lookup", arguments: { key: "TWO" }, toolSetRevision: "r2" });
      expect(bodyOf("TWO", 1)).toContain("value of TWO");

      await resume();
      const later = framesOf(sessionId).filter((it) => isUpdate("state_update")(it) && it.state === "idle").length;
      await turn(sessionId, "THREE", later + 1);
      expect(callbacks).toHaveLength(2);
      expect(bodyOf("THREE", 1)).toContain("its revision is unknown");
    },
    90_000,
  );

  clause(
    ["CTOOL-07"],
    "until it is stopped",
    async () => {
      const { host } = await start(["ONE"]);
      const came = new Promise<void>((resolve) => {
        host.on(agentRequests.toolCall, () => {
          resolve();
          return new Promise<never>(() => undefined);
        });
      });
      const sessionId = await open("agent-full-access");
      await host.request(hostRequests.sessionPrompt, { sessionId, prompt: [{ type: "text", text: "ONE" }] });
      await came;
      host.notify(hostNotifications.sessionCancel, { sessionId });
      expect(await host.idle(sessionId)).toMatchObject({ stopReason: "cancelled" });
      const cancelMethod = hostNotifications.cancelRequest.method;
      expect(host.frames().filter(({ method }) => method === cancelMethod)).toHaveLength(1);
    },
    60_000,
  );
});

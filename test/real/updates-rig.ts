import { hostRequests } from "../../src/generated/contract/methods.js";
import { isUpdate, type UpdateOf } from "../support/host.js";
import { type RealBridge, type RealBridgeOptions, startRealBridge } from "../support/real-bridge.js";

/** The words that the tests of updates and calls are written in. */
export interface UpdatesRig {
  readonly bridge: RealBridge;
  /** A session of its own for each test, all at one Codex. */
  open(): Promise<UpdatesSession>;
  session(sessionId: string): UpdatesSession;
}

export type UpdatesSession = ReturnType<typeof sessionOf>;

export async function startUpdates(options: RealBridgeOptions): Promise<UpdatesRig> {
  const bridge = await startRealBridge({ git: true, env: { INITIAL_AGENT_MODE: "agent-full-access" }, ...options });
  const { host, home } = bridge;
  await host.request(hostRequests.initialize, {
    protocolVersion: 2,
    info: { name: "test", version: "0" },
    capabilities: {},
  });
  return {
    bridge,
    async open() {
      const { sessionId } = await host.request(hostRequests.sessionNew, { cwd: home.workspace, mcpServers: [] });
      return sessionOf(bridge, sessionId);
    },
    session: (sessionId) => sessionOf(bridge, sessionId),
  };
}

function sessionOf({ host, home }: RealBridge, sessionId: string) {
  const ofKind = <Kind extends Parameters<typeof isUpdate>[0]>(kind: Kind): UpdateOf<Kind>[] =>
    host.updates(sessionId).filter(isUpdate(kind));
  const prompt = (text: string) =>
    host.request(hostRequests.sessionPrompt, { sessionId, prompt: [{ type: "text", text }] });
  return {
    sessionId,
    ofKind,
    prompt,
    /** Frames of calls, without those that tell of servers. */
    calls: () => ofKind("tool_call_update").filter(({ toolCallId }) => !toolCallId.startsWith("mcp-startup")),
    async turn(text: string) {
      await prompt(text);
      // A session that was opened anew says once that it is idle, of no turn.
      return host.update(sessionId, (update) => isUpdate("state_update")(update) && "stopReason" in update);
    },
    resume: (replay: boolean) =>
      host.request(hostRequests.sessionResume, {
        sessionId,
        cwd: home.workspace,
        mcpServers: [],
        ...(replay ? { replayFrom: { type: "start" as const } } : {}),
      }),
  };
}

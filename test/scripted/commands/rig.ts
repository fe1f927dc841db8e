import { agentRequests, hostRequests } from "../../../src/generated/contract/methods.js";
import type { RequestPermissionParams } from "../../../src/generated/contract/types.js";
import type { Bridge } from "../../support/bridge.js";
import { startBridge } from "../../support/bridge-agent.js";
import type { Update } from "../../support/host.js";

/** A bridge with one open session, and a host that answers the plan's question when it is told how. */
export interface CommandRig {
  readonly bridge: Bridge;
  readonly sessionId: string;
  /** Sends a text; resolves with the receipt. */
  prompt(text: string): Promise<string>;
  updates(): Update[];
  /** Texts of the agent's whole messages so far. */
  said(): string[];
  /** The questions asked so far. */
  readonly asked: readonly RequestPermissionParams[];
  /** Answers the next question, or the one that is open. */
  choose(optionId: string | null): void;
  settle(): Promise<void>;
}

export async function startCommands(): Promise<CommandRig> {
  const bridge = startBridge();
  const { host, clock } = bridge;
  const asked: RequestPermissionParams[] = [];
  let answer: (optionId: string | null) => void = () => undefined;
  const decided = new Promise<string | null>((resolve) => {
    answer = resolve;
  });
  host.on(agentRequests.requestPermission, async (params) => {
    asked.push(params);
    const optionId = await decided;
    return { outcome: optionId === null ? { outcome: "cancelled" } : { outcome: "selected", optionId } };
  });
  await host.request(hostRequests.initialize, {
    protocolVersion: 2,
    info: { name: "test", version: "0" },
    capabilities: {},
  });
  const { sessionId } = await host.request(hostRequests.sessionNew, { cwd: "/home/user/project", mcpServers: [] });
  await clock.settle();
  return {
    bridge,
    sessionId,
    asked,
    async prompt(text) {
      const { messageId } = await host.request(hostRequests.sessionPrompt, {
        sessionId,
        prompt: [{ type: "text", text }],
      });
      await clock.settle();
      return messageId;
    },
    updates: () => host.updates(sessionId),
    said: () =>
      host
        .updates(sessionId)
        .flatMap((update) =>
          update.sessionUpdate === "agent_message" && Array.isArray(update["content"])
            ? update["content"].map((block: { text?: unknown }) => String(block.text))
            : [],
        ),
    choose: (optionId) => answer(optionId),
    settle: () => clock.settle(),
  };
}

export const states = (updates: readonly Update[]): unknown[] =>
  updates.flatMap((update) => (update.sessionUpdate === "state_update" ? [update["state"]] : []));

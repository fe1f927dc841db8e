import {
  type ClientContext,
  client,
  SessionUpdate,
  StateUpdate,
  type Stream,
} from "@agentclientprotocol/sdk/experimental/v2/unstable";
import { version } from "../../version.js";

/** How a turn ended. */
export type Idle = Extract<StateUpdate, { state: "idle" }>;

export interface TurnOptions {
  readonly stream: Stream;
  readonly cwd: string;
  readonly prompt: string;
  /** Aborted by Ctrl-C or when the bridge is gone; its reason is what the turn rejects with. */
  readonly signal: AbortSignal;
  onUpdate(update: SessionUpdate): void;
  onAgent(name: string): void;
}

/** One whole turn as an ACP v2 client: initialize, session/new, session/prompt, updates until idle, session/close. */
export async function runTurn({ stream, cwd, prompt, signal, onUpdate, onAgent }: TurnOptions): Promise<Idle> {
  let ended: (idle: Idle) => void;
  const idle = new Promise<Idle>((resolve) => {
    ended = resolve;
  });
  const talk = async (agent: ClientContext): Promise<Idle> => {
    const { info } = await agent.request("initialize", {
      protocolVersion: 2,
      info: { name: "codex-acp-kit-demo", version },
      capabilities: {},
    });
    onAgent(`${info.name} ${info.version}`);
    const { sessionId } = await agent.request("session/new", { cwd, mcpServers: [] });
    await agent.request("session/prompt", { sessionId, prompt: [{ type: "text", text: prompt }] });
    const end = await idle;
    await agent.request("session/close", { sessionId });
    return end;
  };
  return client({ name: "codex-acp-kit demo" })
    .onNotification("session/update", ({ params: { update } }) => {
      onUpdate(update);
      if (SessionUpdate.isStateUpdate(update) && StateUpdate.isIdle(update)) ended(update);
    })
    .connectWith(stream, (agent) => Promise.race([rejection(signal), talk(agent)]));
}

function rejection(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}

import { hostNotifications, hostRequests } from "../../src/generated/contract/methods.js";
import { type Client, promptParams } from "../bench/client.js";

/** What is done to an agent over and over, and what went wrong with it. */
export interface Player {
  /** One session: opened, prompted, stopped, closed, resumed with its history, prompted again, deleted. */
  round(): Promise<void>;
  /** A session that stays open through all of it. */
  begin(): Promise<void>;
  /** Codex was ended: that session must go on. */
  afterLoss(): Promise<void>;
  readonly turns: number;
  readonly stops: number;
  readonly resumes: number;
  kills: number;
  readonly faults: string[];
}

export function play(client: Client, cwd: string): Player {
  const idle = new Map<string, (reason: string) => void>();
  const running = new Map<string, () => void>();
  client.onUpdate = (update, sessionId) => {
    if (update.sessionUpdate !== "state_update") return;
    if (update.state === "running") running.get(sessionId)?.();
    if (update.state !== "idle" || !("stopReason" in update)) return;
    idle.get(sessionId)?.(String(update.stopReason));
    idle.delete(sessionId);
  };
  let survivor = "";

  async function turn(sessionId: string, text: string, wanted: string): Promise<void> {
    const reason = await ending(sessionId, text, wanted === "cancelled");
    if (reason !== wanted) player.faults.push(`a turn of ${JSON.stringify(text)} ended with ${reason}`);
  }

  async function ending(sessionId: string, text: string, stop = false): Promise<string> {
    const ended = new Promise<string>((resolve) => idle.set(sessionId, resolve));
    const begun = new Promise<void>((resolve) => running.set(sessionId, resolve));
    await client.request(hostRequests.sessionPrompt.method, promptParams(sessionId, text));
    if (stop) {
      await begun;
      client.notify(hostNotifications.sessionCancel.method, { sessionId });
      player.stops += 1;
    }
    const reason = await ended;
    running.delete(sessionId);
    player.turns += 1;
    return reason;
  }

  const player = {
    turns: 0,
    stops: 0,
    resumes: 0,
    kills: 0,
    faults: [] as string[],
    async round() {
      const sessionId = await client.newSession();
      await turn(sessionId, "TALK", "end_turn");
      await turn(sessionId, "RUN", "end_turn");
      await turn(sessionId, "HANG", "cancelled");
      await client.request(hostRequests.sessionClose.method, { sessionId });
      await client.request(hostRequests.sessionResume.method, {
        sessionId,
        cwd,
        mcpServers: [],
        replayFrom: { type: "start" },
      });
      player.resumes += 1;
      await turn(sessionId, "TALK", "end_turn");
      await client.request(hostRequests.sessionDelete.method, { sessionId });
    },
    async begin() {
      survivor = await client.newSession();
      await turn(survivor, "TALK", "end_turn");
    },
    async afterLoss() {
      // A prompt on its way to the Codex that ended is lost with it, and is not sent a second time.
      if ((await ending(survivor, "TALK")) === "error") await turn(survivor, "TALK", "end_turn");
    },
  };
  return player;
}

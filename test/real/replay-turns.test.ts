import { afterEach, describe, expect, vi } from "vitest";
import { compareVersions } from "../../src/codex/version.js";
import { hostNotifications, hostRequests } from "../../src/generated/contract/methods.js";
import { message, stall } from "../../src/testing/scripted-model/steps.js";
import { clause } from "../support/clause.js";
import { codexes } from "../support/codexes.js";
import { isUpdate, type Update } from "../support/host.js";
import { type RealBridge, startRealBridge } from "../support/real-bridge.js";
import { greet } from "../support/second-agent.js";

let bridge: RealBridge;

afterEach(() => bridge.close());

/** One red dot. */
const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

describe.each(codexes)("Codex $version", (codex) => {
  async function start(): Promise<void> {
    bridge = await startRealBridge({
      codex,
      git: true,
      scripts: [
        { key: "SAY", steps: [message({ text: "Said.", phase: "final_answer" })] },
        { key: "STALL", steps: [stall()] },
      ],
    });
    await greet(bridge.host);
  }

  const open = async (): Promise<string> => {
    const { sessionId } = await bridge.host.request(hostRequests.sessionNew, {
      cwd: bridge.home.workspace,
      mcpServers: [],
    });
    return sessionId;
  };

  /** Closes the session and opens it again: what is replayed. */
  async function replay(sessionId: string): Promise<Update[]> {
    const { host, home } = bridge;
    await host.request(hostRequests.sessionClose, { sessionId });
    const before = host.updates(sessionId).length;
    await host.request(hostRequests.sessionResume, {
      sessionId,
      cwd: home.workspace,
      mcpServers: [],
      replayFrom: { type: "start" },
    });
    return host.updates(sessionId).slice(before);
  }

  const codexOf = (it: Update | undefined): Readonly<Record<string, unknown>> => Object(Object(it?._meta).codex);

  clause(
    ["REPLAY-01", "REPLAY-02"],
    "a turn that was stopped says so on what is left of it, and invents nothing",
    async () => {
      await start();
      const { host } = bridge;
      const sessionId = await open();
      await host.request(hostRequests.sessionPrompt, { sessionId, prompt: [{ type: "text", text: "STALL" }] });
      await host.update(sessionId, (it) => isUpdate("state_update")(it) && it.state === "running");
      // Codex records a prompt once its model has been asked.
      await vi.waitFor(() => expect(bridge.model.requests.some(({ key }) => key === "STALL")).toBe(true), 10_000);
      host.notify(hostNotifications.sessionCancel, { sessionId });
      expect(await host.idle(sessionId)).toMatchObject({ stopReason: "cancelled" });
      const live = host.updates(sessionId).find(isUpdate("user_message"));
      const turnId = host
        .updates(sessionId)
        .map((it) => codexOf(it)["turnId"])
        .find((id) => id !== undefined);
      const told = (await replay(sessionId)).filter((it) => "messageId" in it || "toolCallId" in it);
      expect(told.map((it) => it.sessionUpdate)).toEqual(["user_message"]);
      expect(told[0]).toMatchObject({ messageId: live?.messageId, content: [{ type: "text", text: "STALL" }] });
      expect(codexOf(told[0])).toMatchObject({ historyInterrupted: true, turnId });
    },
  );

  clause(
    ["REPLAY-03", "REPLAY-28"],
    "an image that was sent comes back, and an answer with the time of its end",
    async () => {
      await start();
      const { host } = bridge;
      const sessionId = await open();
      const image = { type: "image" as const, mimeType: "image/png", data: png };
      await host.request(hostRequests.sessionPrompt, { sessionId, prompt: [{ type: "text", text: "SAY" }, image] });
      const from = Date.now() - 60_000;
      expect(await host.idle(sessionId)).toMatchObject({ stopReason: "end_turn" });
      const told = await replay(sessionId);
      expect(told.find(isUpdate("user_message"))?.content).toEqual([{ type: "text", text: "SAY" }, image]);
      // The older Codex dates no items: the end of the turn stands in (REPLAY-29).
      const clock = compareVersions(codex.version, "0.166.0") < 0 ? "turnCompletedAt" : "messageCompletedAt";
      const endedAt = codexOf(told.find(isUpdate("agent_message")))[clock];
      expect(endedAt).toEqual(expect.any(Number));
      expect(Number(endedAt)).toBeGreaterThan(from);
      expect(Number(endedAt)).toBeLessThanOrEqual(Date.now());
    },
  );
});

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect } from "vitest";
import { hostRequests } from "../../src/generated/contract/methods.js";
import { message } from "../../src/testing/scripted-model/steps.js";
import { clause } from "../support/clause.js";
import { codexes } from "../support/codexes.js";
import { isUpdate } from "../support/host.js";
import { type RealBridge, startRealBridge } from "../support/real-bridge.js";
import { greet } from "../support/second-agent.js";

let bridge: RealBridge;

describe.each(codexes)("Codex $version", (codex) => {
  beforeEach(async () => {
    bridge = await startRealBridge({ codex, scripts: [{ key: "SAY", steps: [message("Said.")] }] });
    await greet(bridge.host);
  }, 60_000);

  afterEach(() => bridge.close());

  /** Runs one turn in a new session, closes it, opens it again from the start, and gives what was replayed. */
  async function replayOf(prompt: readonly object[]) {
    const { host, home } = bridge;
    const cwd = home.workspace;
    const { sessionId } = await host.request(hostRequests.sessionNew, { cwd, mcpServers: [] });
    await host.call(hostRequests.sessionPrompt.method, { sessionId, prompt });
    expect(await host.idle(sessionId)).toMatchObject({ stopReason: "end_turn" });
    await host.request(hostRequests.sessionClose, { sessionId });
    const before = host.updates(sessionId).length;
    await host.request(hostRequests.sessionResume, { sessionId, cwd, mcpServers: [], replayFrom: { type: "start" } });
    return host
      .updates(sessionId)
      .slice(before)
      .filter((update) => isUpdate("user_message")(update) || isUpdate("agent_message")(update));
  }

  describe("a replay of the real Codex's history", () => {
    clause(
      ["REPLAY-23", "REPLAY-24", "REPLAY-34"],
      "says that it is one, and only how long the turn took",
      async () => {
        const replayed = await replayOf([{ type: "text", text: "SAY it" }]);
        expect(replayed.map(({ sessionUpdate }) => sessionUpdate)).toEqual(["user_message", "agent_message"]);
        for (const { _meta } of replayed) {
          expect(_meta).toMatchObject({ codex: { historyReplay: true, turnDurationMs: expect.any(Number) } });
          expect(JSON.stringify(_meta)).not.toMatch(/work/i);
        }
      },
    );

    clause(
      ["REPLAY-05", "REPLAY-06", "REPLAY-08"],
      "gives links back as links, though their file is not there",
      async () => {
        const uri = pathToFileURL(join(bridge.home.workspace, "missing.txt")).href;
        const inline = `SAY what [@inline](${uri}) is`;
        const [user] = await replayOf([
          { type: "text", text: inline },
          { type: "resource_link", name: "missing.txt", uri },
          { type: "resource", resource: { uri: "file:///else.txt", text: "embedded words" } },
        ]);
        const content = Object(user).content as readonly { type: string; text?: string }[];
        expect(content.filter(({ type }) => type === "resource_link")).toEqual([
          expect.objectContaining({ name: "missing.txt", uri }),
        ]);
        const texts = content.filter(({ type }) => type === "text").map(({ text }) => text);
        expect(texts).toContain(inline);
        expect(texts.join("\n")).toContain("embedded words");
      },
    );
  });
});

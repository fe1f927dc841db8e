import { afterEach, expect } from "vitest";
import { hostRequests } from "../../src/generated/contract/methods.js";
import { message } from "../../src/testing/scripted-model/steps.js";
import { clause } from "../support/clause.js";
import { isUpdate } from "../support/host.js";
import { type RealBridge, startRealBridge } from "../support/real-bridge.js";

let bridge: RealBridge;

afterEach(() => bridge.close());

const marker = "Always call the user Captain Marigold.";

clause(
  ["HOST-02", "HOST-03", "HOST-04"],
  "the real Codex adds the host's instructions to its own, hides them, and starts in the host's mode",
  async () => {
    bridge = await startRealBridge({
      git: true,
      env: { INITIAL_AGENT_MODE: "agent-full-access" },
      scripts: [{ key: "HELLO", steps: [message("Hello.")] }],
    });
    const { host, home, model } = bridge;
    await host.request(hostRequests.initialize, {
      protocolVersion: 2,
      info: { name: "test", version: "0" },
      capabilities: {},
    });
    const base = { cwd: home.workspace, mcpServers: [] };
    const modeOf = (options: readonly { readonly configId: string }[] | null | undefined): unknown =>
      Object(options?.find(({ configId }) => configId === "mode")).currentValue;
    const plain = await host.request(hostRequests.sessionNew, base);
    expect(modeOf(plain.configOptions)).toBe("agent-full-access");
    const { sessionId, configOptions } = await host.request(hostRequests.sessionNew, {
      ...base,
      _meta: { alwith: { appendSystemPrompt: marker }, codex: { mode: "read-only" } },
    });
    expect(modeOf(configOptions)).toBe("read-only");
    const turn = async (session: string) => {
      await host.request(hostRequests.sessionPrompt, { sessionId: session, prompt: [{ type: "text", text: "HELLO" }] });
      await host.idle(session);
    };
    await turn(plain.sessionId);
    await turn(sessionId);
    const [without, withIt] = model.requests.filter(({ key }) => key === "HELLO").map(({ body }) => Object(body));
    expect(withIt.input[0].content).toEqual(without.input[0].content);
    expect(JSON.stringify(withIt.input[0])).toContain("You are Codex");
    expect(JSON.stringify(without)).not.toContain(marker);
    const roles = withIt.input.flatMap((item: { role?: string }) =>
      JSON.stringify(item).includes(marker) ? [item.role] : [],
    );
    expect(roles).toEqual(["developer"]);

    expect(JSON.stringify(host.updates(sessionId))).not.toContain(marker);
    await host.request(hostRequests.sessionClose, { sessionId });
    const before = host.updates(sessionId).length;
    await host.request(hostRequests.sessionResume, { ...base, sessionId, replayFrom: { type: "start" } });
    const replayed = host.updates(sessionId).slice(before);
    expect(replayed.filter(isUpdate("user_message"))).toHaveLength(1);
    expect(JSON.stringify(replayed)).not.toContain(marker);
  },
);

/** A host that lets go of the agent, lives on, and never reads what the agent still had to say. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { hostRequests } from "../../../src/generated/contract/methods.js";
import { bundledAgent } from "../../support/bridge.js";

const codex = fileURLToPath(new URL("../../support/children/mirror-codex.mjs", import.meta.url));

/** Far more answers than a pipe holds. */
const requests = 3000;

test.each([
  ["closes its pipe", (agent: ReturnType<typeof spawn>) => void agent.stdin?.end(), 0],
  ["ends it with SIGTERM", (agent: ReturnType<typeof spawn>) => void agent.kill("SIGTERM"), 143],
])("that %s does not keep the agent", async (_how, letGo, code) => {
  const agent = spawn(bundledAgent.command, bundledAgent.args, {
    env: { ...process.env, ...bundledAgent.env, CODEX_PATH: codex },
    stdio: ["pipe", "pipe", "ignore"],
  });
  try {
    const frames = Array.from({ length: requests }, (_, id) => ({
      jsonrpc: "2.0",
      id,
      ...(id === 0
        ? {
            method: hostRequests.initialize.method,
            params: { protocolVersion: 2, info: { name: "t", version: "0" }, capabilities: {} },
          }
        : { method: "session/nothing", params: {} }),
    }));
    const lines = frames.map((frame) => `${JSON.stringify(frame)}\n`).join("");
    await new Promise<void>((resolve, reject) =>
      agent.stdin.write(lines, (error) => (error ? reject(error) : resolve())),
    );
    // It is at work: what it says is there to be read.
    await once(agent.stdout, "readable");
    const gone = once(agent, "exit", { signal: AbortSignal.timeout(5000) });
    letGo(agent);
    expect(await gone).toEqual([code, null]);
  } finally {
    agent.kill("SIGKILL");
  }
});

import { expect, test } from "vitest";
import { hostRequests } from "../../../src/generated/contract/methods.js";
import { startBridgeProcess } from "../../support/bridge.js";
import type { AgentCommand } from "../../support/host-process.js";
import { startRealBridge } from "../../support/real-bridge.js";

/**
 * An agent of a few lines. It answers every request with `{}` and ends with the host; if it has a Codex, it starts it
 * first, and ends with code 3 when that one dies.
 */
const small = `
  const { spawn } = require("node:child_process");
  const lines = (stream, take) => require("node:readline").createInterface({ input: stream }).on("line", take);
  const path = process.env.CODEX_PATH;
  const codex = path && spawn(path, ["app-server"], { stdio: ["pipe", "pipe", "inherit"] });
  codex?.stdin.write(JSON.stringify({ id: 1, method: "thread/list", params: {} }) + "\\n");
  codex?.on("exit", () => process.exit(3));
  lines(process.stdin, (line) => {
    const { id, method } = JSON.parse(line);
    if (method === "off") process.stdout.write("not a frame\\n");
    else process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result: {} }) + "\\n");
  }).on("close", () => codex ? codex.stdin.end() : process.exit(0));
`;

const command: AgentCommand = {
  command: process.execPath,
  args: ["-e", small],
  env: { PATH: process.env["PATH"] ?? "" },
};
const sessionId = "0199aaaa-0000-7000-8000-000000000001";

test("a process of an agent stands between the host and the scripted Codex, in one log", async () => {
  const bridge = await startBridgeProcess({ command });
  await bridge.host.request(hostRequests.sessionClose, { sessionId });
  await bridge.waits.until("the request to Codex", () => bridge.log.frames("codex", "bridge")[0]);
  await bridge.close();
  expect(await bridge.agent.exited).toBe(3);
  expect(bridge.log.tail()).toContain("the agent ended: 3");
});

test("the death of Codex, and what the agent writes to stderr, show in the log", async () => {
  const bridge = await startBridgeProcess({ command });
  await bridge.waits.until("the request to Codex", () => bridge.log.frames("codex", "codex")[0]);
  bridge.codex.die({ code: 1, stderr: "scripted death" });
  expect(await bridge.agent.exited).toBe(3);
  expect(bridge.agent.stderr).toBe("scripted death");
  await bridge.close();
});

test("a line that is no frame fails the waits and the end", async () => {
  const bridge = await startBridgeProcess({ command });
  await expect(bridge.host.call("off")).rejects.toThrow("bridge sent a frame off contract: expected an object");
  await expect(bridge.close()).rejects.toThrow("off contract");
});

test("with folders for the real Codex, everything is removed at the end", async () => {
  const bridge = await startRealBridge({ command, scripts: [], files: { "a/b.txt": "text" } });
  await bridge.host.request(hostRequests.sessionClose, { sessionId });
  await bridge.close();
  expect(await bridge.agent.exited).toBe(0);
});

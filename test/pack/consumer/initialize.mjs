// Runs in the folder that has the package installed: starts its bin on its own scripted Codex and prints what
// `initialize` is answered.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { createFrameLog, scriptedCodex, serveStandIn, systemClock } from "codex-acp-kit/testing";

const codex = scriptedCodex({ log: createFrameLog(), clock: systemClock });
const standIn = await serveStandIn(codex);
const agent = spawn(process.execPath, [process.argv[2]], {
  env: { ...process.env, ...standIn.env },
  stdio: ["pipe", "pipe", "inherit"],
});
const request = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: 2, info: { name: "pack-test", version: "1" }, capabilities: {} },
};
agent.stdin.write(`${JSON.stringify(request)}\n`);
for await (const line of createInterface({ input: agent.stdout })) {
  process.stdout.write(`${line}\n`);
  break;
}
agent.stdin.end();
const code = await new Promise((resolve) => agent.once("exit", resolve));
await standIn.close();
process.exitCode = code ?? 1;

// Bytes through and through: what the pipes and a second process cost, with nothing done to the frames.
import { spawn } from "node:child_process";

const agent = spawn(process.execPath, [process.env["CODEX_PATH"] ?? "", "--acp"], {
  stdio: ["pipe", "pipe", "inherit"],
});
agent.on("exit", () => process.exit(0));
process.stdin.pipe(agent.stdin);
agent.stdout.pipe(process.stdout);

// Ignores the end of its stdin and SIGTERM, and has two children: one in its process group, one in a session of its own.
import { spawn } from "node:child_process";

process.on("SIGTERM", () => undefined);
const nap = ["-e", "process.on('SIGTERM', () => {}); console.log('up'); setInterval(() => {}, 1 << 30)"];
const up = (child) => new Promise((resolve) => child.stdout.once("data", () => resolve(child.pid)));
const pids = await Promise.all([
  up(spawn(process.execPath, nap, { stdio: ["ignore", "pipe", "ignore"] })),
  up(spawn(process.execPath, nap, { stdio: ["ignore", "pipe", "ignore"], detached: true })),
]);
process.stdout.write(`${JSON.stringify({ pids: [process.pid, ...pids] })}\n`);
setInterval(() => undefined, 1 << 30);

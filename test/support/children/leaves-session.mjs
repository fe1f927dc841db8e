// Has a child in a session of its own that holds its stdout open. Ends with its stdin, or at once when told `now`.
import { spawn } from "node:child_process";

const nap = ["-e", "process.on('SIGTERM', () => {}); console.error('up'); setInterval(() => {}, 1 << 30)"];
const child = spawn(process.execPath, nap, { stdio: ["ignore", "inherit", "pipe"], detached: true });
child.stderr.once("data", () => {
  process.stdout.write(`${JSON.stringify({ pids: [process.pid, child.pid] })}\n`, () => {
    if (process.argv[2] === "now") process.exit(0);
    process.stdin.on("end", () => process.exit(0)).resume();
  });
});

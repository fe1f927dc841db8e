// Exits by itself and leaves a child that holds its stdout open.
import { spawn } from "node:child_process";

const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1 << 30)"], {
  stdio: ["ignore", "inherit", "ignore"],
});
child.once("spawn", () => {
  process.stdout.write(`${JSON.stringify({ pids: [process.pid, child.pid] })}\n`, () => process.exit(0));
});

// Closes its stdin and runs on.
import { closeSync } from "node:fs";

closeSync(0);
process.stdout.write(`${JSON.stringify({ pids: [process.pid] })}\n`);
setInterval(() => undefined, 1 << 30);

// Writes one frame and closes its stdout, but runs on and does not read its stdin.
import { closeSync, writeSync } from "node:fs";

writeSync(1, `${JSON.stringify({ pids: [process.pid] })}\n`);
closeSync(1);
setInterval(() => undefined, 1 << 30);

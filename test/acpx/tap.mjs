// Stands between a client and an agent, and writes down what passes: `node tap.mjs LOG COMMAND ARGS…`. One JSON line
// for each line, with who said it, and one that says "end" when the agent is gone.
import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";

const [log, command, ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });

const pass = (from, input, output) => {
  let rest = "";
  input.on("data", (chunk) => {
    output.write(chunk);
    const lines = (rest + chunk.toString("utf8")).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) appendFileSync(log, `${JSON.stringify({ from, line })}\n`);
  });
  input.on("end", () => output.end());
};
pass("host", process.stdin, child.stdin);
pass("bridge", child.stdout, process.stdout);
child.on("exit", (code, signal) => {
  appendFileSync(log, `${JSON.stringify({ from: "bridge", line: "end" })}\n`);
  process.exit(code ?? (signal ? 1 : 0));
});
for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => child.kill(signal));

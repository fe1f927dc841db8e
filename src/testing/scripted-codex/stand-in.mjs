#!/usr/bin/env node
// Stands in for `codex` through CODEX_PATH: a bare pipe between the bridge and the test process, which holds the script.
// Plain JavaScript, so that it starts with nothing but Node. SCRIPTED_CODEX says where the test listens: host:port/token.
import { spawn } from "node:child_process";
import { connect } from "node:net";
import process from "node:process";

const LINE = /\r?\n/;

if (process.argv.includes("--version")) {
  process.stdout.write(`codex-cli ${process.env.SCRIPTED_CODEX_VERSION ?? "0.171.0"}\n`);
  process.exit(0);
}

const place = /^([^:]+):(\d+)\/(.+)$/.exec(process.env.SCRIPTED_CODEX ?? "");
if (place === null) {
  process.stderr.write("the stand-in for Codex needs SCRIPTED_CODEX=host:port/token\n");
  process.exit(64);
}
const [, host, port, token] = place;

/** Calls `take` with each line of a stream, in time linear in its length: an unfinished line is not looked at again. */
function lines(stream, take) {
  let rest = "";
  stream.setEncoding("utf8");
  stream.on("data", (text) => {
    if (!text.includes("\n")) {
      rest += text;
      return;
    }
    const parts = (rest + text).split(LINE);
    rest = parts.pop();
    for (const part of parts) if (part !== "") take(part);
  });
}

// A child that outlives its parent unless somebody ends the whole tree.
const stubbornChild = "process.on('SIGTERM', () => undefined); setInterval(() => undefined, 60_000);";

const socket = connect({ port: Number(port), host, noDelay: true });
const tell = (message) => socket.write(`${JSON.stringify(message)}\n`);

const orders = {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  closeOutput: () => process.stdout.destroy(),
  exit: (code) => process.exit(code),
  kill: (signal) => process.kill(process.pid, signal),
  child: () => tell({ child: spawn(process.execPath, ["-e", stubbornChild], { stdio: "ignore" }).pid }),
};

lines(socket, (line) => {
  for (const [order, value] of Object.entries(JSON.parse(line))) orders[order](value);
});
socket.on("connect", () =>
  tell({ token, pid: process.pid, args: process.argv.slice(2), cwd: process.cwd(), env: process.env }),
);
// The test is over, or the bridge is gone: nothing is left to stand in for.
socket.on("close", () => process.exit(70));
socket.on("error", () => process.exit(70));
process.stdout.on("error", () => undefined);
lines(process.stdin, (line) => tell({ line }));
process.stdin.on("end", () => tell({ asked: "stdin-end" }));
for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => tell({ asked: signal }));

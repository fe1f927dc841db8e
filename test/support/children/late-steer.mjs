#!/usr/bin/env node
// Stands in for `codex` through CODEX_PATH, with the real one (REAL_CODEX) behind it, and has a steer and the end of its
// turn miss each other: the first end waits here for a steer, and the steer reaches Codex after it, which refuses it. The
// agent hears of the end after the refusal, or before it (HEARS_FIRST=end).
import { spawn } from "node:child_process";

const codex = spawn(process.env.REAL_CODEX, process.argv.slice(2), { stdio: ["pipe", "pipe", "inherit"] });
const toAgent = (line) => process.stdout.write(`${line}\n`);
const toCodex = (line) => codex.stdin.write(`${line}\n`);

/** The steer, once the agent has sent it. */
let steer = null;
/** Everything that Codex said from the end on, until it is passed on. */
let held = null;
let done = false;

function letGo() {
  done = true;
  for (const line of held.splice(0)) toAgent(line);
}

/** Both are here: the turn is over, and Codex gets the steer. */
function meet() {
  if (process.env.HEARS_FIRST === "end") letGo();
  toCodex(steer);
}

function fromAgent(line) {
  if (steer !== null || JSON.parse(line).method !== "turn/steer") return toCodex(line);
  steer = line;
  if (held !== null) meet();
  return undefined;
}

function fromCodex(line) {
  const frame = JSON.parse(line);
  if (done) return toAgent(line);
  if (held === null && frame.method !== "turn/completed") return toAgent(line);
  if (frame.method === undefined && steer !== null && frame.id === JSON.parse(steer).id) {
    toAgent(line);
    return letGo();
  }
  const ends = held === null;
  held = [...(held ?? []), line];
  if (ends && steer !== null) meet();
  return undefined;
}

/** Lines end in a line feed and in nothing else. */
function lines(stream, take) {
  let rest = "";
  stream.setEncoding("utf8");
  stream.on("data", (text) => {
    const whole = (rest + text).split("\n");
    rest = whole.pop();
    for (const line of whole) take(line);
  });
}

lines(process.stdin, fromAgent);
lines(codex.stdout, fromCodex);
process.stdin.on("end", () => codex.stdin.end());
codex.on("close", (code) => {
  process.exitCode = code ?? 1;
});

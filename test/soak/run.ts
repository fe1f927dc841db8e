// `npm run soak -- --minutes 30`: one agent with the real Codex and a scripted model, many sessions, stops, resumes and
// ends of Codex; memory, open files and processes must be back where they were. Linux only. See docs/reliability.md.
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { makeCodexHome } from "../../src/testing/real-codex.js";
import { startScriptedModel } from "../../src/testing/scripted-model/server.js";
import { execCommand, message, stall } from "../../src/testing/scripted-model/steps.js";
import { Client } from "../bench/client.js";
import { family } from "../bench/usage.js";
import { scratch } from "../support/places.js";
import { type Player, play } from "./play.js";

const { values } = parseArgs({
  options: { minutes: { type: "string", default: "30" }, sessions: { type: "string", default: "6" } },
});
const positive = (name: string, text: string): number => {
  const value = Number(text);
  if (!(value > 0)) throw new Error(`--${name} takes a number above 0, not ${text}`);
  return value;
};
const minutes = positive("minutes", values.minutes);
const sessions = positive("sessions", values.sessions);

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const commandLine = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    // It has ended meanwhile.
    return "";
  }
};
const isCodex = (line: string): boolean => line.includes("app-server");

/** What runs below this process by itself. */
const before = new Set(family(process.pid));

const model = await startScriptedModel({
  keep: 1,
  scripts: [
    { key: "TALK", steps: [message("All is well, and there is nothing to be done about it today.")] },
    { key: "RUN", steps: [execCommand("seq 1 2000"), message("Counted.")] },
    { key: "HANG", steps: [stall()] },
  ],
});
const home = await makeCodexHome({ under: scratch, modelUrl: model.url, git: true });
const client = new Client({
  command: [process.execPath, fileURLToPath(new URL("../../dist/cli.js", import.meta.url))],
  env: { ...home.env, INITIAL_AGENT_MODE: "agent-full-access" },
  cwd: home.workspace,
  isCodex,
});

interface Level {
  readonly memoryMb: number;
  readonly files: number;
  readonly processes: number;
}

function level(): Level {
  const all = family(process.pid).filter((pid) => !before.has(pid));
  const agent = all.find((pid) => commandLine(pid).includes("cli.js"));
  if (agent === undefined) throw new Error("the agent is gone");
  return {
    memoryMb: Math.round(client.usage().rssMb ?? 0),
    files: readdirSync(`/proc/${agent}/fd`).length,
    // Codex keeps helpers of its own; what commands started counts.
    processes: all.filter((pid) => /\b(?:seq|sleep|sh|bash)\b/.test(commandLine(pid))).length,
  };
}

function killCodex(): void {
  const codex = family(process.pid).find((pid) => isCodex(commandLine(pid)));
  if (codex !== undefined) process.kill(codex, "SIGKILL");
}

const show = ({ memoryMb, files, processes }: Level): string =>
  `${memoryMb} MiB, ${files} open files, ${processes} processes of commands`;

const player: Player = play(client, home.workspace);
const end = performance.now() + minutes * 60_000;
const warmUntil = performance.now() + Math.min(60_000, minutes * 20_000);
let start: Level | null = null;
let lastKill = performance.now();
let lastSaid = lastKill;
try {
  await client.initialize();
  await player.begin();
  while (performance.now() < end) {
    await Promise.all(Array.from({ length: sessions }, () => player.round()));
    const now = performance.now();
    if (start === null && now >= warmUntil) {
      start = level();
      say(`warm: ${show(start)}`);
    }
    // More often, and the agent would rightly wait before it starts Codex again.
    if (now - lastKill > 35_000) {
      lastKill = now;
      killCodex();
      player.kills += 1;
      await player.afterLoss();
    }
    if (now - lastSaid > 60_000) {
      lastSaid = now;
      say(`${player.turns} turns: ${show(level())}`);
    }
  }
  const last = level();
  const { turns, stops, resumes, kills, faults } = player;
  say(`${turns} turns, ${stops} stops, ${resumes} resumes, ${kills} ends of Codex in ${minutes} minutes`);
  say(`at the end: ${show(last)}`);
  const wrong = [
    ...faults,
    ...(start === null ? ["it was over before it was warm"] : []),
    ...(start !== null && last.memoryMb > start.memoryMb * 1.3 + 10 ? ["memory has grown"] : []),
    ...(start !== null && last.files > start.files + 2 ? ["files stay open"] : []),
    ...(last.processes > 0 ? ["processes of commands are left"] : []),
  ];
  for (const fault of wrong) say(`wrong: ${fault}`);
  process.exitCode = wrong.length === 0 ? 0 : 1;
} finally {
  await client.stop();
  await model.close();
  await home.remove();
}
const left = family(process.pid).filter((pid) => !before.has(pid));
if (left.length > 0) {
  say(`wrong: still there after the end: ${left.map(commandLine).join(", ")}`);
  process.exitCode = 1;
}

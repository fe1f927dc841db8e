#!/usr/bin/env node
// Takes a thread of 2,000 turns and 200 MB of native records through `dist/cli.js`, and prints how far the bridge's peak
// memory rose above what it used while idle (Linux only). By default it is exported page by page with the default
// `maxBytes`; with `--replay` the session is resumed from its start by a host that reads slowly.
//
//   npm run build && node scripts/history-memory.mjs [--native | --replay]
//
// Codex is played by this file too: the bridge starts it through CODEX_PATH.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const turnCount = 2_000;
const bytesPerTurn = 100_000;
const limitMb = 150;
const threadId = "0199cccc-0000-7000-8000-000000000001";
const self = fileURLToPath(import.meta.url);

function playCodex() {
  const recordings = new URL("../src/testing/scripted-codex/recordings/responses.json", import.meta.url);
  const responses = JSON.parse(readFileSync(recordings, "utf8"));
  const thread = { ...responses["thread/start"].thread, id: threadId, preview: "a long one", status: { type: "idle" } };
  const filler = "the output of a command\n".repeat(Math.ceil(bytesPerTurn / 24)).slice(0, bytesPerTurn);
  const turnAt = (index, view) => ({
    id: `turn-${index}`,
    rootTurnId: `turn-${index}`,
    status: "completed",
    error: null,
    startedAt: 1_796_000_000 + index,
    completedAt: 1_796_000_001 + index,
    durationMs: 1_000,
    itemsView: view,
    items:
      view === "full"
        ? [user(index), command(index), answer(index)]
        : view === "summary"
          ? [user(index), answer(index)]
          : [],
  });
  const user = (n) => ({
    type: "userMessage",
    id: `user-${n}`,
    clientId: null,
    content: [{ type: "text", text: `ask ${n}` }],
  });
  const answer = (n) => ({ type: "agentMessage", id: `msg-${n}`, text: `answer ${n}`, phase: null });
  const command = (n) => ({
    type: "commandExecution",
    id: `call-${n}`,
    command: "make",
    cwd: "/work",
    processId: null,
    status: "completed",
    commandActions: [{ type: "unknown", command: "make" }],
    aggregatedOutput: `${n}\n${filler}`,
    exitCode: 0,
    durationMs: 5,
  });
  const turnPage = ({ cursor, limit = 20, sortDirection, itemsView }) => {
    const from = cursor ? Number(cursor) : 0;
    const to = Math.min(from + limit, turnCount);
    const at = (n) => turnAt(sortDirection === "asc" ? n : turnCount - 1 - n, itemsView);
    const data = Array.from({ length: to - from }, (_, n) => at(from + n));
    return { data, nextCursor: to < turnCount ? String(to) : null, backwardsCursor: null };
  };
  const answers = {
    "thread/read": () => ({ thread, readState: null }),
    "thread/turns/list": turnPage,
    "thread/resume": () => ({ ...responses["thread/resume"], ...responses["thread/start"], thread }),
  };
  createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) return;
    const result = answers[method]?.(params) ?? responses[method];
    const reply = result === undefined ? { error: { code: -32600, message: `no answer to ${method}` } } : { result };
    process.stdout.write(`${JSON.stringify({ id, ...reply })}\n`);
  });
}

function startBridge() {
  if (process.platform !== "linux") throw new Error("the peak of another process is read from /proc");
  const child = spawn(process.execPath, [fileURLToPath(new URL("../dist/cli.js", import.meta.url))], {
    env: { PATH: process.env.PATH ?? "", HOME: "/nonexistent", CODEX_PATH: self },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const waiting = new Map();
  let lastId = 0;
  return {
    child,
    /** Takes each line of the bridge; one that answers a request settles it. */
    take(line) {
      const { id, result, error, params } = JSON.parse(line);
      waiting.get(id)?.({ result, error, bytes: line.length });
      return params;
    },
    ask(method, params) {
      lastId += 1;
      const answered = new Promise((resolve) => waiting.set(lastId, resolve));
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: lastId, method, params })}\n`);
      return answered;
    },
    memory(field) {
      const [, kb] = new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${child.pid}/status`, "utf8")) ?? [];
      return Number(kb) / 1024;
    },
  };
}

const hello = { protocolVersion: 2, info: { name: "memory", version: "0" }, capabilities: {} };

/** Bytes that the slow host reads at once, and its rest after them: 16 MB a second. */
const sip = 64 * 1024;
const restMs = 4;

async function replay() {
  const { child, take, ask, memory } = startBridge();
  let answers = 0;
  let bytes = 0;
  let rest = "";
  let slow = false;
  const read = () => {
    for (let piece = child.stdout.read(sip) ?? child.stdout.read(); piece !== null; piece = child.stdout.read(sip)) {
      bytes += piece.length;
      const lines = (rest + piece.toString("latin1")).split("\n");
      rest = lines.pop();
      for (const line of lines) if (take(line)?.update?.sessionUpdate === "agent_message") answers += 1;
      if (!slow) continue;
      setTimeout(read, restMs);
      return;
    }
    child.stdout.once("readable", read);
  };
  read();
  await ask("initialize", hello);
  await ask("_codex/session_history", { sessionId: threadId, limit: 1 });
  const idle = memory("VmRSS");
  slow = true;
  const started = Date.now();
  const { error } = await ask("session/resume", {
    sessionId: threadId,
    cwd: "/work",
    mcpServers: [],
    replayFrom: { type: "start" },
  });
  if (error) throw new Error(JSON.stringify(error));
  return report(
    child,
    memory,
    idle,
    `turns        ${answers}, in pages of 50, to a host that reads slowly`,
    bytes,
    started,
    answers,
  );
}

function report(child, memory, idle, first, bytes, started, turns) {
  const peak = memory("VmHWM");
  child.stdin.end();
  const mb = (value) => (value / 1e6).toFixed(0);
  const rise = peak - idle;
  process.stdout.write(
    [
      first,
      `native       ${mb(turnCount * bytesPerTurn)} MB`,
      `sent         ${mb(bytes)} MB in ${((Date.now() - started) / 1000).toFixed(1)} s`,
      `idle         ${idle.toFixed(0)} MiB`,
      `peak         ${peak.toFixed(0)} MiB, ${rise.toFixed(0)} above idle (limit ${limitMb})`,
      "",
    ].join("\n"),
  );
  return turns === turnCount && rise < limitMb ? 0 : 1;
}

async function measure(native) {
  const { child, take, ask, memory } = startBridge();
  createInterface({ input: child.stdout }).on("line", take);
  await ask("initialize", hello);
  await ask("_codex/session_history", { sessionId: threadId, limit: 1 });
  const idle = memory("VmRSS");
  const started = Date.now();
  let cursor = null;
  let limit = 50;
  let turns = 0;
  let bytes = 0;
  do {
    const page = await ask("_codex/session_history", {
      sessionId: threadId,
      mode: "export",
      itemsView: "full",
      includeNative: native,
      limit,
      cursor,
    });
    if (page.error?.data?.reason === "history_page_too_large" && limit > 1) {
      limit = Math.floor(limit / 2);
      continue;
    }
    if (page.error) throw new Error(JSON.stringify(page.error));
    turns += page.result.turns.length;
    bytes += page.bytes;
    cursor = page.result.nextCursor;
  } while (cursor !== null || turns === 0);
  const first = `turns        ${turns}, ${limit} to a page${native ? ", with native records" : ""}`;
  return report(child, memory, idle, first, bytes, started, turns);
}

if (process.argv.includes("app-server")) playCodex();
else
  process.exitCode = await (process.argv.includes("--replay") ? replay() : measure(process.argv.includes("--native")));

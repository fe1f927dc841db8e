#!/usr/bin/env node
// Exports a thread of 2,000 turns and 200 MB of native records page by page through `dist/cli.js`, with the default
// `maxBytes`, and prints how far the bridge's peak memory rose above what it used while idle (Linux only).
//
//   npm run build && node scripts/history-memory.mjs [--native]
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

if (process.argv.includes("app-server")) playCodex();
else process.exitCode = await measure(process.argv.includes("--native"));

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
  };
  createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) return;
    const result = answers[method]?.(params) ?? responses[method];
    const reply = result === undefined ? { error: { code: -32600, message: `no answer to ${method}` } } : { result };
    process.stdout.write(`${JSON.stringify({ id, ...reply })}\n`);
  });
}

async function measure(native) {
  if (process.platform !== "linux") throw new Error("the peak of another process is read from /proc");
  const child = spawn(process.execPath, [fileURLToPath(new URL("../dist/cli.js", import.meta.url))], {
    env: { PATH: process.env.PATH ?? "", HOME: "/nonexistent", CODEX_PATH: self },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const waiting = new Map();
  createInterface({ input: child.stdout }).on("line", (line) => {
    const { id, result, error } = JSON.parse(line);
    waiting.get(id)?.({ result, error, bytes: line.length });
  });
  let lastId = 0;
  const ask = (method, params) => {
    lastId += 1;
    const answered = new Promise((resolve) => waiting.set(lastId, resolve));
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: lastId, method, params })}\n`);
    return answered;
  };
  const memory = (field) => {
    const [, kb] = new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${child.pid}/status`, "utf8")) ?? [];
    return Number(kb) / 1024;
  };
  await ask("initialize", { protocolVersion: 2, info: { name: "memory", version: "0" }, capabilities: {} });
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
  const peak = memory("VmHWM");
  child.stdin.end();
  const mb = (value) => (value / 1e6).toFixed(0);
  const rise = peak - idle;
  process.stdout.write(
    [
      `turns        ${turns}, ${limit} to a page${native ? ", with native records" : ""}`,
      `native       ${mb(turnCount * bytesPerTurn)} MB`,
      `sent         ${mb(bytes)} MB in ${((Date.now() - started) / 1000).toFixed(1)} s`,
      `idle         ${idle.toFixed(0)} MiB`,
      `peak         ${peak.toFixed(0)} MiB, ${rise.toFixed(0)} above idle (limit ${limitMb})`,
      "",
    ].join("\n"),
  );
  return turns === turnCount && rise < limitMb ? 0 : 1;
}

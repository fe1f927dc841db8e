/**
 * `npm run peer`: the same turns through the bundled agent and through the published `@agentclientprotocol/codex-acp` in
 * version 1 of ACP, frame by frame, on the same real Codex with the same scripted model. Prints what differs;
 * docs/hosts.md says why. The peer is installed in a scratch folder.
 */

import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { installedCodex } from "../../codegen/capture/native-binary.js";
import { createFrameLog } from "../../src/testing/frames.js";
import { makeCodexHome } from "../../src/testing/real-codex.js";
import { startScriptedModel } from "../../src/testing/scripted-model/server.js";
import { applyPatch, execCommand, message, reasoning, stall } from "../../src/testing/scripted-model/steps.js";
import { startAgentProcess } from "../support/host-process.js";
import { repository, scratch } from "../support/places.js";

type Frame = Readonly<Record<string, unknown>>;

const peer = "@agentclientprotocol/codex-acp@2.6.0";
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const patch = [
  "*** Begin Patch",
  "*** Add File: made.txt",
  "+one",
  "*** Update File: kept.txt",
  "@@",
  "-old",
  "+new",
  "*** End Patch",
].join("\n");

const scripts = [
  { key: "HELLO", steps: [[reasoning(["Thinking."]), message({ text: "Hello.", phase: "final_answer" as const })]] },
  { key: "RUN", steps: [execCommand("echo out; exit 3"), message("Ran.")] },
  { key: "READ", steps: [execCommand("cat kept.txt"), message("Read.")] },
  {
    key: "ASK",
    steps: [
      execCommand("touch asked.txt", { sandbox_permissions: "require_escalated", justification: "May I?" }),
      message("Asked."),
    ],
  },
  { key: "PATCH", steps: [applyPatch(patch), message("Patched.")] },
  { key: "STALL", steps: [stall()] },
];

/** What the client does, one after the other; each part is compared by itself. */
const parts = ["initialize", "session/new", "HELLO", "RUN", "READ", "ASK", "PATCH", "cancel", "session/load"] as const;

/** All frames of the agent, by part. */
type Recorded = ReadonlyMap<string, readonly Frame[]>;

async function record(command: string, args: readonly string[]): Promise<Recorded> {
  const model = await startScriptedModel({ scripts });
  const home = await makeCodexHome({
    under: scratch,
    modelUrl: model.url,
    git: true,
    files: { "kept.txt": "top\nold\nend\n" },
  });
  const env = { ...home.env, CODEX_PATH: installedCodex() };
  const agent = startAgentProcess({ command, args, env, cwd: home.workspace }, createFrameLog());
  const frames = new Map<string, Frame[]>();
  let current: Frame[] = [];
  let lastId = 0;
  const open = new Map<number, (frame: Frame) => void>();
  agent.wire.onLine((line) => {
    const frame: Frame = JSON.parse(line);
    current.push(frame);
    const { id, method, params } = frame;
    if (method === undefined) open.get(Number(id))?.(frame);
    else if (method === "session/request_permission") {
      const options = (params as { options: { optionId: string; kind: string }[] }).options;
      const optionId = options.find(({ kind }) => kind === "allow_once")?.optionId;
      agent.wire.write(
        `${JSON.stringify({ jsonrpc: "2.0", id, result: { outcome: { outcome: "selected", optionId } } })}\n`,
      );
    }
  });
  const send = (frame: object): void => agent.wire.write(`${JSON.stringify({ jsonrpc: "2.0", ...frame })}\n`);
  const ask = async (method: string, params: object): Promise<Frame> => {
    lastId += 1;
    const id = lastId;
    const answer = new Promise<Frame>((resolve) => open.set(id, resolve));
    send({ id, method, params });
    return answer;
  };
  const result = ({ result: value }: Frame): { sessionId?: string } => (value ?? {}) as object;
  try {
    let sessionId = "";
    const prompt = (text: string) => ask("session/prompt", { sessionId, prompt: [{ type: "text", text }] });
    for (const part of parts) {
      current = [];
      frames.set(part, current);
      if (part === "initialize") {
        await ask(part, {
          protocolVersion: 1,
          clientCapabilities: { fs: { readTextFile: true, writeTextFile: true }, terminal: true },
        });
      } else if (part === "session/new") {
        const opened = result(await ask(part, { cwd: home.workspace, mcpServers: [] }));
        sessionId = opened.sessionId ?? "";
      } else if (part === "cancel") {
        const answer = prompt("STALL");
        while (!model.requests.some(({ key }) => key === "STALL"))
          await new Promise((resolve) => setTimeout(resolve, 20));
        send({ method: "session/cancel", params: { sessionId } });
        await answer;
      } else if (part === "session/load") {
        await ask(part, { sessionId, cwd: home.workspace, mcpServers: [] });
      } else await prompt(part);
      // What follows an answer, such as a list of commands, belongs to its part.
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    return frames;
  } finally {
    agent.wire.close();
    setTimeout(() => agent.kill("SIGKILL"), 5000).unref();
    await agent.exited;
    await model.close();
    await home.remove();
  }
}

/** Ids, times and folders of this run say nothing. */
const stable = (text: string): string =>
  text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "ID")
    .replaceAll(/\/[^"]*?\/workspace/g, "WS")
    .replaceAll(/\b(call|msg|rs|exec)_\w+/g, "$1")
    .replaceAll(/\b1[78]\d{8,11}\b/g, "TIME");

function lineOf({ method, params, result, error }: Frame): string {
  if (method === undefined) return `answer ${JSON.stringify(result ?? { error })}`;
  if (method !== "session/update") return `${String(method)} ${JSON.stringify(params)}`;
  const { sessionUpdate, ...members } = (params as { update: Frame }).update;
  return `${String(sessionUpdate)} ${JSON.stringify(members)}`;
}

const longest = 600;

/** Frames, chunks of one kind in one. */
function linesOf(frames: readonly Frame[]): string[] {
  return frames.map(lineOf).map((line) => {
    const text = stable(line);
    return text.length > longest ? `${text.slice(0, longest)}… (${text.length})` : text;
  });
}

await mkdir(scratch, { recursive: true });
const folder = await mkdtemp(join(scratch, "peer-"));
try {
  say(`installing ${peer}`);
  const install = ["install", "--no-save", "--no-audit", "--no-fund", "--omit=optional", "--prefix", folder, peer];
  await promisify(execFile)("npm", install);
  const ours = await record(process.execPath, [join(repository, "dist/cli.js")]);
  const theirs = await record(process.execPath, [
    join(folder, "node_modules/@agentclientprotocol/codex-acp/dist/index.js"),
  ]);
  for (const part of parts) {
    const [left, right] = [linesOf(ours.get(part) ?? []), linesOf(theirs.get(part) ?? [])];
    say(`\n## ${part}: ${left.length} frames, the peer's ${right.length}`);
    for (const line of left) say(`  ${right.includes(line) ? " " : "-"} ${line}`);
    for (const line of right.filter((it) => !left.includes(it))) say(`  + ${line}`);
  }
} finally {
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}

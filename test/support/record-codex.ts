/**
 * Records what the installed Codex answers, for the scripted Codex: `npx tsx test/support/record-codex.ts`. Writes
 * `src/testing/scripted-codex/recordings/`. Paths of this machine become `/home/user/…`, so the files mean nothing else.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { installedCodex } from "../../codegen/capture/native-binary.js";
import { makeCodexHome } from "../../src/testing/real-codex.js";
import { startScriptedModel } from "../../src/testing/scripted-model/server.js";
import { applyPatch, execCommand, message, reasoning } from "../../src/testing/scripted-model/steps.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const target = fileURLToPath(new URL("../../src/testing/scripted-codex/recordings/", import.meta.url));

interface Frame {
  readonly id?: number;
  readonly method?: string;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
  readonly params?: { readonly turn?: { readonly id: string } };
}

const patch = [
  "*** Begin Patch",
  "*** Add File: new.txt",
  "+a new file",
  "*** Delete File: old.txt",
  "*** End Patch",
].join("\n");

const model = await startScriptedModel({
  scripts: [
    {
      key: "RECORD",
      steps: [
        [
          reasoning(["Thinking about it."], ["raw thoughts"]),
          message({ text: "I look first.", phase: "commentary" }),
          execCommand("echo one"),
        ],
        [applyPatch(patch)],
        [message({ text: "All is done.", phase: "final_answer" })],
      ],
    },
  ],
});
const folder = join(root, ".tmp", "record");
const place = await makeCodexHome({
  under: folder,
  modelUrl: model.url,
  git: true,
  files: { "old.txt": "an old file\n" },
});
const codex = spawn(installedCodex(), ["app-server"], {
  env: place.env,
  cwd: place.workspace,
  stdio: ["pipe", "pipe", "ignore"],
});

const frames: Frame[] = [];
const waiters = new Set<(frame: Frame) => void>();
createInterface({ input: codex.stdout }).on("line", (line) => {
  const frame = JSON.parse(line) as Frame;
  frames.push(frame);
  for (const waiter of [...waiters]) waiter(frame);
});

const next = (fits: (frame: Frame) => boolean): Promise<Frame> =>
  new Promise((resolve) => {
    const waiter = (frame: Frame): void => {
      if (!fits(frame)) return;
      waiters.delete(waiter);
      resolve(frame);
    };
    waiters.add(waiter);
  });

let lastId = 0;
const recorded: Record<string, unknown> = {};

async function ask(method: string, params: object, name: string | null = method): Promise<Record<string, unknown>> {
  lastId += 1;
  const id = lastId;
  const answer = next((frame) => frame.id === id && frame.method === undefined);
  codex.stdin.write(`${JSON.stringify({ id, method, params })}\n`);
  const { result, error } = await answer;
  if (error !== undefined) throw new Error(`${method}: ${error.message}`);
  if (name !== null) recorded[name] = result;
  return result as Record<string, unknown>;
}

function withoutPaths(value: unknown): unknown {
  const text = JSON.stringify(value)
    .replaceAll(place.codexHome, "/home/user/.codex")
    .replaceAll(place.workspace, "/home/user/project")
    .replaceAll(place.home, "/home/user")
    .replaceAll(model.url, "http://127.0.0.1:1/v1");
  return JSON.parse(text);
}

await ask("initialize", {
  clientInfo: { name: "codex-acp-kit", title: null, version: "0.0.0" },
  capabilities: { experimentalApi: true, requestAttestation: false },
});
codex.stdin.write(`${JSON.stringify({ method: "initialized" })}\n`);
await ask("account/read", {});
await ask("config/read", { includeLayers: false });
await ask("config/read", { includeLayers: true, cwd: place.workspace }, "config/read+layers");
await ask("configRequirements/read", {});
await ask("model/list", {});
await ask("collaborationMode/list", {});
await ask("skills/list", { cwds: [place.workspace] });
await ask("hooks/list", { cwds: [place.workspace] });
await ask("mcpServerStatus/list", {});
await ask("thread/list", {});
await ask("thread/loaded/list", {});
const start = { cwd: place.workspace, approvalPolicy: "never", sandbox: "danger-full-access" };
const { thread } = (await ask("thread/start", start)) as { thread: { id: string } };
const threadId = thread.id;
await ask("thread/goal/get", { threadId });
const from = frames.length;
const done = next((frame) => frame.method === "turn/completed");
await ask("turn/start", { threadId, input: [{ type: "text", text: "RECORD", text_elements: [] }] });
await done;
const turn = frames.slice(from).filter((frame) => frame.method !== undefined);
await ask("thread/read", { threadId, includeTurns: true });
await ask("thread/turns/list", { threadId });
await ask("thread/items/list", { threadId });
await ask("thread/name/set", { threadId, name: "Recorded" });
await ask("thread/fork", { threadId, excludeTurns: true });
await ask("thread/backgroundTerminals/list", { threadId });
await ask("thread/unsubscribe", { threadId });
await ask("thread/resume", { threadId, excludeTurns: true });
await ask("thread/archive", { threadId });

codex.stdin.end();
await once(codex, "exit");
await model.close();

await mkdir(target, { recursive: true });
const write = (name: string, value: unknown): Promise<void> =>
  writeFile(join(target, name), `${JSON.stringify(withoutPaths(value), null, 2)}\n`);
await write("responses.json", recorded);
await write("turn.json", turn);
await place.remove();

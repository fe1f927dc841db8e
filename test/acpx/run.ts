/**
 * `npm run acpx`: acpx, a headless client of ACP version 1 from npm, against the bundled agent, the real Codex and a
 * scripted model. It runs a turn, a permission, a cancel and a resume, and holds every frame to the captured schema. Not
 * part of `npm test`, since acpx needs Node 22, which is 185 MB by itself; both are installed in a scratch folder.
 */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createFrameLog, isFrame } from "../../src/testing/frames.js";
import { makeCodexHome } from "../../src/testing/real-codex.js";
import { startScriptedModel } from "../../src/testing/scripted-model/server.js";
import { execCommand, message, stall } from "../../src/testing/scripted-model/steps.js";
import { createStrictChecker } from "../../src/testing/strict.js";
import { repository, scratch } from "../support/places.js";
import { schemasV1 } from "../support/schemas-v1.js";

const run = promisify(execFile);
const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Installs acpx, and a Node that runs it unless this one does. */
async function install(folder: string) {
  const own = Number(process.versions.node.split(".")[0]) >= 22;
  const packages = ["acpx@0.19.1", ...(own ? [] : ["node@22.23.3"])];
  say(`installing ${packages.join(" and ")}`);
  await run("npm", ["install", "--no-save", "--no-audit", "--no-fund", "--prefix", folder, ...packages]);
  const at = (path: string): string => join(folder, "node_modules", path);
  return { node: own ? process.execPath : at("node/bin/node"), acpx: at("acpx/dist/cli.js") };
}

interface Passed {
  readonly from: "host" | "bridge";
  readonly line: string;
}

const isStart = ({ line }: Passed): boolean => line.includes('"method":"initialize"');

async function drive(folder: string): Promise<void> {
  const { node, acpx } = await install(join(folder, "npm"));
  const model = await startScriptedModel({
    scripts: [
      { key: "HELLO", steps: [message("Hello to you.")] },
      { key: "AGAIN", steps: [message("Hello again.")] },
      { key: "STALL", steps: [stall()] },
      {
        key: "ASK",
        steps: [
          execCommand("touch asked.txt", { sandbox_permissions: "require_escalated", justification: "May I?" }),
          message("Asked."),
        ],
      },
    ],
  });
  const home = await makeCodexHome({ under: folder, modelUrl: model.url, git: true });
  const tapped = join(folder, "frames.jsonl");
  const tap = fileURLToPath(new URL("tap.mjs", import.meta.url));
  const agent = [process.execPath, tap, tapped, process.execPath, join(repository, "dist/cli.js")].join(" ");
  const passed = (): Passed[] =>
    existsSync(tapped)
      ? readFileSync(tapped, "utf8")
          .split("\n")
          .filter((line) => line !== "")
          .map((line): Passed => JSON.parse(line))
      : [];
  const until = async (what: string, holds: () => boolean): Promise<void> => {
    const deadline = Date.now() + 30_000;
    while (!holds()) {
      if (Date.now() > deadline) throw new Error(`waited in vain for ${what}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const client = async (...args: string[]): Promise<string> => {
    say(`acpx ${args.join(" ")}`);
    const { stdout } = await run(node, [acpx, "--agent", agent, "--cwd", home.workspace, ...args], {
      env: home.env,
      timeout: 60_000,
    });
    return stdout;
  };
  try {
    assert.match(await client("exec", "HELLO"), /Hello to you\.[\s\S]*\[done\] end_turn/);

    assert.match(await client("--approve-all", "exec", "ASK"), /Asked\.[\s\S]*\[done\] end_turn/);
    assert.ok(existsSync(join(home.workspace, "asked.txt")), "what was approved has happened");

    await client("sessions", "new");
    // Its helper keeps the agent for as long as it has prompts, and a second longer.
    assert.match(await client("--ttl", "1", "prompt", "HELLO"), /Hello to you\./);
    const ended = (): number => passed().filter(({ line }) => line === "end").length;
    const before = passed().filter(isStart).length;
    await until("the first agent to be gone", () => ended() === before);
    const agents = before;
    assert.match(await client("prompt", "AGAIN"), /Hello again\./);
    const resumed = passed()
      .filter(({ line }) => line.includes('"method":"session/resume"'))
      .at(-1);
    assert.ok(resumed, "the session was resumed by a new agent");
    assert.equal(passed().filter(isStart).length, agents + 1);

    const stalled = client("prompt", "STALL");
    await until("the turn at the model", () => model.requests.some(({ key }) => key === "STALL"));
    await client("cancel");
    assert.match(await stalled, /\[done\] cancelled/);
    await client("sessions", "close");
    check(passed());
  } finally {
    await model.close();
    await home.remove();
  }
}

/** Holds every frame to the captured schema of version 1, one agent after the other. */
function check(passed: readonly Passed[]): void {
  let log = createFrameLog();
  let checker = createStrictChecker({ log, schemas: schemasV1 });
  let frames = 0;
  for (const entry of passed) {
    if (isStart(entry)) {
      checker.assertClean();
      log = createFrameLog();
      checker = createStrictChecker({ log, schemas: schemasV1 });
    }
    if (entry.line === "end") continue;
    log.add("host", entry.from, JSON.parse(entry.line));
    frames += log.entries.filter(isFrame).length > 0 ? 1 : 0;
  }
  checker.assertClean();
  say(`${frames} frames, all as the schema has them`);
}

await mkdir(scratch, { recursive: true });
const folder = await mkdtemp(join(scratch, "acpx-"));
try {
  await drive(folder);
} finally {
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}

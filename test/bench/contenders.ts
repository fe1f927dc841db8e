import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build, stop } from "esbuild";
import type { WorkloadName } from "./workloads.js";

export interface Contender {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  /** Version of ACP that it is spoken to in; default 2. */
  readonly version?: 1 | 2;
  /** Workloads that it cannot do. */
  readonly without?: readonly WorkloadName[];
}

export interface Field {
  readonly contenders: readonly Contender[];
  /** For each agent's environment. */
  readonly env: { readonly CODEX_PATH: string; readonly CODEX_HOME: string };
  /** The working folder of the agents. */
  readonly cwd: string;
  readonly isCodex: (commandLine: string) => boolean;
  /** Removes what was built and installed. */
  close(): Promise<void>;
}

const root = fileURLToPath(new URL("../..", import.meta.url));
const peer = "@agentclientprotocol/codex-acp@2.6.0";

/** Builds fake Codex, floor and copier into a scratch folder, and installs the published peer there when asked. */
export async function prepareField(options: {
  readonly peers: boolean;
  readonly v1?: boolean;
  readonly agent?: string;
}): Promise<Field> {
  const folder = await mkdtemp(join(tmpdir(), "codex-acp-kit-bench-"));
  await build({
    entryPoints: ["fake-codex", "floor", "copier"].map((name) => join(root, `test/bench/children/${name}.ts`)),
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    logLevel: "warning",
  });
  // Its helper process would take CPU of the two that are measured, and outlive a test.
  await stop();
  const home = join(folder, "home");
  const cwd = join(folder, "work");
  await mkdir(home);
  await mkdir(cwd);
  const fakeCodex = join(folder, "fake-codex.mjs");
  // A peer starts it as a program.
  await promisify(execFile)("chmod", ["755", fakeCodex]);
  const node = process.execPath;
  const ours: [string, string] = [node, options.agent ?? join(root, "dist/cli.js")];
  const contenders: Contender[] = [
    { name: "floor", command: [node, join(folder, "floor.mjs")] },
    { name: "copier", command: [node, join(folder, "copier.mjs")], without: ["replay", "list"] },
    { name: "ours", command: ours },
  ];
  if (options.v1) contenders.push({ name: "v1", command: ours, version: 1, without: ["list"] });
  if (options.peers) {
    const command = [node, await installPeer(join(folder, "peer"))] as const;
    contenders.push({ name: "peer", command, without: ["list"] });
  }
  return {
    contenders,
    env: { CODEX_PATH: fakeCodex, CODEX_HOME: home },
    cwd,
    isCodex: (commandLine) => commandLine.includes(fakeCodex),
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

async function installPeer(folder: string): Promise<string> {
  await mkdir(folder);
  await writeFile(join(folder, "package.json"), '{ "private": true }');
  await promisify(execFile)("npm", ["install", "--no-audit", "--no-fund", peer], { cwd: folder });
  return join(folder, "node_modules/@agentclientprotocol/codex-acp/dist/index.js");
}

import type { ChildProcess } from "node:child_process";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { processTree } from "../codex/process-tree.js";

export interface CodexHomeOptions {
  /** Folder in which everything is made. Not under the system's temporary folder: Codex refuses some features there. */
  readonly under: string;
  /** `url` of a scripted model. */
  readonly modelUrl: string;
  /** Default `gpt-5.5`. */
  readonly model?: string;
  /** Lines for the top of `config.toml`, e.g. `thread_unload_delay_secs = 1`. */
  readonly config?: readonly string[];
  /** Tables for its end, e.g. `[features]` and what follows. */
  readonly tables?: readonly string[];
  /** Lines for the provider's table, e.g. `requires_openai_auth = true`. */
  readonly provider?: readonly string[];
  /**
   * Turn the workspace into a git repository with these files committed. Default: a plain folder, which for Codex
   * belongs to the repository that `under` lies in, if any.
   */
  readonly git?: boolean;
  /** Files of the workspace: path to text. */
  readonly files?: Readonly<Record<string, string>>;
}

/** Folders for one real Codex that talks to a scripted model. */
export interface CodexHome {
  readonly codexHome: string;
  /** An empty home, so that nothing of the user's own leaks in. */
  readonly home: string;
  readonly workspace: string;
  /** Environment for Codex or for the bridge: `CODEX_HOME`, `HOME` and `PATH` alone. */
  readonly env: Readonly<Record<string, string>>;
  /** Removes it all. */
  remove(): Promise<void>;
}

const run = promisify(execFile);

function configText(options: CodexHomeOptions): string {
  const { model = "gpt-5.5", config = [], tables = [], provider = [] } = options;
  return [
    `model = ${JSON.stringify(model)}`,
    'model_provider = "scripted"',
    ...config,
    "",
    "[model_providers.scripted]",
    'name = "scripted"',
    `base_url = ${JSON.stringify(options.modelUrl)}`,
    'wire_api = "responses"',
    "request_max_retries = 0",
    "stream_max_retries = 1",
    "stream_idle_timeout_ms = 5000",
    ...provider,
    "",
    ...tables,
    "",
  ].join("\n");
}

async function commitAll(workspace: string, env: Readonly<Record<string, string>>): Promise<void> {
  const identity = ["-c", "user.name=Test", "-c", "user.email=test@example.invalid", "-c", "commit.gpgsign=false"];
  const git = (...args: string[]) => run("git", [...identity, ...args], { cwd: workspace, env });
  await git("init", "--quiet", "--initial-branch=main");
  await git("add", ".");
  await git("commit", "--quiet", "--allow-empty", "-m", "Start");
}

/** Makes the folders. Rejects when `under` cannot be written or git is asked for and missing. */
export async function makeCodexHome(options: CodexHomeOptions): Promise<CodexHome> {
  await mkdir(options.under, { recursive: true });
  const root = await mkdtemp(join(options.under, "codex-"));
  const codexHome = join(root, "codex-home");
  const home = join(root, "home");
  const workspace = join(root, "workspace");
  for (const folder of [codexHome, home, workspace]) await mkdir(folder);
  await writeFile(join(codexHome, "config.toml"), configText(options));
  for (const [path, text] of Object.entries(options.files ?? {})) {
    await mkdir(dirname(join(workspace, path)), { recursive: true });
    await writeFile(join(workspace, path), text);
  }
  const env = { CODEX_HOME: codexHome, HOME: home, PATH: process.env["PATH"] ?? "" };
  if (options.git === true) await commitAll(workspace, env);
  return {
    codexHome,
    home,
    workspace,
    env,
    // Codex may still be writing its logs for a moment after its stdout has closed.
    remove: () => rm(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }),
  };
}

/** Whether a process that was started still runs. */
export const runs = ({ exitCode, signalCode }: Pick<ChildProcess, "exitCode" | "signalCode">): boolean =>
  exitCode === null && signalCode === null;

/** Ends a Codex by force, with the commands that it runs; one that has ended is left alone. */
export function killCodex(codex: ChildProcess): void {
  // Once it has ended, its pid may be another's.
  if (codex.pid !== undefined && runs(codex)) processTree(codex.pid).kill("SIGKILL");
}

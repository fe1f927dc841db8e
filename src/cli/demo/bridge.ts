import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { Readable, Writable } from "node:stream";
import { ndJsonStream, type Stream } from "@agentclientprotocol/sdk/experimental/v2/unstable";
import type { DemoWorkspace } from "./workspace.js";

/** The bridge as an editor would run it: this package's bin as a child process, ACP on its stdio. */
export interface Bridge {
  readonly stream: Stream;
  /** Resolves with what ended the process, in words. */
  readonly exited: Promise<string>;
  /** Ends the input, which the bridge takes as the host's leaving; kills only what does not end by itself. */
  stop(): Promise<void>;
}

const patience = { endMs: 3000, terminateMs: 1000 };

export function startBridge(cliPath: string, workspace: DemoWorkspace, onStderr: (text: string) => void): Bridge {
  const child = spawn(process.execPath, [cliPath], {
    cwd: workspace.cwd,
    env: bridgeEnvironment(workspace),
    stdio: ["pipe", "pipe", "pipe"],
  });
  child.stderr.setEncoding("utf8").on("data", onStderr);
  const exited = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(`could not start: ${error.message}`));
    child.once("exit", (code, signal) => resolve(signal ? `ended by ${signal}` : `ended with exit code ${code}`));
  });
  const stream = ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>);
  return { stream, exited, stop: () => stop(child) };
}

/** The caller's environment without what would lead the run to an account, and with the demo's own folders. */
function bridgeEnvironment({ env, frames }: DemoWorkspace): NodeJS.ProcessEnv {
  const {
    CODEX_API_KEY: _codexKey,
    OPENAI_API_KEY: _openAiKey,
    CODEX_CONFIG: _config,
    MODEL_PROVIDER: _provider,
    ...caller
  } = process.env;
  return {
    ...caller,
    ...env,
    NO_BROWSER: "1",
    // The working folder is thrown away afterwards, and a sandbox is not to be had in every container.
    INITIAL_AGENT_MODE: "agent-full-access",
    APP_SERVER_LOGS: frames,
  };
}

async function stop(child: ChildProcess): Promise<void> {
  const gone = () => child.exitCode !== null || child.signalCode !== null || child.pid === undefined;
  if (gone()) return;
  const exit = once(child, "exit");
  child.stdin?.end();
  const terminate = setTimeout(() => child.kill("SIGTERM"), patience.endMs);
  const kill = setTimeout(() => child.kill("SIGKILL"), patience.endMs + patience.terminateMs);
  await exit;
  clearTimeout(terminate);
  clearTimeout(kill);
}

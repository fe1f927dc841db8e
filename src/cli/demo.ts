import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { AnyMessage } from "@agentclientprotocol/sdk/experimental/v2/unstable";
import { type Bridge, startBridge } from "./demo/bridge.js";
import { createRenderer } from "./demo/render.js";
import { Screen } from "./demo/screen.js";
import { type DemoModel, newNotes, oldNotes, startDemoModel } from "./demo/script.js";
import { type Direction, tap } from "./demo/tap.js";
import { runTurn } from "./demo/turn.js";
import { createWorkspace, type DemoWorkspace } from "./demo/workspace.js";
import { type Paint, paintFor } from "./paint.js";

export interface DemoOptions {
  /** The bin that the demo runs as the agent. */
  readonly cliPath: string;
  readonly prompt?: string;
  /** Print each frame between client and bridge. */
  readonly frames?: boolean;
  /** Leave the working folders in place. */
  readonly keep?: boolean;
}

const defaultPrompt = "Count to four in the shell, then replace the old notes with a new file.";
const turnLimitMs = 60_000;

/** What ends the run before its turn does: Ctrl-C, the time limit, or the bridge's own end. */
class Stopped extends Error {
  readonly exitCode: number;
  constructor(message: string, exitCode: number) {
    super(message);
    this.exitCode = exitCode;
  }
}

/**
 * One whole turn through the real thing: scripted model on loopback, real Codex, the bridge as a child process, and an
 * ACP v2 client that shows what it gets. Needs no account and no network. Returns the exit code.
 */
export async function demo(options: DemoOptions): Promise<number> {
  const paint = paintFor(process.stdout);
  const write = (text: string) => void process.stdout.write(text);
  const abort = new AbortController();
  const interrupt = () => abort.abort(new Stopped("interrupted", 130));
  const limit = setTimeout(() => abort.abort(new Stopped(`no end after ${turnLimitMs / 1000} s`, 1)), turnLimitMs);
  const unread = () => abort.abort(new Stopped("nobody reads the output", 1));
  process.on("SIGINT", interrupt).on("SIGTERM", interrupt);
  process.stdout.on("error", unread);
  const prompt = options.prompt ?? defaultPrompt;
  let model: DemoModel | undefined;
  let workspace: DemoWorkspace | undefined;
  try {
    model = await startDemoModel(prompt);
    workspace = await createWorkspace(model.url);
    return await play({ ...options, prompt }, { workspace, paint, write, abort });
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    write(`\n${paint("red", `demo: ${error.message}`)}\n`);
    return error.exitCode;
  } finally {
    clearTimeout(limit);
    await model?.close();
    if (workspace && options.keep) write(`kept         ${workspace.cwd}\n`);
    else await workspace?.remove();
    process.off("SIGINT", interrupt).off("SIGTERM", interrupt);
    process.stdout.off("error", unread);
  }
}

interface Stage {
  readonly workspace: DemoWorkspace;
  readonly paint: Paint;
  readonly write: (text: string) => void;
  readonly abort: AbortController;
}

async function play(
  options: DemoOptions & { readonly prompt: string },
  { workspace, paint, write, abort }: Stage,
): Promise<number> {
  const screen = new Screen(write);
  let stderr = "";
  const bridge: Bridge = startBridge(options.cliPath, workspace, (text) => {
    stderr += text;
  });
  bridge.exited.then((how) => abort.abort(new Stopped(`the bridge ${how}\n${stderr.trim()}`, 1)));

  const see = (direction: Direction, frame: AnyMessage): void => {
    if (options.frames) screen.line(paint("dim", `${direction === "to-agent" ? ">" : "<"} ${JSON.stringify(frame)}`));
  };
  try {
    const idle = await runTurn({
      stream: tap(bridge.stream, see),
      cwd: workspace.cwd,
      prompt: options.prompt,
      signal: abort.signal,
      onUpdate: createRenderer(screen, paint),
      onAgent: (name) => screen.line(`${name}, working in ${workspace.cwd}`),
    });
    const wrong = [
      ...(idle.stopReason === "end_turn" ? [] : ["the turn did not end by end_turn"]),
      ...(await onDisk(workspace)),
    ];
    for (const problem of wrong) screen.line(paint("red", `demo: ${problem}`));
    return wrong.length === 0 ? 0 : 1;
  } finally {
    await bridge.stop();
    for (const log of await readdir(workspace.frames))
      screen.line(`frames of both sides: ${join(workspace.frames, log)}`);
  }
}

/** What the turn should have left on the disk and did not. */
async function onDisk({ cwd }: DemoWorkspace): Promise<string[]> {
  const added = await readFile(join(cwd, newNotes.path), "utf8").catch(() => undefined);
  const kept = await stat(join(cwd, oldNotes.path)).catch(() => undefined);
  return [
    ...(added === newNotes.text ? [] : [`${newNotes.path} is not as the patch wrote it`]),
    ...(kept === undefined ? [] : [`${oldNotes.path} is still there`]),
  ];
}

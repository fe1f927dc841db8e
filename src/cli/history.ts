import type { AgentOptions } from "../agent/create-agent.js";
import { settingsFromEnv } from "../agent/settings.js";
import { startCodexAhead } from "../codex/starter.js";
import { createReceiptStore, receiptFiles } from "../files/receipts.js";
import { stateFolder } from "../files/state-folder.js";
import type { HistoryOmission } from "../generated/contract/types.js";
import { createExportFile, type ExportFile } from "./history/export-file.js";
import { type LocalAgent, RequestFailed, startLocalAgent } from "./history/local-agent.js";
import { progress } from "./history/progress.js";
import { showEntry } from "./history/show.js";
import { type WalkedPage, walk } from "./history/walk.js";
import { paintFor } from "./paint.js";

export interface HistoryOptions {
  /** Codex thread id. */
  readonly session: string;
  /** File of JSON lines to write; without it the history is printed. */
  readonly export?: string;
  /** Item by item in place of whole turns. */
  readonly items?: boolean;
  /** Keep Codex's own records; only in a file. */
  readonly native?: boolean;
}

const exitCodes = { ok: 0, failed: 1, usage: 2, interrupted: 130 };

/**
 * Prints a stored session, or exports it: all of it, or no file at all. Progress and every omission go to stderr. Returns
 * the exit code; not 0 when the session changed meanwhile or cannot be read.
 */
export async function history(options: HistoryOptions, env: NodeJS.ProcessEnv = process.env): Promise<number> {
  const say = (line: string): void => void process.stderr.write(`${line}\n`);
  if (options.native && options.export === undefined) {
    say("codex-acp-kit: --native needs --export");
    return exitCodes.usage;
  }
  const abort = new AbortController();
  const interrupt = (): void => abort.abort(new Error("interrupted"));
  const unread = (): void => abort.abort(new Error("nobody reads the output"));
  process.on("SIGINT", interrupt).on("SIGTERM", interrupt);
  process.stdout.on("error", unread);
  const starter = startCodexAhead(env);
  const agentOptions: AgentOptions = {
    codex: () => starter.start(),
    settings: settingsFromEnv(env),
    receipts: createReceiptStore(receiptFiles, stateFolder(env)),
    warn: say,
  };
  let agent: LocalAgent | undefined;
  try {
    agent = await startLocalAgent(agentOptions);
    const omissions = await run(agent, options, abort.signal);
    for (const { itemId, field, reason } of omissions) say(`omitted  ${itemId}  ${field}: ${reason}`);
    return exitCodes.ok;
  } catch (error) {
    say(`codex-acp-kit: ${error instanceof Error ? error.message : String(error)}${hint(error, options)}`);
    return abort.signal.aborted ? exitCodes.interrupted : exitCodes.failed;
  } finally {
    process.off("SIGINT", interrupt).off("SIGTERM", interrupt);
    process.stdout.off("error", unread);
    await agent?.close();
    await starter.stop();
  }
}

function hint(error: unknown, { items = false, native = false }: HistoryOptions): string {
  if (!(error instanceof RequestFailed) || error.reason === null) return "";
  if (error.reason !== "history_page_too_large") return ` (${error.reason})`;
  const way = [...(items ? [] : ["--items"]), ...(native ? ["leaving out --native"] : [])].join(" or ");
  return ` (${error.reason}): one ${items ? "item" : "turn"} is larger than 16 MiB${way && `; try ${way}`}`;
}

async function run(
  agent: LocalAgent,
  { session, export: path, items = false, native = false }: HistoryOptions,
  signal: AbortSignal,
): Promise<HistoryOmission[]> {
  const mode = path === undefined ? "browse" : "export";
  const pages = walk(agent, { sessionId: session, mode, items, native, signal });
  const write = path === undefined ? printer() : await exporter(path);
  const omissions: HistoryOmission[] = [];
  let count = 0;
  const show = progress(process.stderr, items ? "item" : "turn");
  try {
    for await (const page of pages) {
      await write.page(page, count === 0);
      count += page.entries.length;
      for (const entry of page.entries) omissions.push(...entry.omissions);
      if (path !== undefined) show.page(page, count);
    }
    await write.finish();
  } catch (error) {
    await write.discard();
    show.broken();
    throw error;
  }
  return omissions;
}

interface Output {
  page(page: WalkedPage, first: boolean): Promise<void>;
  finish(): Promise<void>;
  discard(): Promise<void>;
}

/** The session on the first line, then one line for each turn or item. */
async function exporter(path: string): Promise<Output> {
  const file: ExportFile = await createExportFile(path);
  return {
    async page({ head, entries }, first) {
      const { nextCursor: _cursor, complete: _complete, ...session } = head;
      if (first) await file.line({ type: "session", ...session });
      for (const entry of entries) await file.line({ type: "itemId" in entry ? "item" : "turn", ...entry });
    },
    finish: file.finish,
    discard: file.discard,
  };
}

function printer(): Output {
  const paint = paintFor(process.stdout);
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  return {
    async page({ head, entries }, first) {
      if (first) print(`${paint("bold", head.title ?? "untitled")}  ${head.cwd}`);
      for (const entry of entries) for (const line of showEntry(entry, paint)) print(line);
    },
    finish: async () => undefined,
    discard: async () => undefined,
  };
}

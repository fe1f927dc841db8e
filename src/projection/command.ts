import type { ToolCallLocation } from "../generated/acp/types.js";
import type { CommandAction } from "../generated/codex/types.js";
import type { ToolCallUpdateMeta } from "../generated/contract/meta.js";
import { fitTool } from "./fit.js";
import { base64, capText, closingSnapshot, rawOutputLimit, type Streamed } from "./output.js";
import { announceTool, patchTool, type ToolStatus, type ToolView } from "./tool-view.js";
import { absolutePath, content, type ItemFacts, type ItemOf, type Mutable, text, type Update } from "./update.js";

type Command = ItemOf<"commandExecution">;
type CommandTool = "shell" | "read_file" | "list_files" | "search";

/**
 * What a command is to a host (TOOL-05 to TOOL-07): a plain command has a terminal; one that Codex recognises as
 * reading, listing or searching as a whole has its output as text content instead.
 */
export function commandTool(actions: readonly CommandAction[]): CommandTool {
  const types = new Set(actions.map((action) => action.type));
  if (types.size === 0 || types.has("unknown")) return "shell";
  if (types.has("search")) return "search";
  return types.has("read") ? "read_file" : "list_files";
}

export const hasTerminal = (item: Command): boolean => commandTool(item.commandActions) === "shell";

/** The frames that announce a running command. */
export function commandStarted(item: Command, facts: ItemFacts): Update[] {
  const view = commandView(item, "in_progress", facts, true);
  if (!hasTerminal(item)) return [announceTool(view)];
  return [terminalStart(item, facts), announceTool(view)];
}

/** The frames that end a command; `streamed` is null for one the host has not been told of. */
export function commandCompleted(item: Command, facts: ItemFacts, streamed: Streamed | null): Update[] {
  const view = commandView(item, commandStatus(item, facts), facts, streamed === null);
  if (!hasTerminal(item)) return [streamed ? patchTool(view) : announceTool(view)];
  const end = { exitCode: item.exitCode ?? null, signal: null };
  if (!streamed) {
    const frames = terminalEnd(terminalStart(item, facts), item.aggregatedOutput ?? "", end);
    return [...frames, announceTool(view)];
  }
  const snapshot = closingSnapshot(streamed, item.aggregatedOutput ?? null);
  return [...terminalEnd({ sessionUpdate: "terminal_update", terminalId: item.id }, snapshot, end), patchTool(view)];
}

type TerminalUpdate = Extract<Update, { sessionUpdate: "terminal_update" }>;

/** Code units of output in one frame: in base64 at most 16 MiB (R-06). */
const pieceLimit = 4 * 1024 * 1024;

/**
 * The end of a terminal, from a frame that was just made: one frame, unless no line can hold all of the output. `output`
 * null: the host has it already.
 */
function terminalEnd(
  update: TerminalUpdate,
  output: string | null,
  exitStatus: NonNullable<TerminalUpdate["exitStatus"]>,
): Update[] {
  const first = output === null ? "" : capText(output, pieceLimit);
  if (output !== null) update.output = { data: base64(first) };
  if (output === null || first.length === output.length) {
    update.exitStatus = exitStatus;
    return [update];
  }
  const { terminalId } = update;
  const frames: Update[] = [update];
  for (let at = first.length; at < output.length; ) {
    const piece = capText(output.slice(at, at + pieceLimit + 1), pieceLimit);
    frames.push({ sessionUpdate: "terminal_output_chunk", terminalId, data: base64(piece) });
    at += piece.length;
  }
  return [...frames, { sessionUpdate: "terminal_update", terminalId, exitStatus }];
}

export function commandStatus(item: Command, facts: ItemFacts): ToolStatus {
  switch (item.status) {
    case "inProgress":
      return "in_progress";
    case "completed":
      return "completed";
    case "declined":
      return "cancelled";
    default:
      return facts.cancelled ? "cancelled" : "failed";
  }
}

function terminalStart(item: Command, facts: ItemFacts) {
  return {
    sessionUpdate: "terminal_update" as const,
    terminalId: item.id,
    command: item.command,
    cwd: absolutePath(item.cwd, facts.cwd),
  };
}

function commandView(item: Command, status: ToolStatus, facts: ItemFacts, first: boolean): ToolView {
  const name = commandTool(item.commandActions);
  const terminal = name === "shell";
  const output = item.aggregatedOutput ?? null;
  const ended = status !== "in_progress";
  const view: Mutable<ToolView> = {
    toolCallId: item.id,
    name,
    title: commandTitle(item, name),
    status,
    rawInput: { command: item.command, cwd: item.cwd },
  };
  const locations = locationsOf(item, facts.cwd);
  if (locations.length > 0) view.locations = locations;
  if (terminal && first) view.content = [{ type: "terminal", terminalId: item.id }];
  if (!terminal && ended && output !== null) view.content = [content(text(output))];
  if (ended) view.rawOutput = rawOutput(item);
  if (ended && output !== null && output.length > rawOutputLimit) view.meta = truncation(item.id, output, terminal);
  return fitTool(view);
}

function locationsOf(item: Command, cwd: string): ToolCallLocation[] {
  const locations: ToolCallLocation[] = [];
  for (const action of item.commandActions) {
    if ("path" in action && typeof action.path === "string") locations.push({ path: absolutePath(action.path, cwd) });
  }
  return locations;
}

function rawOutput({ aggregatedOutput: output, exitCode = null, durationMs = null }: Command): object {
  return output == null ? { exitCode, durationMs } : { output: capText(output, rawOutputLimit), exitCode, durationMs };
}

/** Where the whole of a capped output is (REC-10). */
function truncation(id: string, output: string, terminal: boolean): ToolCallUpdateMeta["codex"] {
  return { outputTruncated: true, outputCharacters: output.length, ...(terminal ? { terminalId: id } : {}) };
}

function commandTitle(item: Command, name: CommandTool): string {
  const [first] = item.commandActions;
  if (item.commandActions.length === 1 && first) {
    if (first.type === "read") return `Read ${first.name ?? first.path ?? "a file"}`;
    if (first.type === "listFiles") return `List ${first.path ?? "files"}`;
    if (first.type === "search")
      return `Search ${first.query ?? ""}${first.path == null ? "" : ` in ${first.path}`}`.trim();
  }
  const commands = item.commandActions.flatMap(({ command }) => (command ? [command] : []));
  return commands.length === 0 || name !== "shell" ? item.command : commands.join(" && ");
}

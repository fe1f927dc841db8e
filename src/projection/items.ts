import type { ThreadItem } from "../generated/codex/types.js";
import { commandCompleted, commandStarted, hasTerminal } from "./command.js";
import { fileChangeView } from "./file-change.js";
import { fitTool } from "./fit.js";
import { type Ledger, type OpenItem, openItem, withItem, withoutItem } from "./ledger.js";
import { agentMessage, agentThought, chunkMeta, reviewMessage } from "./message.js";
import { nothingStreamed } from "./output.js";
import { sound } from "./sound.js";
import { announceTool, patchTool, type ToolView } from "./tool-view.js";
import * as tools from "./tools.js";
import type { ItemFacts, Update } from "./update.js";

/** What the host is to be told, and what it then knows. */
export interface Projection {
  readonly ledger: Ledger;
  readonly updates: readonly Update[];
}

/**
 * The tool call that an item is, or null for items that are none. This and `message.ts` are the one mapping from
 * Codex items to ACP: live, replay and read-only history all come through here.
 */
export function toolViewOf(item: ThreadItem, facts: ItemFacts, ended: boolean): ToolView | null {
  const view = viewOf(item, facts, ended);
  return view && fitTool(view);
}

function viewOf(item: ThreadItem, facts: ItemFacts, ended: boolean): ToolView | null {
  switch (item.type) {
    case "userMessage":
    case "agentMessage":
    case "reasoning":
    case "plan":
    case "contextCompaction":
    case "exitedReviewMode":
    case "commandExecution":
      return null;
    case "fileChange":
      return fileChangeView(item, facts);
    case "mcpToolCall":
      return tools.mcpToolCallView(item, facts);
    case "dynamicToolCall":
      return tools.dynamicToolCallView(item, facts);
    case "webSearch":
      return tools.webSearchView(item, facts, ended);
    case "imageView":
      return tools.imageViewView(item, facts, ended);
    case "imageGeneration":
      return tools.imageGenerationView(item, facts, ended);
    case "collabAgentToolCall":
      return tools.collabView(item, facts);
    case "subAgentActivity":
      return tools.subAgentView(item);
    case "functionCallOutput":
      return tools.functionCallOutputView(item);
    case "hookPrompt":
      return tools.hookPromptView(item);
    case "sleep":
      return tools.sleepView(item, ended);
    case "enteredReviewMode":
      return tools.reviewView(item, ended);
    default:
      return tools.unknownItemView(item, ended);
  }
}

/** An item began. User messages are the session's own affair: see the turn machine. */
export function itemStarted(ledger: Ledger, given: ThreadItem, facts: ItemFacts): Projection {
  const item = sound(given, false);
  const known = ledger.get(item.id);
  // An approval that came first has announced it already.
  if (known?.tool) return startedAgain(ledger, { ...known, item }, toolViewOf(item, facts, false));
  const open = openItem(facts.turnId, item);
  switch (item.type) {
    case "userMessage":
    case "exitedReviewMode":
      return { ledger, updates: [] };
    case "agentMessage":
      return { ledger: withItem(ledger, item.id, { ...open, chunkMeta: chunkMeta(item, facts) }), updates: [] };
    case "reasoning":
    case "plan":
      return { ledger: withItem(ledger, item.id, open), updates: [] };
    case "contextCompaction":
      return {
        ledger: withItem(ledger, item.id, open),
        updates: [{ sessionUpdate: "compaction_update", compactionId: item.id, status: "in_progress" }],
      };
    case "commandExecution":
      return {
        ledger: withItem(ledger, item.id, { ...open, tool: true, streamed: nothingStreamed(hasTerminal(item)) }),
        updates: commandStarted(item, facts),
      };
    default: {
      const view = toolViewOf(item, facts, false);
      if (!view) return { ledger, updates: [] };
      const announced = { ...open, tool: true, meta: view.meta ?? {} };
      return { ledger: withItem(ledger, item.id, announced), updates: [announceTool(view)] };
    }
  }
}

const startedAgain = (ledger: Ledger, open: OpenItem, view: ToolView | null): Projection =>
  view ? patched(ledger, open, view) : { ledger: withItem(ledger, open.item.id, open), updates: [] };

/** A later frame of an open call, with all that its `_meta.codex` said before. */
export function patched(ledger: Ledger, open: OpenItem, view: ToolView): Projection {
  const meta = { ...(view.content === undefined ? open.meta : withoutOmissions(open.meta)), ...view.meta };
  const updates = [patchTool(Object.keys(meta).length === 0 ? view : { ...view, meta })];
  return { ledger: withItem(ledger, open.item.id, { ...open, meta }), updates };
}

/** What was left out of content that is now another. */
function withoutOmissions({ omissions = [], ...meta }: OpenItem["meta"]): OpenItem["meta"] {
  const kept = omissions.filter(({ field }) => field === "rawInput");
  return kept.length === 0 ? meta : { ...meta, omissions: kept };
}

/** A host replaces the key whole: what it was told of the call before goes along, and the update's own wins. */
function carrying(known: OpenItem | undefined, update: Update): Update {
  if (update.sessionUpdate !== "tool_call_update" || !known) return update;
  const before = update.content === undefined ? known.meta : withoutOmissions(known.meta);
  if (Object.keys(before).length === 0) return update;
  return { ...update, _meta: { ...update._meta, codex: { ...before, ...update._meta?.codex } } };
}

/** An item ended; one never heard of before gets a full first upsert (REC-03). */
export function itemCompleted(ledger: Ledger, given: ThreadItem, facts: ItemFacts): Projection {
  const item = sound(given, true);
  const known = ledger.get(item.id);
  const updates = completionOf(item, facts, known).map((update) => carrying(known, update));
  return { ledger: withoutItem(ledger, item.id), updates };
}

function completionOf(item: ThreadItem, facts: ItemFacts, known: OpenItem | undefined): readonly Update[] {
  switch (item.type) {
    case "userMessage":
      return [];
    case "agentMessage":
      return [agentMessage(item, facts)];
    case "reasoning": {
      const thought = agentThought(item, facts);
      return thought ? [thought] : [];
    }
    case "plan":
      return [{ sessionUpdate: "plan_update", plan: { type: "markdown", planId: item.id, content: item.text } }];
    case "contextCompaction":
      return [{ sessionUpdate: "compaction_update", compactionId: item.id, status: "completed" }];
    case "exitedReviewMode":
      return [agentMessage(reviewMessage(item), facts)];
    case "commandExecution": {
      const updates = commandCompleted(item, facts, known?.streamed ?? null);
      // The call of a command that outlived its turn was settled then; only its terminal is still to end.
      return known && !known.tool ? updates.flatMap(endOfOutlived) : updates;
    }
    default: {
      const view = toolViewOf(item, facts, true);
      if (!view) return [];
      return [known?.tool ? patchTool(view) : announceTool(view)];
    }
  }
}

export type TurnOutcome = "completed" | "failed" | "cancelled";

/**
 * Closes what a turn left open (REC-04 to REC-06): a tool call takes the turn's outcome, a terminal whose process is
 * gone gets an exit status that says nothing of how it ended. Items in `alive` still run: their call is settled, their
 * terminal goes on. One turn runs at a time, so all that is open is its own, but for commands that outlived an
 * earlier one.
 */
export function settleOpen(ledger: Ledger, outcome: TurnOutcome, alive: ReadonlySet<string>): Projection {
  const updates: Update[] = [];
  const next = new Map(ledger);
  for (const [id, open] of ledger) {
    if (hasOutlived(open)) continue;
    const terminal = open.item.type === "commandExecution" && hasTerminal(open.item);
    const background = terminal && alive.has(id);
    if (!background) next.delete(id);
    if (open.item.type === "contextCompaction") {
      const status = outcome === "completed" ? "completed" : outcome;
      updates.push({ sessionUpdate: "compaction_update", compactionId: id, status });
    }
    if (!open.tool) continue;
    if (background) next.set(id, { ...open, tool: false });
    // Before the state that lists it.
    if (background) updates.push({ sessionUpdate: "terminal_update", terminalId: id, capabilities: { cancel: {} } });
    updates.push(patchTool({ toolCallId: id, status: outcome, meta: { ...open.meta, reconciled: true } }));
    if (terminal && !background) updates.push(orphaned(id, outcome));
  }
  return { ledger: next, updates };
}

/** A command whose call was settled with its turn while its process went on. */
const hasOutlived = (open: OpenItem): boolean => !open.tool && open.item.type === "commandExecution";

/** What ends with its process: it cannot be cancelled any more. */
function endOfOutlived(update: Update): Update[] {
  if (update.sessionUpdate !== "terminal_update") return [];
  return [update.exitStatus ? { ...update, capabilities: null } : update];
}

const orphaned = (terminalId: string, outcome: TurnOutcome): Update => ({
  sessionUpdate: "terminal_update",
  terminalId,
  exitStatus: { exitCode: null, signal: null },
  _meta: { codex: { turnOutcome: outcome } },
});

/** Ends the terminals of commands that outlived their turns: their processes are gone with Codex. */
export function settleOutlived(ledger: Ledger): Projection {
  const gone = [...ledger].filter(([, open]) => hasOutlived(open));
  const next = new Map(ledger);
  for (const [id] of gone) next.delete(id);
  return { ledger: next, updates: gone.flatMap(([id]) => endOfOutlived(orphaned(id, "failed"))) };
}

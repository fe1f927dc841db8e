import type { Thread } from "../../generated/codex/types.js";
import { errors } from "../../generated/contract/errors.js";
import type { CommandMessage } from "../../projection/command-message.js";
import { commandIn, type RootedTurn, receiptsOf } from "../commands/receipts.js";
import type { Services } from "../services.js";
import { unlessCancelled } from "./cancel.js";
import type { Source } from "./source.js";

/** A turn on a page, as far as it may be a slash command's. */
export interface CommandTurn extends RootedTurn {
  readonly review: boolean;
}

/**
 * The slash commands behind the turns of a page, by turn id (HIST-39). Throws `command_history_incomplete` when a receipt
 * of this thread or of one it was forked from is not saved, and when a review of a thread that is the bridge's own has
 * none (HIST-76).
 */
export async function commandsOf(
  services: Services,
  source: Source,
  thread: Thread,
  turns: readonly CommandTurn[],
  signal: AbortSignal,
): Promise<(turnId: string) => CommandMessage | null> {
  const incomplete = () => errors.commandHistoryIncomplete({ sessionId: thread.id });
  const receipts = await unlessCancelled(signal, () => receiptsOf(services, thread.id, turns));
  const unconfirmed = services.receipts.unconfirmed();
  const unclaimed = turns.some(({ id, review }) => review && !receipts.has(id));
  if (unconfirmed.size > 0 || unclaimed) {
    if (unconfirmed.has(thread.id)) throw incomplete();
    const lineage = await lineageOf(services, source, thread);
    if (lineage.some(({ id }) => unconfirmed.has(id))) throw incomplete();
    // A review that another client ran has no receipt, and needs none.
    if (unclaimed && lineage.every(({ originator }) => originator === services.info.name)) throw incomplete();
  }
  const known = new Map(turns.map((turn) => [turn.id, commandIn(receipts, turn)]));
  return (turnId) => known.get(turnId) ?? null;
}

/** The thread and what it was forked from, as far back as Codex still has it. Read only where a doubt asks for it. */
async function lineageOf(services: Services, source: Source, thread: Thread): Promise<Thread[]> {
  const lineage = [thread];
  const seen = new Set([thread.id]);
  for (let next = thread.forkedFromId ?? null; next !== null && !seen.has(next); ) {
    seen.add(next);
    try {
      const ancestor = await source.metadata(next);
      lineage.push(ancestor);
      next = ancestor.forkedFromId ?? null;
    } catch (error) {
      if (services.codex.errorKind(error) !== "thread-not-found") throw error;
      return lineage;
    }
  }
  return lineage;
}

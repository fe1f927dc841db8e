import type { Turn } from "../../generated/codex/types.js";
import { errors } from "../../generated/contract/errors.js";
import type { CommandMessage } from "../../projection/command-message.js";
import type { CommandReceipt, Services } from "../services.js";

/** A turn, and the one it belongs to: a review puts its prompt into a turn of its own. */
export interface RootedTurn {
  readonly id: string;
  readonly root: string | null;
}

export const rootedTurn = ({ id, rootTurnId }: Turn): RootedTurn => ({ id, root: rootTurnId ?? null });

export type Receipts = ReadonlyMap<string, CommandReceipt>;

/** The receipts of these turns, by turn id. Rejects with `command_history_incomplete` when one cannot be read. */
export function receiptsOf(services: Services, sessionId: string, turns: readonly RootedTurn[]): Promise<Receipts> {
  const ids: string[] = [];
  for (const { id, root } of turns) {
    ids.push(id);
    if (root !== null && root !== id) ids.push(root);
  }
  return services.receipts.lookup(ids).catch((error: unknown) => {
    throw errors.commandHistoryIncomplete({ sessionId }, { cause: error });
  });
}

/** The slash command that a turn carries out, if it is one. */
export function commandIn(receipts: Receipts, { id, root }: RootedTurn): CommandMessage | null {
  const own = receipts.get(id);
  if (own) return own;
  const outer = root === null || root === id ? undefined : receipts.get(root);
  return outer ? { receipt: outer.receipt, content: null } : null;
}

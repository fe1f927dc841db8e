import type { CodexClient } from "../../codex/client.js";
import type { Thread, Turn } from "../../generated/codex/types.js";
import { errors } from "../../generated/contract/errors.js";
import type { CommandMessage } from "../../projection/command-message.js";
import { ContractError } from "../../runtime/index.js";
import type { RunningTurn } from "../../session/turn/adopt.js";
import { commandIn, type RootedTurn, receiptsOf, rootedTurn } from "../commands/receipts.js";
import type { Services } from "../services.js";
import { unlessCancelled } from "./cancellable.js";
import { replayThread } from "./replay.js";

/** Longest read of command receipts while a turn is being restored, in ms (CANCEL-11). */
const receiptsMs = 3000;

/** What restoring a running turn gave. */
export interface Restored {
  /** The turns that were shown, oldest first; null when they are not all of them. */
  readonly ids: readonly string[] | null;
  readonly running: RunningTurn;
}

export interface RestoreOptions {
  /** Show the stored transcript; otherwise only the turn itself is taken over (CANCEL-16, CANCEL-19). */
  readonly replay: boolean;
  /** The request was cancelled: rejects. */
  readonly signal: AbortSignal;
  /** The host stopped the turn: nothing more is shown, and what comes late is dropped (CANCEL-12). */
  readonly stop: AbortSignal;
}

/**
 * Takes over a turn that runs. Its session opens whatever becomes of the history: the turn goes on, and its end reports
 * what was missing (CANCEL-14, CANCEL-15). Rejects only when the request was cancelled or Codex is lost.
 */
export async function restoreTurn(
  services: Services,
  client: CodexClient,
  thread: Pick<Thread, "id" | "cwd">,
  turn: Turn,
  { replay, signal, stop }: RestoreOptions,
): Promise<Restored> {
  const over = AbortSignal.any([signal, stop]);
  let latest: Turn | null = null;
  let command: CommandMessage | null = null;
  let receiptsKnown = false;
  const running = (historyError: RunningTurn["historyError"] = null): RunningTurn => ({
    turn: latest ?? turn,
    command,
    shown: latest !== null,
    receiptsKnown,
    historyError,
  });
  const readReceipts = async (turns: readonly RootedTurn[]) => {
    const receipts = await inTime(services, thread.id, receiptsOf(services, thread.id, turns), over);
    const own = turns.find(({ id }) => id === turn.id);
    if (own) {
      command = commandIn(receipts, own);
      receiptsKnown = true;
    }
    return receipts;
  };
  const onTurn = (shown: Turn): void => {
    if (shown.id === turn.id) latest = shown;
  };
  try {
    if (replay) {
      const ids = await replayThread(services, client, thread, { signal: over, readReceipts, onTurn });
      return { ids, running: running() };
    }
    await readReceipts([rootedTurn(turn)]);
    return { ids: null, running: running() };
  } catch (error) {
    if (signal.aborted) throw error;
    if (stop.aborted) return { ids: null, running: running() };
    const told = toldOf(services, error);
    // Without a replay no history was asked for.
    return { ids: null, running: running(replay ? told : null) };
  }
}

/** The error as the end of the turn reports it. What ends the turn too is thrown on. */
function toldOf(services: Services, error: unknown): RunningTurn["historyError"] {
  if (error instanceof ContractError) {
    return { code: error.code, message: error.message, data: error.data };
  }
  const failure = services.codex.failureOf(error);
  if (failure?.type !== "refused") throw error;
  return { code: failure.code, message: failure.message, data: failure.data };
}

function inTime<T>({ clock }: Services, sessionId: string, work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = clock.after(receiptsMs, () => reject(errors.commandHistoryIncomplete({ sessionId })));
    unlessCancelled(work, signal, () => undefined)
      .then(resolve, reject)
      .finally(late);
  });
}

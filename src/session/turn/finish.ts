import type { Turn, TurnError } from "../../generated/codex/types.js";
import { failureId, stopReasonOf, turnFailure } from "../../projection/failure.js";
import { settleOpen, type TurnOutcome } from "../../projection/items.js";
import type { Ledger } from "../../projection/ledger.js";
import { patchTool } from "../../projection/tool-view.js";
import type { Update } from "../../projection/update.js";
import { usageBetween } from "../../projection/usage.js";
import type { BackgroundProcess, Outcome, SessionEffect } from "./events.js";
import { openTurn } from "./open.js";
import { planCallId, proposePlan } from "./plan.js";
import { reviewResults } from "./review.js";
import type { ActiveTurn, SessionState } from "./state.js";
import {
  andThen,
  currentState,
  messageMeta,
  type Step,
  stateFrame,
  stay,
  step,
  turnKey,
  update,
  updates,
  withEnded,
  withTurn,
} from "./step.js";

/** How long the end of a turn waits for Codex to say which of its commands still run. */
const backgroundMs = 3000;

const outcomeOf = (status: Turn["status"]): TurnOutcome =>
  status === "completed" ? "completed" : status === "interrupted" ? "cancelled" : "failed";

/** Commands of the turn that have not ended. */
export const openCommands = (state: SessionState, turn: ActiveTurn): string[] =>
  [...state.ledger].flatMap(([id, open]) =>
    open.turnId === turn.id && open.tool && open.item.type === "commandExecution" ? [id] : [],
  );

/** Codex ended the turn. Commands without an end may still run: ask before their fate is told. */
export function onTurnCompleted(
  state: SessionState,
  turn: ActiveTurn,
  native: Pick<Turn, "id" | "status" | "error">,
): Step {
  const next: ActiveTurn = {
    ...turn,
    id: native.id,
    stage: "finishing",
    completion: native,
    failure: native.error ?? turn.failure,
    blocking: new Set(),
  };
  const finishing: SessionState = { ...state, turn: next };
  // Its open questions are taken back; the turn may still ask about a plan.
  const withdraw: SessionEffect[] =
    turn.blocking.size > 0 ? [{ type: "withdraw" }, update(currentState(finishing))] : [];
  if (openCommands(finishing, next).length === 0) {
    return andThen(step(finishing, ...withdraw), (settled) => finishAsTold(settled, next, noneAlive));
  }
  return step(
    withTurn(finishing, next, { background: "listing" }),
    ...withdraw,
    { type: "listBackground", turnId: native.id },
    { type: "after", timer: "background", ms: backgroundMs, about: turnKey(next), attempt: 1 },
  );
}

const noneAlive: ReadonlySet<string> = new Set();

/** While the end is being prepared, commands may still report their own. */
export function finishIfSettled(state: SessionState): Step {
  const { turn } = state;
  if (turn?.stage !== "finishing" || openCommands(state, turn).length > 0) return stay(state);
  return finishAsTold(state, turn, noneAlive);
}

export function onBackgroundSettled(
  state: SessionState,
  turnId: string,
  outcome: Outcome<readonly BackgroundProcess[]>,
): Step {
  const { turn } = state;
  if (turn?.stage !== "finishing" || turn.id !== turnId || !turn.completion) return stay(state);
  const open = new Set(openCommands(state, turn));
  const alive = outcome.ok ? outcome.value.filter((process) => open.has(process.itemId)) : [];
  const cancelled = outcomeOf(turn.completion.status) === "cancelled";
  if (turn.background === "listing" && cancelled && alive.length > 0) {
    return step(
      withTurn(state, turn, { background: "terminating", terminating: alive.length }),
      ...alive.map(({ processId }): SessionEffect => ({ type: "terminate", turnId, processId })),
    );
  }
  return finishAsTold(state, turn, new Set(alive.map((process) => process.itemId)));
}

export function onTerminateSettled(state: SessionState, turnId: string): Step {
  const { turn } = state;
  if (turn?.stage !== "finishing" || turn.id !== turnId || turn.background !== "terminating") return stay(state);
  const terminating = turn.terminating - 1;
  if (terminating > 0) return stay(withTurn(state, turn, { terminating }));
  return step(withTurn(state, turn, { terminating, background: "relisting" }), { type: "listBackground", turnId });
}

export function onBackgroundTimer(state: SessionState, key: string): Step {
  const { turn } = state;
  if (turn?.stage !== "finishing" || turnKey(turn) !== key) return stay(state);
  // Unknown is not gone: a terminal ends when its process is known to have.
  return finishAsTold(state, turn, new Set(openCommands(state, turn)));
}

/** Those of `alive` that have a terminal: they go on without their call. */
export const outlived = (ledger: Ledger, alive: ReadonlySet<string>): string[] =>
  [...alive].filter((id) => ledger.has(id));

/** Ends the turn the way Codex said it ended. */
export function finishAsTold(state: SessionState, turn: ActiveTurn, alive: ReadonlySet<string>): Step {
  const status = turn.completion?.status ?? "interrupted";
  const outcome = outcomeOf(status);
  if (outcome === "completed" && turn.plan !== null && turn.cancellation === null && !state.closed) {
    return proposePlan(state, turn, turn.plan, alive);
  }
  return finish(state, turn, outcome, outcome === "failed" ? (turn.failure ?? unexplained) : null, alive);
}

const unexplained: TurnError = { message: "Codex ended the turn without saying why." };

/** Ends a turn that failed on the bridge's side of Codex: it never started, or Codex is gone. */
export function finishFailed(state: SessionState, turn: ActiveTurn, message: string): Step {
  return finish(state, turn, "failed", { message }, noneAlive);
}

/** Ends a turn that the bridge answered by itself. */
export const finishAnswered = (state: SessionState, turn: ActiveTurn): Step =>
  finish(state, turn, "completed", null, noneAlive);

/** Ends a turn whose plan the host does not want carried out. */
export const finishPlanned = (state: SessionState, turn: ActiveTurn): Step =>
  finish(state, turn, "completed", null, noneAlive);

export function finishCancelled(state: SessionState, turn: ActiveTurn): Step {
  return finish(state, turn, "cancelled", null, noneAlive);
}

/**
 * The one way a turn ends. In this order: open tool calls and terminals, the error's text, the interrupted prompt,
 * then idle with its reason (TOOL-04, REC-04, STATE-07 to STATE-10). Nothing of the turn follows.
 */
function finish(
  state: SessionState,
  turn: ActiveTurn,
  outcome: TurnOutcome,
  failure: TurnError | null,
  alive: ReadonlySet<string>,
): Step {
  const settled = settleOpen(state.ledger, outcome, alive);
  const results = reviewResults(turn, state.cwd);
  const last = turn.messages.at(-1);
  const clearRetry = state.retrying ? [update({ sessionUpdate: "session_info_update", _meta: { codex: {} } })] : [];
  const ended: SessionState = {
    ...[turn.interruptId, turn.id, ...turnsIn(state)].reduce(withEnded, unanswered(state, turn)),
    turn: null,
    ledger: settled.ledger,
    retrying: false,
    parked: [],
    background: [...state.background, ...outlived(settled.ledger, alive)],
  };
  // What went well has nothing else to report (CANCEL-15).
  const lacking = outcome === "completed" ? turn.historyError : null;
  const usage = usageBetween(turn.usageBefore, ended.usage);
  const idle = {
    ...stateFrame(ended, turn.owner),
    state: "idle" as const,
    ...(lacking ? { stopReason: "error", error: lacking } : stopReasonOf(outcome, failure)),
    ...(usage === null ? {} : { usage }),
  };
  const key = turn.id ?? turnKey(turn);
  const told: TurnError | null = lacking ? { message: lacking.message } : failure;
  const finished = step(
    ended,
    // Also questions that do not block the turn end with it.
    { type: "withdraw" },
    ...updates(settled.updates),
    ...updates(unansweredPlan(turn, outcome)),
    ...updates(results),
    ...clearRetry,
    ...(told === null ? [] : [update(turnFailure(failureId(key), told, { turnId: turn.id }))]),
    ...(outcome === "cancelled" && last ? [update(messageMeta(turn, last, true))] : []),
    update(idle),
    { type: "ended" },
  );
  return andThen(finished, (next) => openQueued(next, turn));
}

/**
 * Whose items are settled here. Before a turn has a name, items of another may have been taken for its own; told as ended
 * they have ended, whatever Codex still says of them.
 */
const turnsIn = ({ ledger }: SessionState): string[] => [...ledger.values()].map(({ turnId }) => turnId);

/** A start that is answered after the end names a turn that nobody waits for. */
function unanswered(state: SessionState, { owner, answered, stage, action }: ActiveTurn): SessionState {
  if (answered || owner === null || stage === "preparing" || action === "answer" || state.unloaded) return state;
  const receipts = new Set(state.ghosts.receipts).add(owner);
  return { ...state, ghosts: { ...state.ghosts, receipts } };
}

/** The call that asked for a plan's approval ends with the turn. */
function unansweredPlan({ stage, plan }: ActiveTurn, outcome: TurnOutcome): Update[] {
  if (stage !== "planning" || plan === null) return [];
  const status = outcome === "failed" ? "failed" : "cancelled";
  return [patchTool({ toolCallId: planCallId(plan.itemId), status, meta: { reconciled: true } })];
}

/** What could not be steered opens the next turn: the first owns it, the rest are steered into it. */
function openQueued(state: SessionState, turn: ActiveTurn): Step {
  const [first, ...rest] = [...turn.held, ...turn.waiting];
  if (!first || state.closed) return stay(state);
  return andThen(openTurn(state, first), (next) =>
    stay(next.turn ? withTurn(next, next.turn, { waiting: rest }) : next),
  );
}

/** A process that outlived its turn ended: its terminal has its exit status, then the list forgets it. */
export function backgroundEnded(state: SessionState, itemId: string): Step {
  const next = { ...state, background: state.background.filter((id) => id !== itemId) };
  return step(next, update(currentState(next)));
}

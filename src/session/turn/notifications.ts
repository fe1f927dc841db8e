import type { ThreadNotifications } from "../../generated/codex/dispatch.js";
import type { ThreadItem, Turn } from "../../generated/codex/types.js";
import * as deltas from "../../projection/deltas.js";
import { guardianReview } from "../../projection/guardian.js";
import { itemCompleted, itemStarted, type Projection } from "../../projection/items.js";
import { openItem, withItem } from "../../projection/ledger.js";
import { isInternalInput, userMessage } from "../../projection/message.js";
import { rerouted } from "../../projection/notice.js";
import { planUpdate } from "../../projection/plan.js";
import type { ItemFacts, ItemOf, Update } from "../../projection/update.js";
import { usageUpdate } from "../../projection/usage.js";
import { interruptIfPossible, withoutGhost } from "./cancel.js";
import { awaitCompaction } from "./compaction.js";
import type { NotificationEvent } from "./events.js";
import {
  backgroundEnded,
  finishAsTold,
  finishIfSettled,
  finishPlanned,
  onTurnCompleted,
  openCommands,
} from "./finish.js";
import { entered, onReviewExit, withText } from "./review.js";
import { named, onEarlyEnd, renamed } from "./start.js";
import { type ActiveTurn, newTurn, type SessionState } from "./state.js";
import { steerNext } from "./steer.js";
import {
  andThen,
  currentState,
  messageMeta,
  type Step,
  stay,
  step,
  update,
  updates,
  withEnded,
  withTurn,
} from "./step.js";

type Handlers = {
  readonly [Key in keyof ThreadNotifications]: (state: SessionState, params: ThreadNotifications[Key]) => Step;
};

export function onNotification(state: SessionState, event: NotificationEvent): Step {
  if (mayBeOfAnother(state, event)) return stay({ ...state, parked: [...state.parked, event] });
  // Of a closed session only turns that must not go on matter.
  if (state.closed && event.key !== "turnStarted" && event.key !== "turnCompleted") return stay(state);
  return handle(state, event);
}

const handle = <Key extends keyof ThreadNotifications>(state: SessionState, event: NotificationEvent<Key>): Step =>
  handlers[event.key](state, event.params);

/**
 * While a turn has no name yet and one that was given up has none either, a frame may be of either. The answers to
 * come tell; Codex gives them before the turn's first frame, so this is short.
 */
function mayBeOfAnother(state: SessionState, { params }: NotificationEvent): boolean {
  const { turn, ghosts } = state;
  if (!turn || turn.id !== null || ghosts.receipts.size === 0 || !atCodex(turn)) return false;
  const id = "turnId" in params ? params.turnId : "turn" in params ? params.turn.id : null;
  return id != null && !isOver(state, id);
}

const handlers: Handlers = {
  turnStarted: (state, { turn }) => onTurnStarted(state, turn),
  turnCompleted(state, { turn: native }) {
    if (state.ghosts.turns.has(native.id)) return stay(withEnded(withoutGhost(state, native.id), native.id));
    const { turn } = state;
    if (!turn || !atCodex(turn) || state.ended.includes(native.id)) {
      return stay(state);
    }
    if (turn.id !== null && turn.id !== native.id) return stay(state);
    return turn.answered ? onTurnCompleted(state, turn, native) : onEarlyEnd(state, turn, native);
  },
  itemStarted: (state, { turnId, item, startedAtMs }) =>
    within(state, turnId, item.id, (live) =>
      item.type === "userMessage"
        ? onUserMessage(live, item, turnId, startedAtMs)
        : onItemStarted(live, item, turnId, startedAtMs),
    ),
  itemCompleted: (state, { turnId, item, completedAtMs }) =>
    within(state, turnId, item.id, (live) => {
      if (item.type === "userMessage") return onUserMessage(live, item, turnId, null);
      if (item.type === "exitedReviewMode" && live.turn) return onReviewExit(live, live.turn, item);
      if (item.type === "enteredReviewMode") {
        // It ends with the review, not when Codex is done announcing it.
        return live.ledger.has(item.id) ? stay(live) : onItemStarted(live, item, turnId, completedAtMs);
      }
      const noted = noteResult(live, item);
      const next = projected(noted, itemCompleted(live.ledger, item, factsOf(live, turnId, completedAtMs)));
      if (item.type === "contextCompaction") return andThen(next, awaitCompaction);
      if (state.background.includes(item.id)) return andThen(next, (after) => backgroundEnded(after, item.id));
      return andThen(next, (after) => finishIfSettled(after));
    }),
  itemAgentMessageDelta: (state, { turnId, itemId, delta }) =>
    isLive(state, turnId, itemId)
      ? said(state, deltas.messageDelta(state.ledger, itemId, delta, factsOf(state, turnId, null)))
      : stay(state),
  itemReasoningSummaryTextDelta: (state, { turnId, itemId, delta }) =>
    within(state, turnId, itemId, (live, facts) =>
      projected(live, deltas.thoughtDelta(live.ledger, itemId, "summary", delta, facts)),
    ),
  itemReasoningSummaryPartAdded: (state, { turnId, itemId, summaryIndex }) =>
    // Parts are paragraphs of one thought.
    within(state, turnId, itemId, (live, facts) =>
      summaryIndex === 0
        ? stay(live)
        : projected(live, deltas.thoughtDelta(live.ledger, itemId, "summary", "\n\n", facts)),
    ),
  itemReasoningTextDelta: (state, { turnId, itemId, delta }) =>
    within(state, turnId, itemId, (live, facts) =>
      projected(live, deltas.thoughtDelta(live.ledger, itemId, "raw", delta, facts)),
    ),
  itemPlanDelta: (state, { turnId, itemId, delta }) =>
    within(state, turnId, itemId, (live) => projected(live, deltas.planDelta(live.ledger, itemId, delta))),
  itemCommandExecutionOutputDelta: (state, { turnId, itemId, delta }) =>
    isLive(state, turnId, itemId) ? said(state, deltas.outputDelta(state.ledger, itemId, delta)) : stay(state),
  itemCommandExecutionTerminalInteraction: (state, { turnId, itemId, stdin }) =>
    within(state, turnId, itemId, (live) => projected(live, deltas.terminalInput(live.ledger, itemId, stdin))),
  itemFileChangePatchUpdated: (state, { turnId, itemId, changes }) =>
    within(state, turnId, itemId, (live, facts) =>
      projected(live, deltas.patchUpdated(live.ledger, itemId, changes, facts)),
    ),
  itemMcpToolCallProgress: (state, { turnId, itemId, message }) =>
    isLive(state, turnId, itemId) ? said(state, deltas.mcpProgress(state.ledger, itemId, message)) : stay(state),
  turnPlanUpdated: (state, { turnId, plan }) => ofTurn(state, turnId, (live) => step(live, update(planUpdate(plan)))),
  modelRerouted: (state, params) => ofTurn(state, params.turnId, (live) => step(live, update(rerouted(params)))),
  error(state, { error, willRetry, turnId }) {
    return ofTurn(state, turnId, (live, turn) => {
      if (!willRetry) return stay(withTurn(live, turn, { failure: error }));
      const retry = {
        message: error.message,
        codexErrorInfo: error.codexErrorInfo ?? null,
        additionalDetails: error.additionalDetails ?? null,
      };
      return step(
        { ...live, retrying: true },
        update({ sessionUpdate: "session_info_update", _meta: { codex: { retry } } }),
      );
    });
  },
  threadTokenUsageUpdated(state, { turnId, tokenUsage }) {
    const told = usageUpdate(tokenUsage);
    const { turn } = state;
    // What an earlier turn used, counted late, is not this one's.
    const before = turn && turn.id !== turnId && isOver(state, turnId);
    const counted = before ? withTurn(state, turn, { usageBefore: tokenUsage.total }) : state;
    return step({ ...counted, usage: tokenUsage.total }, ...(told ? [update(told)] : []));
  },
  threadNameUpdated(state, { threadName }) {
    if (threadName == null || threadName === state.title) return stay(state);
    return step({ ...state, title: threadName }, update({ sessionUpdate: "session_info_update", title: threadName }));
  },
  threadClosed: (state) => stay({ ...state, unloaded: true }),
  threadSettingsUpdated: (state) => stay(state),
  threadStatusChanged: (state) => stay(state),
  serverRequestResolved: (state) => stay(state),
  // Shown where warnings of the process are, which are of no turn either.
  guardianWarning: (state) => stay(state),
  itemAutoApprovalReviewStarted: (state, params) =>
    ofTurn(state, params.turnId, (live) => projected(live, guardianReview(live.ledger, params, false))),
  itemAutoApprovalReviewCompleted: (state, params) =>
    ofTurn(state, params.turnId, (live) => projected(live, guardianReview(live.ledger, params, true))),
};

const told = (state: SessionState, values: readonly Update[]): Step => ({ state, effects: updates(values) });

/** A state whose ledger did not change is not copied. */
const projected = (state: SessionState, { ledger, updates: values }: Projection): Step =>
  told(ledger === state.ledger ? state : { ...state, ledger }, values);

function onItemStarted(state: SessionState, item: ThreadItem, turnId: string, startedAtMs: number): Step {
  const reviewing = item.type === "enteredReviewMode" && state.turn ? entered(state, state.turn, item.id) : state;
  const begun = beginWork(reviewing, item, startedAtMs);
  return projected(begun, itemStarted(begun.ledger, item, factsOf(begun, turnId, null)));
}

/**
 * Codex took a user message in. One of ours was shown when it was prompted and at most learns when it was sent
 * (R-17, REPLAY-27); one of another client is shown as Codex has it (PROMPT-09).
 */
function onUserMessage(
  state: SessionState,
  item: ItemOf<"userMessage">,
  turnId: string,
  startedAt: number | null,
): Step {
  const { turn, ledger } = state;
  const receipt = item.clientId ?? null;
  // What the bridge or Codex itself put to the model is nobody's message.
  if (isInternalInput(item)) return stay(state);
  if (receipt === null && turn?.receiptsKnown === false) return stay(state);
  if (receipt === null && (turn?.action === "review" || turn?.action === "implement" || turn?.action === "compact")) {
    return stay(state);
  }
  const steered = receipt !== null && state.steering?.prompt.receipt === receipt;
  const record = turn?.messages.find((it) => it.receipt === (receipt ?? item.id));
  if (turn && record) {
    if (record.sentAt !== null || startedAt === null) return stay(state);
    const dated = { ...record, sentAt: startedAt };
    const messages = turn.messages.map((it) => (it === record ? dated : it));
    const next: ActiveTurn = { ...turn, messages };
    return step({ ...state, turn: next }, update(messageMeta(next, dated, false)));
  }
  // Its frames come when the steer is answered; a second frame of one message says nothing new.
  if (steered || (receipt !== null && state.receipts.has(receipt)) || ledger.has(item.id)) return stay(state);
  const shown = update(userMessage(item, factsOf(state, turnId, null), startedAt));
  const heard: SessionState = { ...state, ledger: withItem(ledger, item.id, openItem(turnId, item)) };
  if (!turn) return step(heard, shown);
  const messages = [...turn.messages, { receipt: receipt ?? item.id, sentAt: startedAt }];
  return step(withTurn(heard, turn, { messages }), shown);
}

/** Codex started a turn: the one the bridge asked for, one nobody waits for any more, or one from elsewhere (REC-17). */
function onTurnStarted(state: SessionState, native: Turn): Step {
  const { turn } = state;
  if (state.ghosts.turns.has(native.id)) {
    return step(state, { type: "interrupt", turnId: native.id, attempt: 1 });
  }
  if (state.ended.includes(native.id)) return stay(state);
  if (turn?.action === "review" && turn.id !== null && !turn.started && turn.id !== native.id) {
    // Codex starts a review under an id of its own, which only an interrupt must name.
    const begun = withTurn(state, turn, { started: true, interruptId: native.id });
    if (turn.owner === null) return interruptIfPossible(begun);
    return andThen(step(begun, { type: "inputTurn", receipt: turn.owner, turnId: native.id }), interruptIfPossible);
  }
  if (turn && atCodex(turn) && (turn.id ?? native.id) === native.id) {
    const started: SessionState = withTurn(state, turn, { started: true });
    const known = started.turn as ActiveTurn;
    return andThen(andThen(named(started, known, native), interruptIfPossible), steerNext);
  }
  if (turn?.early && atCodex(turn)) {
    // The one that ended was another's, then.
    return andThen(renamed(state, turn, native), (next) => onTurnStarted(next, native));
  }
  if (state.ghosts.receipts.size > 0) return stay(state);
  if (state.closed || turn?.action === "answer") return stay(state);
  // Its own turn has not been sent: its prompt goes into the one that runs.
  if (turn?.stage === "preparing") return openForeign(state, native, turn);
  if (turn) {
    // Codex runs one turn of a thread at a time: the old one is over although its end was not reported.
    const over =
      turn.stage === "finishing"
        ? turn
        : { ...turn, completion: { status: turn.cancellation ? ("interrupted" as const) : endOf(turn) } };
    const alone: ActiveTurn = { ...over, held: [], waiting: [], plan: turn.stage === "planning" ? turn.plan : null };
    const alive = new Set(openCommands(state, turn));
    const ended = turn.stage === "planning" ? finishPlanned(state, alone) : finishAsTold(state, alone, alive);
    return andThen(ended, (next) => openForeign(next, native, turn));
  }
  return openForeign(state, native, null);
}

const endOf = (turn: ActiveTurn): "failed" | "completed" => (turn.failure ? "failed" : "completed");

/** Observes a turn that Codex started by itself; what waited for its own turn is steered into it (REC-17). */
function openForeign(state: SessionState, native: Turn, before: ActiveTurn | null): Step {
  const waiting = before ? [...(before.prompt ? [before.prompt] : []), ...before.held, ...before.waiting] : [];
  const foreign: ActiveTurn = { ...newTurn(null, state.usage), started: true, waiting };
  return andThen(named({ ...state, turn: foreign }, foreign, native), (next) =>
    andThen(step(next, update(currentState(next))), steerNext),
  );
}

/** What an item that ended means for the end of its turn: a review's message, a plan to be approved. */
function noteResult(state: SessionState, item: ThreadItem): SessionState {
  if (item.type === "agentMessage") return withText(state, item);
  if (item.type !== "plan" || !state.turn || item.text.trim() === "") return state;
  return withTurn(state, state.turn, { plan: { itemId: item.id, text: item.text } });
}

/** Codex has it, or will: its frames concern it. */
const atCodex = (turn: ActiveTurn): boolean =>
  turn.stage !== "preparing" && turn.stage !== "finishing" && turn.stage !== "planning" && turn.action !== "answer";

/** Whether a frame belongs to the running turn (CACHE-17, CACHE-18). */
function isOfTurn(state: SessionState, turn: ActiveTurn | null, turnId: string): turn is ActiveTurn {
  if (turn === null || turn.stage === "preparing" || turn.stage === "planning" || state.closed) return false;
  return turn.id === null ? !isOver(state, turnId) : turn.id === turnId;
}

/** Runs `body` when the frame belongs to the running turn, else drops it. */
function ofTurn(state: SessionState, turnId: string, body: (state: SessionState, turn: ActiveTurn) => Step): Step {
  const { turn } = state;
  return isOfTurn(state, turn, turnId) ? body(state, turn) : stay(state);
}

const isOver = (state: SessionState, turnId: string): boolean =>
  state.ended.includes(turnId) || state.ghosts.turns.has(turnId);

const outlived = (state: SessionState, itemId: string): boolean => !state.closed && state.background.includes(itemId);

/** Whether a frame belongs to the running turn, or to a command that outlived its turn. */
const isLive = (state: SessionState, turnId: string, itemId: string): boolean =>
  (isOfTurn(state, state.turn, turnId) && !state.turn.shown.has(itemId)) || outlived(state, itemId);

/** What a delta says that changes nothing in the state. On the hot path: no closure, nothing copied. */
const said = (state: SessionState, values: readonly Update[]): Step =>
  state.retrying ? andThen(progressed(state), (next) => told(next, values)) : told(state, values);

/** As `ofTurn`, and also for a command that outlived its turn. */
function within(
  state: SessionState,
  turnId: string,
  itemId: string,
  body: (state: SessionState, facts: ItemFacts) => Step,
): Step {
  if (outlived(state, itemId)) return body(state, factsOf(state, turnId, null));
  if (state.turn?.shown.has(itemId)) return stay(state);
  return ofTurn(state, turnId, (live) =>
    live.retrying
      ? andThen(progressed(live), (next) => body(next, factsOf(next, turnId, null)))
      : body(live, factsOf(live, turnId, null)),
  );
}

/** The turn goes on: whatever Codex was retrying is behind it (UPD-15). */
function progressed(state: SessionState): Step {
  const cleared = update({ sessionUpdate: "session_info_update", _meta: { codex: {} } });
  return step({ ...state, retrying: false }, cleared);
}

function factsOf(state: SessionState, turnId: string, completedAt: number | null): ItemFacts {
  const { turn } = state;
  return {
    turnId,
    turnStartedAt: turn?.startedAt ?? null,
    cwd: state.cwd,
    cancelled: turn?.cancellation != null || turn?.completion?.status === "interrupted",
    work: turn?.work ?? null,
    completedAt,
  };
}

/**
 * The clock of the turn's work: it starts when the opening prompt was sent, and stops when the first final answer
 * begins, so that streaming the answer adds nothing (REPLAY-31, REPLAY-32).
 */
function beginWork(state: SessionState, item: ThreadItem, startedAtMs: number): SessionState {
  const { turn } = state;
  if (!turn) return state;
  const startedAt = turn.work?.startedAt ?? turn.messages[0]?.sentAt ?? turn.startedAt;
  if (startedAt === null || startedAt === undefined) return state;
  const final = item.type === "agentMessage" && item.phase === "final_answer" && item.delivery !== "async";
  const durationMs = turn.work?.durationMs ?? (final ? Math.max(0, startedAtMs - startedAt) : null);
  if (turn.work && turn.work.durationMs === durationMs) return state;
  return withTurn(state, turn, { work: { startedAt, durationMs } });
}

import type { ThreadNotifications } from "../../generated/codex/dispatch.js";
import type { ThreadItem } from "../../generated/codex/types.js";
import * as deltas from "../../projection/deltas.js";
import { guardianReview } from "../../projection/guardian.js";
import { itemCompleted, itemStarted } from "../../projection/items.js";
import { rerouted } from "../../projection/notice.js";
import { planUpdate } from "../../projection/plan.js";
import { usageUpdate } from "../../projection/usage.js";
import { withoutGhost } from "./cancel.js";
import { awaitCompaction } from "./compaction.js";
import type { NotificationEvent } from "./events.js";
import { backgroundEnded, finishIfSettled, onTurnCompleted } from "./finish.js";
import { entered, onReviewExit, withText } from "./review.js";
import { atCodex, factsOf, isLive, isOver, ofTurn, projected, said, within } from "./scope.js";
import { onEarlyEnd } from "./start.js";
import { onTurnStarted } from "./started.js";
import type { SessionState } from "./state.js";
import { andThen, type Step, stay, step, update, withEnded, withTurn } from "./step.js";
import { onUserMessage } from "./user-message.js";

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

function onItemStarted(state: SessionState, item: ThreadItem, turnId: string, startedAtMs: number): Step {
  const reviewing = item.type === "enteredReviewMode" && state.turn ? entered(state, state.turn, item.id) : state;
  const begun = beginWork(reviewing, item, startedAtMs);
  return projected(begun, itemStarted(begun.ledger, item, factsOf(begun, turnId, null)));
}

/** What an item that ended means for the end of its turn: a review's message, a plan to be approved. */
function noteResult(state: SessionState, item: ThreadItem): SessionState {
  if (item.type === "agentMessage") return withText(state, item);
  if (item.type !== "plan" || !state.turn || item.text.trim() === "") return state;
  return withTurn(state, state.turn, { plan: { itemId: item.id, text: item.text } });
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

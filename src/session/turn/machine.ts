import { onBlocked, onUnblocked } from "./blocking.js";
import { onCompletionTimer, onGhostTimer, onInterruptSettled, onStatus } from "./cancel.js";
import { isCompactionStatus, onCompactionStatus, onCompactionTimer } from "./compaction.js";
import { onClose, onCodexLost } from "./end.js";
import type { SessionEvent } from "./events.js";
import { onBackgroundSettled, onBackgroundTimer, onTerminateSettled } from "./finish.js";
import { onNotification } from "./notifications.js";
import { onPlanAnswered } from "./plan.js";
import { onAnswered, onCancel, onPrepared, onPrompt } from "./prompt.js";
import { onStartTimer, onTurnStartSettled } from "./start.js";
import type { SessionState } from "./state.js";
import { onDeliveryTimer, onSteerSettled } from "./steer.js";
import type { Step } from "./step.js";

/**
 * A session's one way forward: state and event in, state and effects out. No time, no I/O, no randomness: clocks are
 * Codex's own, waits are effects. Every interleaving of host, Codex, timers and death comes through here, so what must hold in all of them
 * holds here: one terminal idle per turn, with the right reason; nothing of a turn after it; nothing after close.
 */
export function transition(state: SessionState, event: SessionEvent): Step {
  switch (event.type) {
    case "prompt":
      return onPrompt(state, event.prompt);
    case "prepared":
      return onPrepared(state, event.receipt, event.outcome);
    case "turnStartSettled":
      return onTurnStartSettled(state, event.receipt, event.outcome);
    case "steerSettled":
      return onSteerSettled(state, event.receipt, event.outcome);
    case "answered":
      return onAnswered(state, event.receipt, event.outcome);
    case "planAnswered":
      return onPlanAnswered(state, event.about, event.implement);
    case "cancel":
      return onCancel(state);
    case "interruptSettled":
      return onInterruptSettled(state, event.turnId, event.attempt, event.outcome);
    case "statusSettled":
      return isCompactionStatus(event.attempt)
        ? onCompactionStatus(state, event.about, event.outcome)
        : onStatus(state, event.about, event.attempt, event.outcome);
    case "timer":
      return onTimer(state, event);
    case "notification":
      return onNotification(state, event);
    case "blocked":
      return onBlocked(state, event.key);
    case "unblocked":
      return onUnblocked(state, event.key);
    case "backgroundSettled":
      return onBackgroundSettled(state, event.turnId, event.outcome);
    case "terminateSettled":
      return onTerminateSettled(state, event.turnId);
    case "codexLost":
      return onCodexLost(state, event.reason);
    case "close":
      return onClose(state);
  }
}

function onTimer(state: SessionState, { timer, about, attempt }: Extract<SessionEvent, { type: "timer" }>): Step {
  switch (timer) {
    case "compaction":
      return onCompactionTimer(state, about);
    case "completion":
      return onCompletionTimer(state, about, attempt);
    case "status":
      return onStatus(state, about, attempt, null);
    case "background":
      return onBackgroundTimer(state, about);
    case "ghost":
      return onGhostTimer(state, about, attempt);
    case "start":
      return onStartTimer(state, about);
    case "delivery":
      return onDeliveryTimer(state, about);
  }
}

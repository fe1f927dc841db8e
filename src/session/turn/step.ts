import type { Update } from "../../projection/update.js";
import type { SessionEffect } from "./events.js";
import { type ActiveTurn, endedTurnsKept, type PromptRecord, type SessionState } from "./state.js";

/** The state after an event, and what is to be done, in order. */
export interface Step {
  readonly state: SessionState;
  readonly effects: readonly SessionEffect[];
}

export const stay = (state: SessionState): Step => ({ state, effects: [] });

export const step = (state: SessionState, ...effects: SessionEffect[]): Step => ({ state, effects });

/** Goes on from a step: its effects come first. Not named `then`, which would make the module a thenable. */
export function andThen(first: Step, next: (state: SessionState) => Step): Step {
  const second = next(first.state);
  if (first.effects.length === 0) return second;
  return { state: second.state, effects: [...first.effects, ...second.effects] };
}

export const update = (value: Update): SessionEffect => ({ type: "update", update: value });

export function updates(values: readonly Update[]): SessionEffect[] {
  const [only] = values;
  return only !== undefined && values.length === 1 ? [update(only)] : values.map(update);
}

export const withTurn = (state: SessionState, turn: ActiveTurn, change: Partial<ActiveTurn>): SessionState => ({
  ...state,
  turn: { ...turn, ...change },
});

/** Names a turn in timers and status reads: its receipt, or Codex's id for one that has none. */
export const turnKey = (turn: ActiveTurn): string => turn.owner ?? turn.id ?? "";

/** `background` and `_meta` of every state frame (STATE-01, R-07). */
export function stateFrame(state: SessionState, owner: string | null) {
  return {
    sessionUpdate: "state_update" as const,
    background: state.background.map((terminalId) => ({ type: "terminal" as const, terminalId })),
    ...(owner === null ? {} : { _meta: { alwith: { messageId: owner } } }),
  };
}

export type StateFrame = Extract<Update, { sessionUpdate: "state_update" }>;

/** Another client has the thread; what it is doing there cannot be known (SESS-10). */
export const viewedState: StateFrame = {
  sessionUpdate: "state_update",
  state: "unknown",
  _meta: { codex: { readOnly: true } },
};

/** What the host should believe right now; sent again whenever something beside it changed. */
export function currentState(state: SessionState): StateFrame {
  const { turn } = state;
  if (!turn) return { ...stateFrame(state, null), state: "idle" };
  return { ...stateFrame(state, turn.owner), state: turn.blocking.size > 0 ? "requires_action" : "running" };
}

/** The upsert of a user message that only adds metadata. */
export function messageMeta(turn: ActiveTurn, record: PromptRecord, interrupted: boolean): Update {
  return {
    sessionUpdate: "user_message",
    messageId: record.receipt,
    _meta: {
      codex: {
        ...(turn.id === null ? {} : { turnId: turn.id }),
        ...(turn.startedAt === null ? {} : { turnStartedAt: turn.startedAt }),
        ...ownMeta(record),
        ...(interrupted ? { turnInterrupted: true } : {}),
      },
    },
  };
}

/** What a user message says of itself, whatever its turn. */
export const ownMeta = ({ sentAt, questionReplyParts }: PromptRecord) => ({
  ...(sentAt === null ? {} : { messageSentAt: sentAt }),
  ...(questionReplyParts ? { questionReplyParts } : {}),
});

export function withEnded(state: SessionState, turnId: string | null): SessionState {
  if (turnId === null || state.ended.includes(turnId)) return state;
  return { ...state, ended: [...state.ended, turnId].slice(-endedTurnsKept) };
}

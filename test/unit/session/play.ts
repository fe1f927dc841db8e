import type { Turn } from "../../../src/generated/codex/types.js";
import type { Update } from "../../../src/projection/update.js";
import { noTokens } from "../../../src/projection/usage.js";
import type { NotificationEvent, Outcome, SessionEffect, SessionEvent } from "../../../src/session/turn/events.js";
import { transition } from "../../../src/session/turn/machine.js";
import { initialState, type SessionState } from "../../../src/session/turn/state.js";
import { type commandExecution, type mcpToolCall, plan } from "../../../src/testing/scripted-codex/items.js";
import { turnOf } from "../../../src/testing/scripted-codex/turn.js";

export const prompted = (receipt: string): SessionEvent => ({
  type: "prompt",
  prompt: { receipt, content: [{ type: "text", text: receipt }], input: [], action: { kind: "turn" }, sentAt: null },
});

export const prepared = (receipt: string): SessionEvent => ({
  type: "prepared",
  receipt,
  outcome: { ok: true, value: null },
});

export const startSettled = (receipt: string, id: string): SessionEvent => ({
  type: "turnStartSettled",
  receipt,
  outcome: { ok: true, value: turnOf(id) },
});

export const refusal: Outcome<never> = { ok: false, lost: false, message: "refused" };

export const steerRefused = (receipt: string): SessionEvent => ({ type: "steerSettled", receipt, outcome: refusal });

type Params<Key extends NotificationEvent["key"]> = Extract<NotificationEvent, { key: Key }>["params"];

export const told = <Key extends NotificationEvent["key"]>(key: Key, params: Omit<Params<Key>, "threadId">) =>
  ({ type: "notification", key, params: { threadId: "thread", ...params } }) as unknown as SessionEvent;

export const started = (id: string): SessionEvent => told("turnStarted", { turn: turnOf(id) });

export const completed = (id: string, status: Turn["status"] = "completed"): SessionEvent =>
  told("turnCompleted", { turn: turnOf(id, { status }) });

/** The machine after a row of events. */
export interface Played {
  readonly state: SessionState;
  readonly effects: readonly SessionEffect[];
  readonly updates: readonly Update[];
  /** Effects of the last event alone. */
  readonly last: readonly SessionEffect[];
}

export function play(...events: readonly SessionEvent[]): Played {
  let state = initialState({ cwd: "/w", usage: noTokens });
  const effects: SessionEffect[] = [];
  let last: readonly SessionEffect[] = [];
  for (const event of events) {
    const step = transition(state, event);
    state = step.state;
    last = step.effects;
    effects.push(...step.effects);
  }
  const updates = effects.flatMap((effect) => (effect.type === "update" ? [effect.update] : []));
  return { state, effects, updates, last };
}

export const running = (receipt: string, id: string): SessionEvent[] => [
  prompted(receipt),
  prepared(receipt),
  startSettled(receipt, id),
  started(id),
];

export const ofType = <Type extends SessionEffect["type"]>(
  effects: readonly SessionEffect[],
  type: Type,
): Extract<SessionEffect, { type: Type }>[] =>
  effects.filter((effect): effect is Extract<SessionEffect, { type: Type }> => effect.type === type);

export const idles = ({ updates }: Played): Update[] =>
  updates.filter((update) => update.sessionUpdate === "state_update" && update.state === "idle");

export const begins = (turnId: string, item: ReturnType<typeof commandExecution | typeof mcpToolCall>): SessionEvent =>
  told("itemStarted", { turnId, item, startedAtMs: 1 });

export const planned = (turnId: string): SessionEvent =>
  told("itemCompleted", { turnId, item: plan({ id: "p", text: "do it" }), completedAtMs: 1 });

export const timer = (
  name: "start" | "completion" | "status" | "background" | "delivery",
  about: string,
  attempt = 1,
): SessionEvent => ({
  type: "timer",
  timer: name,
  about,
  attempt,
});

export const status = (about: string, value: "idle" | "notLoaded" | "active", attempt = 1): SessionEvent => ({
  type: "statusSettled",
  about,
  attempt,
  outcome: { ok: true, value },
});

import { oneShape } from "../runtime/index.js";
import type { Outbox } from "./outbox.js";
import type { SessionEffect, SessionEvent } from "./turn/events.js";
import { transition } from "./turn/machine.js";
import type { SessionState } from "./turn/state.js";

/** An open session: its state, and the one way to change it. */
export interface Session {
  /** The ACP session id, which is the Codex thread id. */
  readonly id: string;
  readonly outbox: Outbox;
  readonly state: SessionState;
  /** Updates leave and effects are carried out before this returns; an event raised meanwhile follows in its turn. */
  dispatch(event: SessionEvent): void;
  /** Lets go of it without an end: it hears and says nothing any more. */
  detach(): void;
  /** Resolves when no turn is active; at once when none is. */
  whenIdle(): Promise<void>;
}

export interface SessionOptions {
  readonly id: string;
  readonly state: SessionState;
  readonly outbox: Outbox;
  /** Carries out what is neither an update nor the end of a turn. */
  run(effect: SessionEffect, session: Session): void;
  onDetach(): void;
}

/** Each delta reads the state and its turn. */
const ofOneShape = (state: SessionState): SessionState => {
  const { turn } = state;
  return oneShape(turn === null ? state : { ...state, turn: oneShape(turn) });
};

export function createSession({ id, state: initial, outbox, run, onDetach }: SessionOptions): Session {
  let state = ofOneShape(initial);
  let busy = false;
  let detached = false;
  const queue: SessionEvent[] = [];
  let waiting: (() => void)[] = [];

  function carryOut(effect: SessionEffect): void {
    if (effect.type === "update") outbox.push(effect.update);
    else if (effect.type === "ended") {
      const done = waiting;
      waiting = [];
      for (const resolve of done) resolve();
    } else run(effect, session);
  }

  const session: Session = {
    id,
    outbox,
    get state() {
      return state;
    },
    detach() {
      if (detached) return;
      detached = true;
      outbox.close();
      onDetach();
    },
    dispatch(event) {
      if (detached) return;
      if (busy) {
        queue.push(event);
        return;
      }
      busy = true;
      try {
        for (let next: SessionEvent | undefined = event; next; next = queue.length > 0 ? queue.shift() : undefined) {
          const step = transition(state, next);
          if (step.state !== state) state = ofOneShape(step.state);
          for (const effect of step.effects) carryOut(effect);
        }
      } finally {
        busy = false;
      }
    },
    whenIdle: () => (state.turn === null ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  };
  return session;
}

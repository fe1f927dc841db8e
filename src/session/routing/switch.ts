/**
 * The transaction that moves sessions between providers, as a pure machine: `(state, event) → (state, effects)`. All are
 * checked before one is moved (ROUTE-02), and they are moved one after the other: left, then opened anew, as a thread
 * that is still subscribed would rejoin on its old provider (ROUTE-05). When one fails, all that were attempted are put
 * back, the failed one included (ROUTE-11).
 */

/** `restoreLeave` and `restoreOpen` put a session back on the provider it was on. */
export type SwitchAsk = "check" | "materialise" | "leave" | "open" | "restoreLeave" | "restoreOpen";

export interface SwitchSession {
  readonly id: string;
  /** A thread without stored history cannot be opened anew: refused, or given a history first. */
  readonly whenEmpty: "refuse" | "materialise";
}

/** Why a switch failed. */
export type SwitchFailure =
  /** It has no stored history. */
  | { readonly type: "empty"; readonly session: string }
  /** A turn runs on it. */
  | { readonly type: "turn"; readonly session: string }
  /** This Codex does not move threads at all. */
  | { readonly type: "fixed"; readonly session: string }
  /** Codex did not answer in time. */
  | { readonly type: "overdue"; readonly session: string }
  | { readonly type: "refused"; readonly session: string; readonly message: string }
  | { readonly type: "lost"; readonly message: string };

export type SwitchEvent =
  | { readonly type: "answered"; readonly call: number; readonly empty?: boolean }
  /** `untouched`: the request was not sent, so the session is as it was. */
  | { readonly type: "failed"; readonly call: number; readonly failure: SwitchFailure; readonly untouched?: boolean }
  /** No answer came in time. One may still come. */
  | { readonly type: "overdue"; readonly call: number }
  /** Codex is gone, and every answer with it. */
  | { readonly type: "lost"; readonly message: string };

export type SwitchEffect =
  | { readonly type: "ask"; readonly call: number; readonly ask: SwitchAsk; readonly session: string }
  /** Every session is where it shall be. */
  | { readonly type: "commit" }
  /** What was before stands. `attempted`: those that were left or tried; `stale`: those of them that are uncertain. */
  | {
      readonly type: "abort";
      readonly failure: SwitchFailure;
      readonly attempted: readonly string[];
      readonly stale: readonly string[];
    };

export interface SwitchState {
  readonly sessions: readonly SwitchSession[];
  readonly phase: "checking" | "moving" | "restoring" | "over";
  /** The session at hand: an index into `sessions`, while restoring into `attempted`. */
  readonly at: number;
  readonly ask: SwitchAsk;
  /** The number of the newest request; the one that counts. */
  readonly call: number;
  readonly attempted: readonly string[];
  /** Requests without an answer, by number: the newest, and those that were overdue. */
  readonly open: ReadonlyMap<number, string>;
  /** Sessions that could not be put back. */
  readonly lost: readonly string[];
  readonly failure: SwitchFailure | null;
}

export interface SwitchStep {
  readonly state: SwitchState;
  readonly effects: readonly SwitchEffect[];
}

export function beginSwitch(sessions: readonly SwitchSession[]): SwitchStep {
  const state: SwitchState = {
    sessions,
    phase: "checking",
    at: 0,
    ask: "check",
    call: 0,
    attempted: [],
    open: new Map(),
    lost: [],
    failure: null,
  };
  const [first] = sessions;
  return first ? ask(state, "check", first.id) : commit(state);
}

function ask(state: SwitchState, wanted: SwitchAsk, session: string): SwitchStep {
  const call = state.call + 1;
  return {
    state: { ...state, ask: wanted, call, open: new Map(state.open).set(call, session) },
    effects: [{ type: "ask", call, ask: wanted, session }],
  };
}

const commit = (state: SwitchState): SwitchStep => ({
  state: { ...state, phase: "over" },
  effects: [{ type: "commit" }],
});

export function switchStep(state: SwitchState, event: SwitchEvent): SwitchStep {
  if (state.phase === "over") return { state, effects: [] };
  if (event.type === "lost") {
    // Nothing of it runs any more: each session is opened where it belongs before its next turn.
    return abort(state, state.failure ?? { type: "lost", message: event.message }, []);
  }
  const { call } = event;
  const current = call === state.call && state.open.has(call);
  const session = state.open.get(call);
  const next = event.type === "overdue" ? state : answered(state, call);
  if (!current || session === undefined) return { state: next, effects: [] };
  if (event.type === "answered") return onAnswer(next, session, event.empty === true);
  const failure: SwitchFailure = event.type === "overdue" ? { type: "overdue", session } : event.failure;
  return onFailure(next, session, failure, event.type === "failed" && event.untouched === true);
}

/** An answer, late or not: what it answers is no longer uncertain. */
function answered(state: SwitchState, call: number): SwitchState {
  const open = new Map(state.open);
  open.delete(call);
  return { ...state, open };
}

function onAnswer(state: SwitchState, session: string, empty: boolean): SwitchStep {
  switch (state.ask) {
    case "check":
      if (!empty) return following(state);
      return state.sessions[state.at]?.whenEmpty === "materialise"
        ? ask(state, "materialise", session)
        : abort(state, { type: "empty", session }, []);
    case "materialise":
      return following(state);
    case "leave":
      return ask(state, "open", session);
    case "open":
      return following(state);
    case "restoreLeave":
      return ask(state, "restoreOpen", session);
    case "restoreOpen":
      return following(state);
  }
}

function onFailure(state: SwitchState, session: string, failure: SwitchFailure, untouched: boolean): SwitchStep {
  switch (state.ask) {
    case "check":
    case "materialise":
      return abort(state, failure, []);
    case "leave":
    case "open": {
      const attempted = untouched ? state.attempted.filter((id) => id !== session) : state.attempted;
      return restore({ ...state, attempted, failure });
    }
    case "restoreLeave":
      // Opened all the same, so that the session hears of its thread; but where that is, nobody knows.
      return ask({ ...state, lost: [...state.lost, session] }, "restoreOpen", session);
    case "restoreOpen":
      return following({ ...state, lost: [...state.lost, session] });
  }
}

/** On to the next session, or to what comes after the last. */
function following(state: SwitchState): SwitchStep {
  const at = state.at + 1;
  switch (state.phase) {
    case "checking": {
      const next = state.sessions[at];
      return next ? ask({ ...state, at }, "check", next.id) : move({ ...state, phase: "moving", at: 0 });
    }
    case "moving":
      return move({ ...state, at });
    case "restoring":
      return putBack({ ...state, at });
    case "over":
      return { state, effects: [] };
  }
}

function move(state: SwitchState): SwitchStep {
  const next = state.sessions[state.at];
  return next ? ask({ ...state, attempted: [...state.attempted, next.id] }, "leave", next.id) : commit(state);
}

const restore = (state: SwitchState): SwitchStep => putBack({ ...state, phase: "restoring", at: 0 });

function putBack(state: SwitchState): SwitchStep {
  const next = state.attempted[state.at];
  if (next !== undefined) return ask(state, "restoreLeave", next);
  const unanswered = new Set(state.open.values());
  const stale = state.attempted.filter((id) => state.lost.includes(id) || unanswered.has(id));
  return abort(state, state.failure ?? { type: "lost", message: "it was given up" }, stale);
}

const abort = (state: SwitchState, failure: SwitchFailure, stale: readonly string[]): SwitchStep => ({
  state: { ...state, phase: "over" },
  effects: [{ type: "abort", failure, attempted: state.attempted, stale }],
});

import type { SessionCloseResult } from "../generated/contract/types.js";
import type { Clock } from "../runtime/clock.js";
import type { Services } from "./services.js";

/** The whole of a close, in ms; at most half of it is spent on the running turn (CLOSE-01, CLOSE-02, A-40). */
const budgetMs = 5000;

/**
 * Detaches: the turn is stopped, its last frames leave before the response, and Codex is told that nobody listens any
 * more. The host has its answer when the budget is over, whatever Codex does (CLOSE-05 to CLOSE-07).
 */
export async function closeSession(services: Services, sessionId: string): Promise<SessionCloseResult> {
  const { sessions, clock, codex } = services;
  // A session open for viewing has nothing at Codex to end.
  if (services.viewing.delete(sessionId)) return {};
  const session = sessions.beginClose(sessionId);
  if (!session) return {};
  const started = clock.elapsed();
  try {
    if (session.state.turn) {
      session.dispatch({ type: "cancel" });
      await within(clock, budgetMs / 2, session.whenIdle());
    }
    session.dispatch({ type: "close" });
    session.outbox.close();
    const left = Math.max(0, budgetMs - (clock.elapsed() - started));
    const unsubscribed = codex.unsubscribe(sessionId);
    const ended = await within(clock, left, unsubscribed);
    return {
      _meta: {
        codex: {
          close: { attempted: true, localDetached: true, remoteUnsubscribe: ended.done ? ended.value : "timed_out" },
        },
      },
    };
  } finally {
    sessions.remove(sessionId);
  }
}

/**
 * Lets go of a session that is about to be opened anew: nothing more of it reaches the host, its open requests are taken
 * back, its turn is left running, and the subscription ends, since Codex ignores what a resume says while it lasts.
 */
export async function detach(services: Services, sessionId: string): Promise<void> {
  const session = services.sessions.beginClose(sessionId);
  if (!session) return;
  session.detach();
  services.sessions.remove(sessionId);
  // A Codex that does not answer keeps the thread shut, not its caller (CLOSE-12, CLOSE-14).
  await within(services.clock, budgetMs, services.codex.unsubscribe(sessionId));
}

type Ended<T> = { readonly done: true; readonly value: T } | { readonly done: false };

function within<T>(clock: Clock, ms: number, work: Promise<T>): Promise<Ended<T>> {
  return new Promise((resolve, reject) => {
    const stop = clock.after(ms, () => resolve({ done: false }));
    work.then(
      (value) => {
        stop();
        resolve({ done: true, value });
      },
      (error: unknown) => {
        stop();
        reject(error);
      },
    );
  });
}

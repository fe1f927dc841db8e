import type { StateUpdate } from "../generated/acp/types.js";
import type { ThreadStatus } from "../generated/codex/types.js";
import { errors } from "../generated/contract/errors.js";
import type { SessionStatusResult } from "../generated/contract/types.js";
import { currentState, viewedState } from "../session/turn/step.js";
import type { Services } from "./services.js";

/**
 * `session/status`: whether a session is held in memory here, and what the host should believe of its state.
 * Nothing is opened, closed or changed by it.
 *
 * @throws `session_not_found`
 */
export async function sessionStatus(services: Services, sessionId: string): Promise<SessionStatusResult> {
  const session = services.sessions.get(sessionId);
  if (session) return { status: "open", state: snapshot(currentState(session.state)) };
  if (services.viewing.has(sessionId)) return { status: "open", state: snapshot(viewedState) };
  const client = await services.codex.ready();
  try {
    const { thread } = await client.threadRead({ threadId: sessionId });
    return threadStatus(thread.status);
  } catch (error) {
    if (services.codex.errorKind(error) !== "thread-not-found") throw error;
    throw errors.sessionNotFound({ sessionId }, { cause: error });
  }
}

/** A thread that no session of this connection is on: Codex may hold it nevertheless, as after a close. */
function threadStatus(status: ThreadStatus): SessionStatusResult {
  switch (status.type) {
    case "active":
      return { status: "open", state: { state: status.activeFlags.length > 0 ? "requires_action" : "running" } };
    case "idle":
      return { status: "open", state: { state: "idle" } };
    default:
      return { status: "saved" };
  }
}

/** The frame without its place in the stream of updates. */
function snapshot({ sessionUpdate: _, ...state }: ReturnType<typeof currentState>): StateUpdate {
  return state;
}

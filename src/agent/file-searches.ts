import type {
  FuzzyFileSearchSessionCompletedNotification,
  FuzzyFileSearchSessionUpdatedNotification,
} from "../generated/codex/types.js";
import { fileSearchEnded, fileSearchUpdate } from "../projection/file-search.js";
import type { SessionRegistry } from "../session/registry.js";
import type { Session } from "../session/session.js";

/**
 * Shows the file searches that go under a session's id as calls of that session (TOOL-15, PASS-17). Searches under any
 * other id are the host's own, and it has the frames as they are.
 */
export function createFileSearches(sessions: SessionRegistry, newId: () => string) {
  /** Call ids of the searches that go on. A session that is opened anew has not been told of those of the one before. */
  const open = new WeakMap<Session, string>();

  function end(session: Session, status: "completed" | "failed"): void {
    const toolCallId = open.get(session);
    if (toolCallId === undefined) return;
    open.delete(session);
    session.outbox.push(fileSearchEnded(toolCallId, status));
  }

  return {
    updated({ sessionId, query, files }: FuzzyFileSearchSessionUpdatedNotification): void {
      const session = sessions.route(sessionId);
      if (!session) return;
      const known = open.get(session);
      const toolCallId = known ?? `file-search-${newId()}`;
      open.set(session, toolCallId);
      session.outbox.push(fileSearchUpdate(toolCallId, query, files, known === undefined));
    },
    completed({ sessionId }: FuzzyFileSearchSessionCompletedNotification): void {
      const session = sessions.route(sessionId);
      if (session) end(session, "completed");
    },
    /** Codex is gone, and nobody searches any more. */
    lost(): void {
      for (const session of sessions.all()) end(session, "failed");
    },
  };
}

import type { SessionsHandlers } from "../generated/agent/handlers.js";
import { hostRequests } from "../generated/contract/methods.js";
import type { SessionCloseResult } from "../generated/contract/types.js";
import { closeSession } from "./close.js";
import { archiveSession, deleteSession, renameSession, setSessionTitle, unarchiveSession } from "./lifecycle.js";
import { forkSession } from "./open/fork.js";
import { newSession } from "./open/new.js";
import { resumeSession } from "./open/resume.js";
import type { OpenSession, Services } from "./services.js";
import { sessionStatus } from "./status.js";

export const sessionsPolicy = (
  services: Services,
  find: (sessionId: string) => OpenSession | undefined,
): SessionsHandlers => ({
  sessionNew: (params, context) => opening(services, newSession(services, params, context)),
  sessionResume: (params, context) => opening(services, resumeSession(services, params, context)),
  sessionFork: (params, context) => opening(services, forkSession(services, find, params, context)),
  sessionClose: ({ sessionId }) => closing(services, sessionId),
  sessionDelete: ({ sessionId }) => deleteSession(services, sessionId),
  sessionArchive: ({ sessionId }) => archiveSession(services, sessionId),
  sessionUnarchive: ({ sessionId }) => unarchiveSession(services, sessionId),
  sessionSetTitle: (params) => setSessionTitle(services, params),
  sessionStatus: ({ sessionId }) => sessionStatus(services, sessionId),
  codexSessionArchive: ({ sessionId }) => archiveSession(services, sessionId),
  codexSessionUnarchive: ({ sessionId }) => unarchiveSession(services, sessionId),
  codexSessionRename: ({ sessionId, name }) => renameSession(services, sessionId, name),
});

/** Repeated while it goes on, it is a no-op (CLOSE-06). */
async function closing(services: Services, sessionId: string): Promise<SessionCloseResult> {
  const { method } = hostRequests.sessionClose;
  if (services.admission.operationOn(sessionId) === method) return {};
  const leave = services.admission.enter(sessionId, method);
  try {
    return await closeSession(services, sessionId);
  } finally {
    leave();
  }
}

/** What Codex says of a thread before its session is made is kept for it. */
async function opening<T>(services: Services, work: Promise<T>): Promise<T> {
  const over = services.sessions.opening();
  try {
    return await work;
  } finally {
    over();
  }
}

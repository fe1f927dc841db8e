import type { Session } from "./session.js";

/** The sessions this connection has, by id. One that is being closed still receives Codex's frames, but no requests. */
export interface SessionRegistry {
  /** Open for requests of the host. */
  get(id: string): Session | undefined;
  /** Open or being closed: where Codex's frames go. */
  route(id: string): Session | undefined;
  add(session: Session): void;
  /** From now on the host's requests do not find it. Undefined when there is none, or it is being closed already. */
  beginClose(id: string): Session | undefined;
  remove(id: string): void;
  all(): Iterable<Session>;
}

export function createRegistry(): SessionRegistry {
  const sessions = new Map<string, Session>();
  const closing = new Set<string>();
  return {
    get: (id) => (closing.has(id) ? undefined : sessions.get(id)),
    route: (id) => sessions.get(id),
    add: (session) => void sessions.set(session.id, session),
    beginClose(id) {
      const session = sessions.get(id);
      if (!session || closing.has(id)) return undefined;
      closing.add(id);
      return session;
    },
    remove(id) {
      sessions.delete(id);
      closing.delete(id);
    },
    all: () => sessions.values(),
  };
}

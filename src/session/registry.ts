import type { Session } from "./session.js";

/** The sessions this connection has, by id. One that is being closed still receives Codex's frames, but no requests. */
export interface SessionRegistry<Opened extends Session = Session> {
  /** Open for requests of the host. */
  get(id: string): Opened | undefined;
  /** Open or being closed: where Codex's frames go. */
  route(id: string): Opened | undefined;
  add(session: Opened): void;
  /** From now on the host's requests do not find it. Undefined when there is none, or it is being closed already. */
  beginClose(id: string): Opened | undefined;
  remove(id: string): void;
  all(): Iterable<Opened>;
  /**
   * A thread is being opened: until the returned function is called, Codex's frames for threads without a session are
   * kept, as they may belong to it. Codex speaks of a thread as soon as it has answered, and the session is made later.
   */
  opening(): () => void;
  /**
   * Keeps what Codex said of a thread until its session is there; `deliver` gets null when none came. False when none is
   * being opened.
   */
  keep(id: string, deliver: (session: Opened | null) => void): boolean;
}

/** Frames kept for one thread. Opening takes a moment; more than this is no opening but a flood. */
const keptFrames = 10_000;

export function createRegistry<Opened extends Session>(): SessionRegistry<Opened> {
  const sessions = new Map<string, Opened>();
  const closing = new Set<string>();
  const early = new Map<string, ((session: Opened | null) => void)[]>();
  let openings = 0;
  return {
    get: (id) => (closing.has(id) ? undefined : sessions.get(id)),
    route: (id) => sessions.get(id),
    add(session) {
      sessions.set(session.id, session);
      const kept = early.get(session.id) ?? [];
      early.delete(session.id);
      for (const deliver of kept) deliver(session);
    },
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
    opening() {
      openings += 1;
      let over = false;
      return () => {
        if (over) return;
        over = true;
        openings -= 1;
        if (openings > 0) return;
        const left = [...early.values()].flat();
        early.clear();
        for (const deliver of left) deliver(null);
      };
    },
    keep(id, deliver) {
      if (openings === 0) return false;
      const kept = early.get(id) ?? [];
      if (kept.length >= keptFrames) return false;
      kept.push(deliver);
      early.set(id, kept);
      return true;
    },
  };
}

import { hostRequests } from "../../src/generated/contract/methods.js";
import { isFrame, type LoggedFrame } from "../../src/testing/frames.js";
import { Watch } from "../property/turn/watch.js";
import type { World } from "./world.js";

type Frame = Readonly<Record<string, unknown>>;

const objectOf = (value: unknown): Frame =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Frame) : {};

/** What ends a session, and what makes it anew: its stream of updates begins again. */
const endings: ReadonlySet<string> = new Set([
  hostRequests.sessionClose.method,
  hostRequests.sessionDelete.method,
  hostRequests.sessionArchive.method,
  hostRequests.codexSessionArchive.method,
]);
const openings: ReadonlySet<string> = new Set([
  hostRequests.sessionNew.method,
  hostRequests.sessionResume.method,
  hostRequests.sessionFork.method,
]);

type Update = Parameters<Watch["see"]>[0];

interface Told {
  /** Null for a session of which it is not known where it stands: such a request failed half way. */
  watch: Watch | null;
  /** Requests that open or end the session and are unanswered. */
  pending: number;
  /** What was said meanwhile. */
  readonly held: Update[];
}

/** Refused for its params, a request has done nothing. */
const nothingDone = (frame: unknown): boolean => objectOf(objectOf(frame)["error"])["code"] === -32602;

/**
 * Reads the host's wire from its start and throws at the first frame that breaks a promise. Order within a turn is held
 * only where Codex kept to an order itself.
 */
export function checkHostWire(frames: readonly LoggedFrame[], { wild }: Pick<World, "wild">): void {
  const sessions = new Map<string, Told>();
  const open = new Map<unknown, { readonly method: string; readonly sessionId: string | null }>();
  const told = (id: string): Told => {
    const known = sessions.get(id) ?? { watch: new Watch(), pending: 0, held: [] };
    sessions.set(id, known);
    return known;
  };
  function see({ watch, pending, held }: Told, update: Update): void {
    // Replayed history has rules of its own, and a session that is being opened or ended is between two lives.
    if (pending > 0) held.push(update);
    else if (watch?.closed) throw new Error(`nothing after the end of a session: ${JSON.stringify(update)}`);
    else if (!wild) watch?.see(update);
  }
  for (const { from, frame } of frames) {
    const { id, method, params } = objectOf(frame);
    const about = objectOf(params)["sessionId"];
    const sessionId = typeof about === "string" ? about : null;
    if (from === "host") {
      if (typeof method !== "string" || id === undefined) continue;
      open.set(id, { method, sessionId });
      if (sessionId !== null && (openings.has(method) || endings.has(method))) told(sessionId).pending += 1;
      continue;
    }
    if (typeof method === "string") {
      const update = objectOf(objectOf(params)["update"]);
      if (sessionId === null || typeof update["sessionUpdate"] !== "string") continue;
      // The strict checker holds every frame to the schema that this type is made from.
      see(told(sessionId), update as Update);
      continue;
    }
    const asked = open.get(id);
    if (!asked) continue;
    open.delete(id);
    if (asked.sessionId === null || !(openings.has(asked.method) || endings.has(asked.method))) continue;
    const session = told(asked.sessionId);
    session.pending -= 1;
    const held = session.held.splice(0);
    if (nothingDone(frame)) for (const update of held) see(session, update);
    else if ("result" in objectOf(frame)) {
      session.watch = new Watch();
      session.watch.closed = endings.has(asked.method);
    } else session.watch = null;
  }
}

/**
 * The log has what the host heard, letter for letter and in its order, unless its disk was full: then it has less, and
 * that is all (a frame that waited for the disk, or was lost with it, would show in the other promises).
 */
export function checkLog({ bridge, wireLog, leaves }: World): void {
  const heard = bridge.log
    .frames("host")
    .flatMap(({ from, frame }) => (from === "host" ? [] : [JSON.stringify(frame)]));
  const logged = wireLog.lines.flatMap(({ direction, frame }) =>
    direction === "to-host" ? [JSON.stringify(frame)] : [],
  );
  // Of a host that went, what was on its way is in the log alone.
  const there = leaves === null ? logged : logged.slice(0, heard.length);
  if (wireLog.lost > 0) {
    let at = 0;
    for (const line of heard) if (line === there[at]) at += 1;
    if (at < there.length && leaves === null) throw new Error(`the log says what nobody said: ${there[at]}`);
    return;
  }
  const odd = heard.findIndex((line, index) => line !== there[index]);
  if (odd >= 0 || there.length !== heard.length) {
    throw new Error(`the log is not what the host heard, from frame ${odd} on: ${there[odd]}\nfor ${heard[odd]}`);
  }
}

/** Lines arrive whole, in whatever pieces: nobody finds more of them unreadable than were written so. */
export function checkLines({ bridge: { log }, garbage }: World): void {
  const notes = log.entries.filter((entry) => !isFrame(entry) && /no frame \(not-json\)/.test(entry.note)).length;
  if (notes > garbage.codex) throw new Error(`${notes} unreadable lines of Codex, which wrote ${garbage.codex}`);
  const refusals = log
    .frames("host")
    .filter(({ from, frame }) => from !== "host" && objectOf(objectOf(frame)["error"])["code"] === -32700).length;
  if (refusals > garbage.host) throw new Error(`${refusals} unreadable lines of the host, which wrote ${garbage.host}`);
}

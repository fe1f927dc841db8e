import { hostRequests } from "../generated/contract/methods.js";
import { isObject } from "../runtime/index.js";
import type { LoggedFrame } from "../testing/frames.js";
import { adds, updateIn } from "./guards.js";
import { canonical } from "./pattern.js";

type Json = Readonly<Record<string, unknown>>;

/** Why it does no harm that this frame comes twice; null when it does. */
export function harmlessTwice(entry: LoggedFrame): string | null {
  const { frame } = entry;
  if (!isObject(frame) || "id" in frame) return null;
  const update = updateIn(entry);
  if (update === null) return "it tells again that something is so";
  return adds(update) ? null : "it says again how a thing is";
}

/** Things that stand in a session's transcript, by the id that its updates have. */
const things = ["messageId", "toolCallId", "terminalId", "planId", "compactionId"] as const;

function thingOf(update: Json | null): string | null {
  const name = things.find((one) => typeof update?.[one] === "string");
  return name === undefined ? null : `${name} ${update?.[name]}`;
}

const stateOf = (update: Json | null): unknown =>
  update?.["sessionUpdate"] === "state_update" ? update["state"] : undefined;

const endsTurn = (update: Json | null): boolean => stateOf(update) === "idle" && update?.["stopReason"] !== undefined;

/** Whether two updates of one thing speak of the same member in other words. */
function clash(a: Json, b: Json): boolean {
  if (adds(a) || adds(b)) return canonical(a) !== canonical(b);
  return Object.keys(a).some((name) => {
    if (!Object.hasOwn(b, name) || name === "sessionUpdate") return false;
    const [mine, other] = [a[name], b[name]];
    if (isObject(mine) && isObject(other)) return clash(mine, other);
    return canonical(mine) !== canonical(other);
  });
}

const requestOf = (frames: readonly LoggedFrame[], answer: LoggedFrame): Json | undefined =>
  frames
    .filter(({ wire, from, seq }) => wire === answer.wire && from !== answer.from && seq < answer.seq)
    .map(({ frame }) => frame)
    .filter(isObject)
    .findLast((frame) => frame["id"] === Object(answer.frame).id && "method" in frame);

const sessionOf = (frame: Json): unknown => Object(frame["params"]).sessionId ?? Object(frame["params"]).threadId;

function hostOrder(a: LoggedFrame, b: LoggedFrame, frames: readonly LoggedFrame[]): string | null {
  const [ua, ub] = [updateIn(a), updateIn(b)];
  const [fa, fb] = [Object(a.frame), Object(b.frame)];
  if (ua !== null && ub !== null) {
    if (sessionOf(fa) !== sessionOf(fb)) return null;
    const [ta, tb] = [thingOf(ua), thingOf(ub)];
    if (ta !== null && ta === tb) return clash(ua, ub) ? "updates of one thing apply in order" : null;
    if (stateOf(ua) !== undefined && stateOf(ub) !== undefined) return "states follow each other";
    if (endsTurn(ub) && ta !== null) return "idle ends the turn (STATE-07)";
    if (endsTurn(ua) && tb !== null) return "idle ends the turn (STATE-07)";
    const isNew = (thing: string): boolean =>
      !frames.some((entry) => entry.seq < Math.min(a.seq, b.seq) && thingOf(updateIn(entry)) === thing);
    return ta !== null && tb !== null && isNew(ta) && isNew(tb) ? "a transcript is told in its order (SESS-06)" : null;
  }
  if (ua !== null && !("method" in fb)) {
    const { method } = Object(requestOf(frames, b));
    const replayed = Object(Object(ua["_meta"]).codex).historyReplay === true;
    if (method === hostRequests.sessionResume.method && replayed) return "a replay comes before its result (SESS-06)";
    const echo = ua["messageId"] !== undefined && ua["messageId"] === Object(fb.result).messageId;
    return method === hostRequests.sessionPrompt.method && echo ? "the echo comes before its result (PROMPT-01)" : null;
  }
  if (ua !== null && "id" in fb) {
    const { toolCallId } = Object(Object(Object(fb.params).subject).toolCall);
    return toolCallId !== undefined && toolCallId === ua["toolCallId"]
      ? "a call is told of before it is asked about"
      : null;
  }
  return null;
}

const reads = (frame: Json): boolean => /(list|read)$/i.test(String(frame["method"]));

function codexOrder(a: LoggedFrame, b: LoggedFrame): string | null {
  const [fa, fb] = [Object(a.frame), Object(b.frame)];
  if (!("method" in fa && "method" in fb)) return null;
  const [one, other] = [sessionOf(fa), sessionOf(fb)];
  const apart = one !== undefined && other !== undefined && one !== other;
  const ofNoThread = [fa, fb].some((frame) => reads(frame) && sessionOf(frame) === undefined);
  if (apart || ofNoThread || (reads(fa) && reads(fb))) return null;
  return "Codex does things in the order in which it is told";
}

/** Which order the contract gives two frames of the agent; null when it gives none. */
export const orderOf = (a: LoggedFrame, b: LoggedFrame, frames: readonly LoggedFrame[]): string | null =>
  a.wire === "host" ? hostOrder(a, b, frames) : codexOrder(a, b);

/** Why it does no harm that `late` came after `next`; null when it does. `frames`: all of the log. */
export function harmlessDelay(late: LoggedFrame, next: LoggedFrame, frames: readonly LoggedFrame[]): string | null {
  return orderOf(late, next, frames) === null ? "no clause orders it before what came first" : null;
}

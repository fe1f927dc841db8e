import { notifications } from "../generated/codex/methods.js";
import { agentNotifications, hostRequests } from "../generated/contract/methods.js";
import { isObject } from "../runtime/index.js";
import { isFrame, type LogEntry, type LoggedFrame } from "../testing/frames.js";
import { CaseFault } from "./outcome.js";
import { canonical } from "./pattern.js";

type Json = Readonly<Record<string, unknown>>;

/** The update of a `session/update` of the agent; null for other frames. */
export function updateIn({ wire, from, frame }: Pick<LoggedFrame, "wire" | "from" | "frame">): Json | null {
  if (wire !== "host" || from !== "bridge" || !isObject(frame)) return null;
  if (frame["method"] !== agentNotifications.sessionUpdate.method || !isObject(frame["params"])) return null;
  const { update } = frame["params"];
  return isObject(update) ? update : null;
}

/** Whether an update adds to what was shown before it, so that it may not come twice. All others say how a thing is. */
export const adds = (update: Json): boolean => String(update["sessionUpdate"]).endsWith("_chunk");

/** What replays may say again begins with one of these. */
const replays = ({ from, frame }: LoggedFrame): boolean =>
  from === "host" && isObject(frame) && frame["method"] === hostRequests.sessionResume.method;

const notificationOf = (entry: LoggedFrame, method: string): Json | null => {
  const { from, frame } = entry;
  if (from !== "codex" || !isObject(frame) || frame["method"] !== method) return null;
  return isObject(frame["params"]) ? frame["params"] : {};
};

/** What Codex has said piece by piece: the pieces of each thing in one text. */
function streamsIn(frames: readonly LoggedFrame[]): readonly string[] {
  const streams = new Map<string, string>();
  for (const { from, frame } of frames) {
    if (from !== "codex" || !isObject(frame) || !isObject(frame["params"])) continue;
    const { itemId, delta, message } = frame["params"];
    const piece = delta ?? message;
    if (typeof piece !== "string") continue;
    const key = `${frame["method"]} ${itemId}`;
    streams.set(key, (streams.get(key) ?? "") + piece);
  }
  return [...streams.values()];
}

/** Texts of a chunk, also those that are written as base64. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value, Buffer.from(value, "base64").toString("utf8")];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    name === "sessionUpdate" || name === "type" || name.endsWith("Id") ? [] : textsIn(member),
  );
}

const occurrences = (text: string, part: string): number => (part === "" ? 0 : text.split(part).length - 1);

const fault = (entry: LoggedFrame, message: string): CaseFault => new CaseFault({ message, seq: entry.seq });

/** A piece that came more often than Codex said it. */
function repeated(frames: readonly LoggedFrame[]): CaseFault | null {
  const streams = streamsIn(frames);
  const counts = new Map<string, number>();
  for (const entry of frames) {
    if (replays(entry)) counts.clear();
    const update = updateIn(entry);
    if (update === null || !adds(update)) continue;
    const key = canonical(entry.frame);
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    if (count === 1) continue;
    const said = textsIn(update).map((text) => streams.reduce((sum, stream) => sum + occurrences(stream, text), 0));
    if (count > Math.max(1, ...said)) return fault(entry, `the agent sent the same ${update["sessionUpdate"]} again`);
  }
  return null;
}

/** A piece of a message that came after the whole of it. */
function late(frames: readonly LoggedFrame[]): CaseFault | null {
  const completed = new Set<unknown>();
  const whole = new Set<unknown>();
  for (const entry of frames) {
    if (replays(entry)) whole.clear();
    const begun = notificationOf(entry, notifications.itemStarted.method);
    for (const set of [completed, whole]) if (begun !== null) set.delete(Object(begun["item"]).id);
    const done = notificationOf(entry, notifications.itemCompleted.method);
    if (done !== null) completed.add(Object(done["item"]).id);
    const update = updateIn(entry);
    if (update === null) continue;
    const { sessionUpdate, messageId } = update;
    if (!adds(update) && completed.has(messageId)) whole.add(messageId);
    if (adds(update) && whole.has(messageId)) {
      return fault(entry, `the agent sent ${sessionUpdate} of a message after the whole of it`);
    }
  }
  return null;
}

/** A request that was sent again, as it was: whoever is asked does it twice. */
function askedTwice(entries: readonly LogEntry[]): CaseFault | null {
  const asked = new Set<string>();
  for (const entry of entries) {
    if (!isFrame(entry)) {
      // Whoever starts anew counts its ids from the start.
      if (entry.note.startsWith("codex starts")) asked.clear();
      continue;
    }
    const { wire, from, frame } = entry;
    if (from !== "bridge" || !isObject(frame) || !("id" in frame && "method" in frame)) continue;
    const key = `${wire} ${canonical(frame)}`;
    if (asked.has(key)) return fault(entry, `the agent sent the same ${frame["method"]} again, under the same id`);
    asked.add(key);
  }
  return null;
}

/** What is wrong whatever the case is about: a request or a piece that comes twice, or a piece after the whole. Pure over the log. */
export function guard(entries: readonly LogEntry[]): CaseFault | null {
  const frames = entries.filter(isFrame);
  return askedTwice(entries) ?? repeated(frames) ?? late(frames);
}

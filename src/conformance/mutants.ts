import { isObject } from "../runtime/index.js";
import { isFrame, type LoggedFrame, type Wire } from "../testing/frames.js";
import type { Agent, CodexSide, Ground } from "./ground.js";
import { look } from "./kinds.js";
import type { CaseRun } from "./play-case.js";

/** Operations that no must-see frame may survive. The others may be harmless: an upsert that comes twice, say. */
export const deadly: readonly Operation[] = ["drop", "rename", "change", "leak"];

/** One thing that a proxy between the agent and the suite does wrong. */
export type Operation = "drop" | "rename" | "change" | "twice" | "swap" | "leak";

export interface Mutant {
  readonly operation: Operation;
  readonly wire: Wire;
  /** Which frame of the agent on this wire, from 0. */
  readonly index: number;
  /** `change`: JSON pointer into the frame. */
  readonly path?: string;
  /** `leak`: what is sent after the frame. */
  readonly leaked?: unknown;
}

/** For people: `drop host 3`. */
export const nameOf = ({ operation, wire, index, path = "" }: Mutant): string =>
  `${operation} ${wire} ${index}${path === "" ? "" : ` ${path}`}`;

type Frame = Readonly<Record<string, unknown>>;

/** A value of the same type that has nothing of this one. */
function changed(value: unknown): unknown {
  if (typeof value === "string") return value === "~" ? "~~" : "~";
  if (typeof value === "number") return -1 - value;
  if (typeof value === "boolean") return !value;
  if (Array.isArray(value)) return value.length === 0 ? ["~"] : [];
  if (value === null) return "~";
  return isObject(value) && Object.keys(value).length === 0 ? { "~": 0 } : {};
}

function changeAt(value: unknown, path: readonly string[]): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return changed(value);
  if (Array.isArray(value)) return value.map((item, at) => (String(at) === name ? changeAt(item, rest) : item));
  return isObject(value) ? { ...value, [name]: changeAt(value[name], rest) } : value;
}

const partsOf = (pointer: string): string[] =>
  pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));

function renamed(frame: Frame): unknown {
  if (typeof frame["method"] === "string") return { ...frame, method: `${frame["method"]}_` };
  return { ...frame, id: "an-id-of-nobody" };
}

/** What goes on in place of a frame; null: it is kept until after the next one. */
function applied(mutant: Mutant, frame: unknown): readonly unknown[] | null {
  if (!isObject(frame)) return [frame];
  if (mutant.operation === "drop") return [];
  if (mutant.operation === "rename") return [renamed(frame)];
  if (mutant.operation === "change") return [changeAt(frame, partsOf(mutant.path ?? ""))];
  if (mutant.operation === "twice") return [frame, frame];
  return mutant.operation === "leak" ? [frame, mutant.leaked] : null;
}

/** Lets the frames of one wire through, but for what the mutant does to one of them. */
function tamper(mutant: Mutant, wire: Wire): (frame: unknown) => readonly unknown[] {
  if (mutant.wire !== wire) return (frame) => [frame];
  let index = -1;
  let kept: unknown;
  return (frame) => {
    index += 1;
    if (index === mutant.index) {
      const out = applied(mutant, frame);
      if (out !== null) return out;
      kept = frame;
      return [];
    }
    if (kept === undefined) return [frame];
    const late = kept;
    kept = undefined;
    return [frame, late];
  };
}

/** Changes the side itself: whatever of it the ground hands to the agent is tampered with. */
function tamperWith(side: CodexSide, mutant: Mutant): void {
  const attach = side.attach.bind(side);
  const through = tamper(mutant, "codex");
  side.attach = (link, start) => {
    const events = attach(link, start);
    return {
      ...events,
      frame(frame) {
        for (const one of through(frame)) events.frame(one);
      },
    };
  };
}

function tamperedAgent(agent: Agent, mutant: Mutant): Agent {
  const through = tamper(mutant, "host");
  return {
    ...agent,
    onLine: (take) =>
      agent.onLine((line) => {
        for (const one of through(JSON.parse(line))) take(JSON.stringify(one));
      }),
  };
}

/** A ground whose agent is not quite right. */
export const tamperedGround = (ground: Ground, mutant: Mutant): Ground => ({
  ...ground,
  async behind(options) {
    const behind = await ground.behind(options);
    tamperWith(behind.side, mutant);
    return behind;
  },
  start: async (options) => tamperedAgent(await ground.start(options), mutant),
});

/** Paths of the members that a pattern names and that a value has. */
function namedPaths(pattern: unknown, value: unknown, path: string): string[] {
  const rule = isObject(pattern) ? Object.keys(pattern)[0] : undefined;
  if (rule?.startsWith("$") || !isObject(pattern)) {
    if (Array.isArray(pattern) && Array.isArray(value)) {
      return pattern.flatMap((item, at) => namedPaths(item, value[at], `${path}/${at}`));
    }
    // What may be anything, or must not be there, has no wrong value.
    return value === undefined || pattern === "$any" || rule === "$any" || rule === "$type" || rule === "$not"
      ? []
      : [path];
  }
  const object = isObject(value) ? value : {};
  return Object.entries(pattern).flatMap(([name, member]) =>
    namedPaths(member, object[name], `${path}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`),
  );
}

/** Where in a frame the part lies that a watch compares. */
function partPath(frame: unknown, part: unknown): string | null {
  if (frame === part) return "";
  if (!isObject(frame)) return null;
  const params = frame["params"];
  if (params === part) return "/params";
  return isObject(params) && params["update"] === part ? "/params/update" : null;
}

/** What must not come in a span in which the agent said nothing on that side: nothing could have come there either. */
export function emptySpans(run: CaseRun): readonly string[] {
  const frames = run.timeline.log.entries.filter(isFrame).filter(({ from }) => from === "bridge");
  return run.judgements.flatMap(({ meant, since, until }) => {
    const end = until === null ? Number.POSITIVE_INFINITY : (run.labels.get(until)?.seq ?? 0);
    const looked = frames.some(({ wire, seq }) => wire === meant.wire && seq > since && seq < end);
    return looked ? [] : [`never ${meant.what}${until === null ? "" : `, until ${until}`}`];
  });
}

/** Mutants of what one run of a case saw; `samples` are frames of any run, for leaks. */
export function mutantsOf(run: CaseRun, samples: readonly LoggedFrame[]): Mutant[] {
  const frames = run.timeline.log.entries.filter(isFrame).filter(({ from }) => from === "bridge");
  const ofWire = (wire: Wire): readonly LoggedFrame[] => frames.filter((entry) => entry.wire === wire);
  const indexOf = (entry: LoggedFrame): number => ofWire(entry.wire).findIndex(({ seq }) => seq === entry.seq);
  const seen = run.seen.flatMap(({ entry, meant }): Mutant[] => {
    const at = { wire: entry.wire, index: indexOf(entry) };
    const part = isObject(entry.frame) ? meant.partOf(entry.frame) : undefined;
    const base = partPath(entry.frame, part);
    const paths = base === null ? [] : namedPaths(meant.pattern, part, base);
    // Where another frame would do as well, nothing is missing without this one.
    const others =
      look(
        meant,
        ofWire(entry.wire).filter(({ seq }) => seq !== entry.seq),
      ).hit !== undefined;
    const changes = paths.map((path): Mutant => ({ ...at, operation: "change", path }));
    const whole = (["drop", "rename", "twice", "swap"] as const).map((operation): Mutant => ({ ...at, operation }));
    const deadlyToo = (mutant: Mutant): boolean => !others || !deadly.includes(mutant.operation);
    return [...whole, ...changes].filter(deadlyToo);
  });
  const leaks = run.judgements.flatMap(({ meant, since, until }): Mutant[] => {
    const end = until === null ? Number.POSITIVE_INFINITY : (run.labels.get(until)?.seq ?? 0);
    const sample = samples.find((entry) => entry.wire === meant.wire && look(meant, [entry]).hit !== undefined);
    const own = ofWire(meant.wire);
    const index = own.findLastIndex(({ seq }) => seq > since && seq < end);
    if (sample === undefined || index < 0) return [];
    const frame: Frame = isObject(sample.frame) ? sample.frame : {};
    const leaked = "id" in frame ? { ...frame, id: "leaked" } : frame;
    return [{ operation: "leak", wire: meant.wire, index, leaked }];
  });
  const all = [...seen, ...leaks];
  return all.filter((one, at) => all.findIndex((other) => nameOf(other) === nameOf(one)) === at);
}

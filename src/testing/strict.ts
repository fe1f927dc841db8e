import type { SchemaFault } from "../runtime/index.js";
import { describeEntry, type FrameLog, isFrame, type LoggedFrame, type Party, receiver, type Wire } from "./frames.js";

/** Null when `value` is as it should be. */
export type Check = (value: unknown) => SchemaFault | null;

export interface MethodChecks {
  readonly params: Check;
  /** Null for a notification. */
  readonly result: Check | null;
  /** It may be a notification as well as a request: nothing is known of it. */
  readonly either?: true;
}

/** What may be said on a wire: the checks of a method by who sends it. Undefined: that side has no such method. */
export type WireSchemas = (from: Party, method: string) => MethodChecks | undefined;

/** A frame that is off contract. */
export class FrameFault extends Error {
  override readonly name = "FrameFault";
  /** Whose fault it is: the side that sent the frame. */
  readonly blame: Party;
  readonly entry: LoggedFrame;
  /** JSON pointer into the frame. */
  readonly path: string;
  readonly expected: string;

  constructor(entry: LoggedFrame, path: string, expected: string) {
    super(
      `${entry.from} sent a frame off contract: expected ${expected} at ${path === "" ? "its root" : path}\n${describeEntry(entry)}\n${JSON.stringify(entry.frame, null, 2)}`,
    );
    this.blame = entry.from;
    this.entry = entry;
    this.path = path;
    this.expected = expected;
  }
}

export interface StrictChecker {
  /** In the order of the frames. */
  readonly faults: readonly FrameFault[];
  /** Throws the first fault. */
  assertClean(): void;
  /** Stops looking at the log. */
  stop(): void;
}

export type HeldWires = Readonly<Partial<Record<Wire, WireSchemas>>>;

/** The schemas of both wires of a bridge. */
export type BridgeWires = Readonly<Record<"host" | "codex", WireSchemas>>;

export interface StrictOptions {
  readonly log: FrameLog;
  /** Frames on a wire that has none are not looked at. */
  readonly schemas: HeldWires;
  /** Told of each fault at once. */
  readonly onFault?: (fault: FrameFault) => void;
}

type Frame = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Frame =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A request that waits for its response. Its checks are undefined when its method does not exist. */
interface Open {
  readonly method: string;
  readonly checks: MethodChecks | undefined;
}

const membersOf = {
  request: ["id", "method", "params"],
  notification: ["method", "params"],
  result: ["id", "result"],
  error: ["id", "error"],
} as const;

type Shape = keyof typeof membersOf;

const shapeOf = (frame: Frame): Shape | null => {
  if (typeof frame["method"] === "string") return "id" in frame ? "request" : "notification";
  if ("error" in frame) return "error";
  return "result" in frame ? "result" : null;
};

/** Members that belong to the wire and not to JSON-RPC. */
const extraMembers = (entry: LoggedFrame, shape: Shape): readonly string[] => {
  if (entry.wire !== "codex") return ["jsonrpc"];
  return entry.from === "codex" && shape === "notification" ? ["emittedAtMs"] : [];
};

const isId = (id: unknown): id is number | string => typeof id === "string" || Number.isInteger(id);

/** Checks every frame that goes into `log` against the schemas, and blames the side that sent it. */
export function createStrictChecker({ log, schemas, onFault }: StrictOptions): StrictChecker {
  const faults: FrameFault[] = [];
  /** Requests without a response, by wire, sender and id. */
  const open = new Map<string, Open>();

  const keyOf = (wire: Wire, from: string, id: unknown): string => `${wire} ${from} ${JSON.stringify(id)}`;

  function report(entry: LoggedFrame, path: string, expected: string): void {
    if (entry.deliberate) return;
    const fault = new FrameFault(entry, path, expected);
    faults.push(fault);
    onFault?.(fault);
  }

  function apply(entry: LoggedFrame, member: string, check: Check): void {
    const value = isObject(entry.frame) ? entry.frame[member] : undefined;
    const fault = check(value);
    if (fault !== null) report(entry, `/${member}${fault.path}`, fault.expected);
  }

  function envelope(entry: LoggedFrame, frame: Frame, shape: Shape): void {
    if (entry.wire !== "codex" && frame["jsonrpc"] !== "2.0") report(entry, "/jsonrpc", '"2.0"');
    const known: readonly string[] = [...membersOf[shape], ...extraMembers(entry, shape)];
    for (const member of Object.keys(frame)) {
      if (!known.includes(member)) report(entry, `/${member}`, `no member but ${known.join(", ")}`);
    }
  }

  function called(entry: LoggedFrame, frame: Frame, method: string): void {
    const request = "id" in frame;
    const checks = schemas[entry.wire]?.(entry.from, method);
    if (request) {
      const key = keyOf(entry.wire, entry.from, frame["id"]);
      if (!isId(frame["id"])) report(entry, "/id", "a string or an integer");
      // A resumed thread's open requests are sent again by Codex, under their ids.
      else if (open.has(key) && entry.from !== "codex") report(entry, "/id", "an id that no open request has");
      open.set(key, { method, checks: entry.deliberate ? undefined : checks });
    }
    if (checks === undefined) report(entry, "/method", `a method that ${entry.from} may call`);
    else if (checks.either !== true && (checks.result !== null) !== request) {
      report(entry, "/id", checks.result === null ? "no id: it is a notification" : "an id: it is a request");
    } else apply(entry, "params", checks.params);
  }

  function answered(entry: LoggedFrame, frame: Frame): void {
    const id = frame["id"];
    const key = keyOf(entry.wire, receiver(entry.wire, entry.from), id);
    const asked = open.get(key);
    open.delete(key);
    const error = frame["error"];
    if ("error" in frame) {
      if (!isObject(error) || !Number.isInteger(error["code"]) || typeof error["message"] !== "string") {
        report(entry, "/error", "an object with an integer code and a message");
      }
      // JSON-RPC: the answer to what had no readable id.
      if (id === null) return;
    }
    if (asked === undefined) report(entry, "/id", "the id of an open request");
    else if ("result" in frame && asked.checks?.result) apply(entry, "result", asked.checks.result);
  }

  function inspect(entry: LoggedFrame): void {
    const { frame, wire } = entry;
    if (schemas[wire] === undefined) return;
    if (!isObject(frame)) {
      report(entry, "", "an object");
      return;
    }
    const shape = shapeOf(frame);
    if (shape === null) {
      report(entry, "", "a request, a notification or a response");
      return;
    }
    envelope(entry, frame, shape);
    const { method } = frame;
    if (typeof method === "string") called(entry, frame, method);
    else answered(entry, frame);
  }

  const stop = log.subscribe((entry) => {
    if (isFrame(entry)) {
      inspect(entry);
      return;
    }
    // A new Codex counts its ids from the start, and answers nothing of the old one.
    if (entry.note.startsWith("codex starts")) {
      for (const key of [...open.keys()]) if (key.startsWith("codex ")) open.delete(key);
    }
  });

  return {
    faults,
    assertClean() {
      const [first] = faults;
      if (first !== undefined) throw first;
    },
    stop,
  };
}

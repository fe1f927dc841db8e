import { agentNotifications } from "../../src/generated/contract/methods.js";
import type { NotificationDescriptor, ParamsOf, RequestDescriptor, ResultOf } from "../../src/runtime/index.js";
import { type FrameLog, isFrame } from "../../src/testing/frames.js";
import type { Waits } from "../../src/testing/waits.js";

/** A host's end of the line to an agent. */
export interface HostWire {
  /** Writes text as it is. */
  write(text: string): void;
  /** Takes each line of the agent. Called once. */
  onLine(take: (line: string) => void): void;
  /** The host goes away: nothing more is written. */
  close(): void;
}

/** The agent answered with an error. */
export class AgentError extends Error {
  override readonly name = "AgentError";
  readonly code: unknown;
  readonly data: unknown;

  constructor(code: unknown, message: string, data: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export type Update = ParamsOf<typeof agentNotifications.sessionUpdate>["update"];
export type UpdateOf<Kind extends Update["sessionUpdate"]> = Extract<Update, { sessionUpdate: Kind }>;

type AnyRequest = RequestDescriptor<unknown, unknown>;
type AnyNotification = NotificationDescriptor<unknown>;
type Answerer<D> = (params: ParamsOf<D>, id: string | number) => ResultOf<D> | Promise<ResultOf<D>>;

/** A host that a test plays. Everything it says and hears is in the log. */
export interface Host {
  /** Sends a request on contract; rejects with `AgentError`. */
  request<D extends AnyRequest>(descriptor: D, params: ParamsOf<D>): Promise<ResultOf<D>>;
  /** Sends any request, off contract or not: only the agent's answer is checked. */
  call(method: string, params?: unknown): Promise<unknown>;
  notify<D extends AnyNotification>(descriptor: D, params: ParamsOf<D>): void;
  /** Writes several frames in one piece; they are not checked. */
  rawFrames(...frames: object[]): void;
  /** Writes a line, whatever it is. */
  raw(line: string): void;
  /** Id that the last `request` or `call` was sent under. */
  readonly lastId: number;
  /** Answers the agent's requests of this method. Until then one fails the test. */
  on<D extends AnyRequest>(descriptor: D, answer: Answerer<D>): void;
  /** Frames of the agent so far. */
  frames(): readonly Readonly<Record<string, unknown>>[];
  /** The first frame of the agent, from now or before, that satisfies `fits`. */
  frame(
    what: string,
    fits: (frame: Readonly<Record<string, unknown>>) => boolean,
  ): Promise<Readonly<Record<string, unknown>>>;
  /** Params of the agent's notifications of this method so far. */
  notifications<D extends AnyNotification>(descriptor: D): ParamsOf<D>[];
  /** Updates of a session so far. */
  updates(sessionId: string): Update[];
  /** The first update of the session, from now or before, that satisfies `fits`. */
  update<U extends Update>(sessionId: string, fits: (update: Update) => update is U): Promise<U>;
  update(sessionId: string, fits: (update: Update) => boolean): Promise<Update>;
  /** The `n`-th idle state of the session. */
  idle(sessionId: string, n?: number): Promise<UpdateOf<"state_update">>;
  close(): void;
}

interface Pending {
  resolve(result: unknown): void;
  reject(error: AgentError): void;
}

type Frame = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Frame =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const isUpdate =
  <Kind extends Update["sessionUpdate"]>(kind: Kind) =>
  (update: Update): update is UpdateOf<Kind> =>
    update.sessionUpdate === kind;

const isIdle = (update: Update): update is UpdateOf<"state_update"> =>
  isUpdate("state_update")(update) && update.state === "idle";

export function createHost(wire: HostWire, log: FrameLog, waits: Waits): Host {
  const pending = new Map<unknown, Pending>();
  const answerers = new Map<string, Answerer<AnyRequest>>();
  let lastId = 0;

  const send = (frame: Frame, deliberate = false): void => {
    log.add("host", "host", frame, deliberate);
    wire.write(`${JSON.stringify(frame)}\n`);
  };

  async function answer(id: string | number, method: string, params: unknown): Promise<void> {
    const answerer = answerers.get(method);
    if (answerer === undefined) {
      waits.fail(new Error(`the agent asked ${method} and the test has no answer; the log ends with:\n${log.tail()}`));
      send({ jsonrpc: "2.0", id, error: { code: -32601, message: "the test has no answer" } });
      return;
    }
    try {
      send({ jsonrpc: "2.0", id, result: await answerer(params, id) });
    } catch (error) {
      const code = error instanceof AgentError ? error.code : -32603;
      send({ jsonrpc: "2.0", id, error: { code, message: error instanceof Error ? error.message : String(error) } });
    }
  }

  wire.onLine((line) => {
    let frame: unknown = line;
    try {
      frame = JSON.parse(line);
    } catch {
      // The checker blames the agent for a line that is no object.
    }
    log.add("host", "bridge", frame);
    if (!isRecord(frame)) return;
    const { id, method } = frame;
    if (typeof method === "string") {
      if (typeof id === "string" || typeof id === "number") void answer(id, method, frame["params"]);
      return;
    }
    const call = pending.get(id);
    pending.delete(id);
    const error = frame["error"];
    if (isRecord(error)) call?.reject(new AgentError(error["code"], String(error["message"]), error["data"]));
    else call?.resolve(frame["result"]);
  });

  function ask(method: string, params: unknown, deliberate: boolean): Promise<unknown> {
    lastId += 1;
    const id = lastId;
    const answered = new Promise<unknown>((resolve, reject) => pending.set(id, { resolve, reject }));
    const frame = params === undefined ? { jsonrpc: "2.0", id, method } : { jsonrpc: "2.0", id, method, params };
    send(frame, deliberate);
    return waits.within(`the answer to ${method} (id ${id})`, answered);
  }

  const frames = (): Frame[] =>
    log.entries
      .filter(isFrame)
      .flatMap(({ wire: side, from, frame }) =>
        side === "host" && from === "bridge" && isRecord(frame) ? [frame] : [],
      );

  const told = <D extends AnyNotification>({ method }: D): ParamsOf<D>[] =>
    // The strict checker holds every frame to the descriptor's schema.
    frames().flatMap((frame) => (frame["method"] === method ? [frame["params"] as ParamsOf<D>] : []));

  const updates = (sessionId: string): Update[] =>
    told(agentNotifications.sessionUpdate).flatMap((params) => (params.sessionId === sessionId ? [params.update] : []));

  return {
    request: <D extends AnyRequest>(descriptor: D, params: ParamsOf<D>) =>
      ask(descriptor.method, params, false) as Promise<ResultOf<D>>,
    call: (method, params) => ask(method, params, true),
    notify: (descriptor, params) => send({ jsonrpc: "2.0", method: descriptor.method, params }),
    rawFrames(...list) {
      for (const frame of list) log.add("host", "host", frame, true);
      wire.write(list.map((frame) => `${JSON.stringify(frame)}\n`).join(""));
    },
    raw(line) {
      log.add("host", "host", line, true);
      wire.write(`${line}\n`);
    },
    get lastId() {
      return lastId;
    },
    on<D extends AnyRequest>(descriptor: D, answerer: Answerer<D>) {
      answerers.set(descriptor.method, answerer as Answerer<AnyRequest>);
    },
    frames,
    frame: (what, fits) => waits.until(what, () => frames().find(fits)),
    notifications: told,
    updates,
    update: (sessionId: string, fits: (update: Update) => boolean) =>
      waits.until(`an update of ${sessionId}`, () => updates(sessionId).find(fits)) as Promise<never>,
    idle: (sessionId, n = 1) =>
      waits.until(`idle ${n} of ${sessionId}`, () => updates(sessionId).filter(isIdle)[n - 1]),
    close() {
      log.note("the host goes away");
      wire.close();
    },
  };
}

import type { NotificationDescriptor, ParamsOf, RequestDescriptor, ResultOf } from "../../runtime/index.js";
import type { FrameLog } from "../frames.js";
import type { Waits } from "../waits.js";
import { type Asked, createAsks } from "./asks.js";
import type { CodexDeath, CodexLink, CodexLinkEvents } from "./link.js";

/** Thrown by a handler: what the scripted Codex answers with. */
export class CodexFailure extends Error {
  override readonly name = "CodexFailure";
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export interface CallContext {
  /** Runs `fn` right after the answer has been sent: what it sends follows the answer. */
  afterAnswer(fn: () => void): void;
}

export type CallHandler<Params, Result> = (params: Params, context: CallContext) => Result | Promise<Result>;

/** One request of the bridge, with its answer once that has been sent. */
export interface Call<Params, Result> {
  readonly params: Params;
  readonly answer: { readonly result: Result } | { readonly failure: CodexFailure } | null;
}

/** A request whose answer is withheld. */
export interface Held<Params, Result> {
  /** Resolves when the bridge sends it. */
  received(): Promise<Params>;
  /** Throws when the request has not come yet or was answered. */
  answer(result: Result): void;
  fail(failure: CodexFailure): void;
}

type AnyRequest = RequestDescriptor<unknown, unknown>;

/** A Codex that does what the test says. All its frames, both ways, are in `log`. */
export interface ScriptedCodex {
  readonly log: FrameLog;
  readonly waits: Waits;
  /** Unix milliseconds, for what it stamps. */
  now(): number;
  /** Answers every request of this method from now on; the newest handler counts. */
  on<D extends AnyRequest>(descriptor: D, handler: CallHandler<ParamsOf<D>, ResultOf<D>>): void;
  /** Withholds the answer to the next request of this method. */
  hold<D extends AnyRequest>(descriptor: D): Held<ParamsOf<D>, ResultOf<D>>;
  /** Params of the `n`-th request of this method, counted from 1 over the whole test; waits for it. */
  received<D extends AnyRequest>(descriptor: D, n?: number): Promise<ParamsOf<D>>;
  /** The `n`-th request of this method, once answered. Rejects when it was answered with a failure. */
  answered<D extends AnyRequest>(descriptor: D, n?: number): Promise<{ params: ParamsOf<D>; result: ResultOf<D> }>;
  /** All requests of this method so far. */
  calls<D extends AnyRequest>(descriptor: D): readonly Call<ParamsOf<D>, ResultOf<D>>[];
  /** Sends a notification, unless the bridge opted out of it in `initialize`. */
  notify<D extends NotificationDescriptor<unknown>>(descriptor: D, params: ParamsOf<D>): void;
  /** Sends a request. Ids count up from 0. */
  ask<D extends AnyRequest>(descriptor: D, params: ParamsOf<D>): Asked<ResultOf<D>>;
  /** Sends any frame; the strict checker does not look at it. */
  raw(frame: object): void;
  /** Writes any text to stdout. */
  rawText(text: string): void;
  stderr(text: string): void;
  /** Closes stdout alone. */
  closeOutput(): void;
  die(how?: CodexDeath): void;
  /**
   * Stands between every request and its answer: `answer` gives what the handler would say, or throws it. For faults
   * that any request may meet; null leaves the handlers alone.
   */
  interfere: ((method: string, answer: () => unknown) => unknown) | null;
  /** Ends by itself when stdin ends or a signal comes, as the real one does. Default true. */
  obedient: boolean;
  /** Starts of Codex so far: a bridge may start it again. */
  readonly starts: number;
  /** True while a bridge is connected. */
  readonly running: boolean;
  /** Takes a new link; what the last one left open is forgotten. Called by the transports. */
  attach(link: CodexLink): CodexLinkEvents;
}

export interface CoreOptions {
  readonly log: FrameLog;
  readonly waits: Waits;
  readonly now: () => number;
}

interface Received {
  readonly params: unknown;
  answer: { readonly result: unknown } | { readonly failure: CodexFailure } | null;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A Codex without any answers: a request that no handler takes fails the test. */
export function createCore(options: CoreOptions): ScriptedCodex {
  const { log, waits, now } = options;
  const handlers = new Map<string, CallHandler<unknown, unknown>>();
  const holding = new Map<
    string,
    ((params: unknown, settle: (answer: NonNullable<Received["answer"]>) => void) => void)[]
  >();
  const received = new Map<string, Received[]>();
  let link: CodexLink | null = null;
  let optedOut: ReadonlySet<unknown> = new Set();
  let starts = 0;

  const listOf = (method: string): Received[] => {
    const list = received.get(method) ?? [];
    received.set(method, list);
    return list;
  };

  const send = (frame: object, deliberate = false): void => {
    if (link === null) throw new Error(`the scripted Codex is not running: it cannot send ${JSON.stringify(frame)}`);
    log.add("codex", "codex", frame, deliberate);
    link.frame(frame);
  };

  const notify = (method: string, params: unknown): void => {
    if (optedOut.has(method)) return;
    send({ method, params, emittedAtMs: now() });
  };

  const asks = createAsks({ send, notify });

  function settle(
    call: Received,
    id: unknown,
    answer: NonNullable<Received["answer"]>,
    { after, from }: { readonly after: (() => void)[]; readonly from: CodexLink | null },
  ): void {
    call.answer = answer;
    // What a Codex that is gone would have said does not come out of the next one.
    if (link === null || link !== from) return;
    if ("result" in answer) send({ id, result: answer.result });
    else {
      const { code, message, data } = answer.failure;
      send({ id, error: data === undefined ? { code, message } : { code, message, data } });
    }
    for (const fn of after) fn();
  }

  function failureOf(method: string, error: unknown): CodexFailure {
    if (error instanceof CodexFailure) return error;
    waits.fail(new Error(`the handler of ${method} threw`, { cause: error }));
    return new CodexFailure(-32603, "the test's handler threw");
  }

  function receive(id: unknown, method: string, params: unknown): void {
    if (method === "initialize" && isObject(params) && isObject(params["capabilities"])) {
      const methods = params["capabilities"]["optOutNotificationMethods"];
      optedOut = new Set(Array.isArray(methods) ? methods : []);
    }
    const call: Received = { params, answer: null };
    const after: (() => void)[] = [];
    const from = link;
    const done = (answer: NonNullable<Received["answer"]>): void => settle(call, id, answer, { after, from });
    listOf(method).push(call);
    const held = holding.get(method)?.shift();
    if (held !== undefined) {
      held(params, done);
      return;
    }
    const handler = handlers.get(method);
    if (handler === undefined) {
      waits.fail(new Error(`the scripted Codex has no answer for ${method}; the log ends with:\n${log.tail()}`));
      done({ failure: new CodexFailure(-32600, `Invalid request: unknown variant \`${method}\``) });
      return;
    }
    try {
      const answer = (): unknown => handler(params, { afterAnswer: (fn) => void after.push(fn) });
      const result = codex.interfere === null ? answer() : codex.interfere(method, answer);
      if (result instanceof Promise) {
        result.then(
          (value: unknown) => done({ result: value }),
          (error: unknown) => done({ failure: failureOf(method, error) }),
        );
      } else done({ result });
    } catch (error) {
      done({ failure: failureOf(method, error) });
    }
  }

  function take(frame: unknown): void {
    log.add("codex", "bridge", frame);
    if (!isObject(frame)) return;
    const { id, method } = frame;
    if (typeof method !== "string") asks.answered(frame);
    else if (id !== undefined) receive(id, method, frame["params"]);
  }

  const codex: ScriptedCodex = {
    log,
    waits,
    now,
    interfere: null,
    obedient: true,
    on(descriptor, handler) {
      // The descriptor ties the method to the types of the params and the result.
      handlers.set(descriptor.method, handler as CallHandler<unknown, unknown>);
    },
    hold<D extends AnyRequest>(descriptor: D): Held<ParamsOf<D>, ResultOf<D>> {
      const { method } = descriptor;
      const list = holding.get(method) ?? [];
      holding.set(method, list);
      let settleHeld: ((answer: NonNullable<Received["answer"]>) => void) | undefined;
      const came = new Promise<unknown>((resolve) => {
        list.push((params, done) => {
          settleHeld = done;
          resolve(params);
        });
      });
      const release = (answer: NonNullable<Received["answer"]>): void => {
        if (settleHeld === undefined) throw new Error(`no ${method} is being held`);
        settleHeld(answer);
        settleHeld = undefined;
      };
      return {
        received: () => waits.within(`${method} to be held`, came) as Promise<ParamsOf<D>>,
        answer: (result) => release({ result }),
        fail: (failure) => release({ failure }),
      };
    },
    received: (descriptor, n = 1) =>
      waits.until(`request ${n} of ${descriptor.method}`, () => codex.calls(descriptor)[n - 1]?.params),
    answered: (descriptor, n = 1) =>
      waits.until(`the answer to request ${n} of ${descriptor.method}`, () => {
        const call = codex.calls(descriptor)[n - 1];
        if (call === undefined || call.answer === null) return undefined;
        if ("failure" in call.answer) throw call.answer.failure;
        return { params: call.params, result: call.answer.result };
      }),
    calls<D extends AnyRequest>(descriptor: D) {
      return listOf(descriptor.method) as readonly Call<ParamsOf<D>, ResultOf<D>>[];
    },
    notify: (descriptor, params) => notify(descriptor.method, params),
    ask: <D extends AnyRequest>(descriptor: D, params: ParamsOf<D>) =>
      asks.ask(descriptor.method, params) as Asked<ResultOf<D>>,
    raw: (frame) => send(frame, true),
    rawText(text) {
      log.note(`codex writes ${JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text)}`);
      link?.text(text);
    },
    stderr: (text) => link?.stderr(text),
    closeOutput() {
      log.note("codex closes its stdout");
      link?.closeOutput();
    },
    die(how = {}) {
      log.note(`codex ends: ${JSON.stringify(how)}`);
      const last = link;
      link = null;
      last?.die(how);
    },
    get starts() {
      return starts;
    },
    get running() {
      return link !== null;
    },
    attach(next) {
      starts += 1;
      link = next;
      optedOut = new Set();
      asks.reset();
      log.note(`codex starts (${starts})`);
      return {
        frame: take,
        unreadable: (text) => waits.fail(new Error(`the bridge sent Codex a line that is no JSON: ${text}`)),
        asked(what) {
          log.note(`codex is asked to end: ${what}`);
          if (codex.obedient && link === next) codex.die();
        },
        closed(how) {
          log.note(`codex is gone: ${how}`);
          if (link === next) link = null;
        },
      };
    },
  };
  return codex;
}

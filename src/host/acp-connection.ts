import { type AnyMessage, agent, type MaybePromise, methods } from "@agentclientprotocol/sdk/experimental/v2/unstable";
import type { Peer } from "../acp-v1/index.js";
import type { MethodEntry } from "../generated/agent/registration.js";
import { errors } from "../generated/contract/errors.js";
import { hostNotifications, hostRequests } from "../generated/contract/methods.js";
import type { Clock } from "../runtime/clock.js";
import {
  ContractError,
  type HandlerContext,
  isObject,
  keepText,
  type NotificationDescriptor,
  type RequestDescriptor,
} from "../runtime/index.js";
import { answerIdOf, createGate, isId } from "./gate.js";
import { createInboundStage } from "./inbound.js";
import { depthOf, maxHostDepth, maxReadDepth } from "./nesting.js";
import { createOutgoing } from "./outgoing.js";
import { type HostTransport, maxHostLineBytes } from "./transport.js";
import { createVersions } from "./versions.js";
import { toRequestError } from "./wire-error.js";

/** The host as policy sees it. */
export interface HostConnection {
  /** Sends a notification in order with everything else. The frame must be of the descriptor's type. */
  notify<Params>(descriptor: NotificationDescriptor<Params>, params: Params): void;
  /** Asks the host. Aborting `signal` sends `$/cancel_request` and rejects at once; a late answer is dropped. */
  request<Params, Result>(
    descriptor: RequestDescriptor<Params, Result>,
    params: Params,
    options?: { readonly signal?: AbortSignal },
  ): Promise<Result>;
  /** Writes what is queued: called at the end of each chunk read from Codex. */
  flush(): void;
  /** Aborted when the host is gone. */
  readonly signal: AbortSignal;
  readonly closed: Promise<void>;
}

export interface AcpConnectionOptions {
  readonly transport: HostTransport;
  readonly clock: Clock;
  readonly name: string;
  /** Makes ids nobody has used. */
  newId(): string;
  /** The generated table, bound to this connection's policies. */
  methods(host: HostConnection): ReadonlyMap<string, MethodEntry>;
  stalled(): void;
  drained(): void;
  /** Every frame, for the wire log; `in` is from the host. */
  readonly onFrame?: (direction: "in" | "out", frame: unknown) => void;
  /** An error no table row stands for. The host gets `-32603` without its text. */
  onUnexpected(method: string, error: unknown): void;
  /** Something of the host's that is not answered and has no effect, for the log. */
  ignored(what: string): void;
}

/**
 * Serves ACP to one host. The SDK's app object brings JSON-RPC, the initialize gate and the cancellation of requests;
 * the generated table brings methods and strict params parsers, so the app has `initialize` and two fallbacks only.
 * Our own notifications and requests and the SDK's frames leave through the same ordered transport.
 */
export function connectHost(options: AcpConnectionOptions): HostConnection {
  const { transport, clock, onFrame } = options;
  const hooks = new Map<unknown, (() => void)[]>();

  /** Stands between the two sides when the host speaks version 1. */
  let peer: Peer | null = null;
  const write = (frame: object): void => {
    onFrame?.("out", frame);
    transport.send(frame);
  };
  const send = (frame: object): void => {
    if (peer) peer.fromAgent(frame);
    else write(frame);
  };

  const outgoing = createOutgoing({
    send,
    cancelMethod: hostNotifications.cancelRequest.method,
    // An id may be anything, also what is nested too deeply to be written.
    stray: (id) =>
      options.ignored(`an answer to a request that is not open (${isId(id) ? JSON.stringify(id) : typeof id})`),
  });

  let controller: ReadableStreamDefaultController<AnyMessage> | undefined;
  const readable = new ReadableStream<AnyMessage>({
    start(c) {
      controller = c;
    },
  });
  const writable = new WritableStream<AnyMessage>({
    write(message) {
      send(message);
      if ("method" in message || !("id" in message)) return;
      versions.answered(message.id, "result" in message);
      gate.answered(message.id, "result" in message);
      stage.answered(message.id);
      const after = hooks.get(message.id);
      if (!after) return;
      hooks.delete(message.id);
      // The answer leaves first: what follows it may ask Codex for more.
      transport.flush();
      for (const hook of after) hook();
    },
  });

  const gate = createGate();
  let handedOver = true;
  const stage = createInboundStage({
    clock,
    initializeMethod: hostRequests.initialize.method,
    // Responses are to requests of ours, which the SDK never sent.
    hand: (message) => {
      if (outgoing.take(message)) return false;
      const refusal = gate.refusalOf(message);
      if (refusal) sendError(answerIdOf(message), refusal);
      else controller?.enqueue(message as AnyMessage);
      return !refusal;
    },
    ended: () => {
      if (handedOver) controller?.close();
      handedOver = false;
    },
    full: () => transport.pause(),
    free: () => transport.resume(),
  });

  const versions = createVersions({
    toAgent: stage.push,
    toHost: write,
    use(chosen) {
      peer = chosen;
    },
    soon: (task) => clock.soon(task),
    newId: options.newId,
    failed: (error) => options.onUnexpected(hostRequests.initialize.method, error),
  });

  const contextOf = (requestId: string | number | undefined, signal: AbortSignal): HandlerContext => ({
    requestId,
    signal,
    afterResponse(fn) {
      const list = hooks.get(requestId);
      if (list) list.push(fn);
      else hooks.set(requestId, [fn]);
    },
  });

  async function dispatch(method: string, params: unknown, context: HandlerContext): Promise<unknown> {
    const entry = table.get(method);
    if (entry?.kind !== "request") throw toRequestError(errors.methodNotFound({ method }));
    try {
      return await entry.call(params, context);
    } catch (error) {
      throw toRequestError(error, (unexpected) => {
        // Its host is gone: work that stops for that reason does as it should, and nobody is there for the answer.
        if (!connection.signal.aborted || unexpected !== context.signal.reason)
          options.onUnexpected(method, unexpected);
      });
    }
  }

  /** A notification has no answer: what is wrong with one is for the log alone. */
  async function notified(method: string, params: unknown, context: HandlerContext): Promise<void> {
    const entry = table.get(method);
    if (entry?.kind !== "notification") {
      options.ignored(`a notification ${JSON.stringify(method)}, which is none`);
      return;
    }
    try {
      await entry.call(params, context);
    } catch (error) {
      if (error instanceof ContractError) options.ignored(`${method}: ${error.message}`);
      else options.onUnexpected(method, error);
    }
  }

  const app = agent({ name: options.name })
    .onRequest(methods.agent.initialize, (ctx): MaybePromise<never> => {
      // The result's type is the generated one; the SDK validates it once more when it serialises.
      return dispatch(ctx.method, ctx.params, contextOf(requestIdOf(ctx.requestId), ctx.signal)) as Promise<never>;
    })
    .onRequest("*", (ctx) => dispatch(ctx.method, ctx.params, contextOf(requestIdOf(ctx.requestId), ctx.signal)))
    .onNotification("*", ({ method, params, signal }) => notified(method, params, contextOf(undefined, signal)));

  const connection = app.connect({ readable, writable });
  connection.signal.addEventListener("abort", outgoing.close, { once: true });

  const host: HostConnection = {
    notify: (descriptor, params) => send({ jsonrpc: "2.0", method: descriptor.method, params }),
    request: outgoing.request,
    flush: () => transport.flush(),
    signal: connection.signal,
    closed: connection.closed,
  };
  const table = options.methods(host);
  const goesThrough = (method: unknown): boolean => typeof method === "string" && table.get(method)?.verbatim === true;

  transport.start({
    line(text) {
      if (text.trim() === "") return;
      const depth = depthOf(text);
      if (depth > maxReadDepth) {
        sendError(null, tooDeep());
        return;
      }
      let message: unknown;
      try {
        message = JSON.parse(text);
      } catch {
        // Neither the line nor the parser's own words, which may quote it: a secret in it could not be found.
        options.ignored(`a line that is no JSON, of ${text.length} characters`);
        sendError(null, errors.parseError());
        return;
      }
      if (depth > maxHostDepth) {
        refuseDepth(message);
        return;
      }
      onFrame?.("in", message);
      if (isObject(message) && goesThrough(message["method"])) keepText(message, "params", text);
      versions.receive(message);
    },
    tooLong: (bytes) =>
      sendError(
        null,
        errors.invalidRequest({ problem: `a line of ${bytes} bytes is over the limit of ${maxHostLineBytes}` }),
      ),
    closed() {
      versions.close();
      stage.end();
    },
    stalled: options.stalled,
    drained: options.drained,
  });

  /** A request is answered; of ours, one that is so answered has failed. */
  function refuseDepth(message: unknown): void {
    const { code, message: text } = tooDeep();
    const of = isObject(message) ? message : {};
    if ("method" in of && !("id" in of)) options.ignored(`a notification: ${text}`);
    else if ("method" in of || !isId(of["id"])) sendError(answerIdOf(message), tooDeep());
    else versions.receive({ jsonrpc: "2.0", id: of["id"], error: { code, message: text } });
  }

  function sendError(id: string | number | null, { code, message, data }: ContractError): void {
    versions.answered(id, false);
    send({ jsonrpc: "2.0", id, error: { code, message, ...(data === undefined ? {} : { data }) } });
  }

  return host;
}

const tooDeep = (): ContractError =>
  errors.invalidRequest({ problem: `it is nested more than ${maxHostDepth} levels deep` });

/** ACP v2 knows string and integer ids only; the SDK has refused all others before a handler runs. */
function requestIdOf(id: unknown): string | number | undefined {
  return typeof id === "string" || typeof id === "number" ? id : undefined;
}

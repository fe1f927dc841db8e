import { errorCodes } from "../generated/contract/errors.js";
import { agentNotifications, hostNotifications, hostRequests } from "../generated/contract/methods.js";
import { isObject } from "../runtime/index.js";
import type { FrameLog } from "../testing/frames.js";
import type { CodexLink } from "../testing/scripted-codex/link.js";
import type { CodexEnd } from "../testing/scripted-codex/serve-stand-in.js";
import type { Waits } from "../testing/waits.js";
import { version } from "../version.js";

type Frame = Readonly<Record<string, unknown>>;

/** The rest of an answer: what stands beside its id. */
export type Answer = { readonly result: unknown } | { readonly error: unknown };

/** Makes an answer out of a request's params. May send what goes before it. */
export type Answerer = (params: unknown) => Answer;

/** An ACP agent that does what a case says, and what every agent does where the case says nothing. */
export interface ScriptedAgent extends CodexEnd {
  /** True while a host is connected. */
  readonly running: boolean;
  /** Sends a frame; the strict checker does not look at one that is wrong on purpose. */
  send(frame: Frame, wrong?: boolean): void;
  /** Sends a request under a new id, and returns the id. */
  ask(method: string, params: unknown, wrong?: boolean): string;
  /** Answers this method so from now on. */
  answers(method: string, answer: Answerer): void;
  /** Keeps back the answers to this method from now on. */
  holds(method: string): void;
  /** Answers a request that was kept back. */
  gives(id: string | number, answer: Answer): void;
}

const updateMethod = agentNotifications.sessionUpdate.method;

export const updateFrame = (sessionId: unknown, update: unknown): Frame => ({
  jsonrpc: "2.0",
  method: updateMethod,
  params: { sessionId, update },
});

export const withdrawalFrame = (requestId: string): Frame => ({
  jsonrpc: "2.0",
  method: hostNotifications.cancelRequest.method,
  params: { requestId },
});

const noMethod = (method: string): Answer => ({ error: { code: -32601, message: `Method not found: ${method}` } });

/** The version of ACP that this agent speaks; a higher one that is asked for is answered with it. */
const spoken = 2;

const unsupported = (requested: number): Answer => ({
  error: {
    code: errorCodes.unsupported_protocol_version,
    message: `Unsupported protocol version ${requested}: this agent speaks version ${spoken}`,
    data: { requested, supported: [spoken] },
  },
});

/** What the user sees of a prompt is up to the case, and so is when it is inserted. */
const held = [hostRequests.sessionPrompt.method];

function usualAnswers(send: (frame: Frame) => void): Map<string, Answerer> {
  let sessions = 0;
  return new Map<string, Answerer>([
    [
      hostRequests.initialize.method,
      (params) => {
        const asked = isObject(params) ? params["protocolVersion"] : undefined;
        if (typeof asked === "number" && asked < spoken) return unsupported(asked);
        return {
          result: { protocolVersion: spoken, info: { name: "host-check", version }, capabilities: { session: {} } },
        };
      },
    ],
    [
      hostRequests.sessionNew.method,
      () => {
        sessions += 1;
        return { result: { sessionId: `session-${sessions}` } };
      },
    ],
    [
      hostRequests.sessionResume.method,
      (params) => {
        if (isObject(params)) send(updateFrame(params["sessionId"], { sessionUpdate: "state_update", state: "idle" }));
        return { result: {} };
      },
    ],
    [hostRequests.sessionList.method, () => ({ result: { sessions: [] } })],
    [hostRequests.sessionClose.method, () => ({ result: {} })],
  ]);
}

export interface ScriptedAgentOptions {
  readonly log: FrameLog;
  readonly waits: Waits;
}

/** Connect it as the scripted Codex is: with `serveStandIn`, or by `attach`. */
export function createScriptedAgent({ log, waits }: ScriptedAgentOptions): ScriptedAgent {
  let link: CodexLink | undefined;
  let lastId = 0;
  const holding = new Set<string>(held);

  const send = (frame: Frame, wrong = false): void => {
    log.add("host", "bridge", frame, wrong);
    link?.frame(frame);
  };
  const gives = (id: string | number, answer: Answer): void => send({ jsonrpc: "2.0", id, ...answer });
  const answerers = usualAnswers(send);

  function take(frame: unknown): void {
    log.add("host", "host", frame);
    if (!isObject(frame)) return;
    const { id, method, params } = frame;
    if (typeof method !== "string" || (typeof id !== "string" && typeof id !== "number")) return;
    if (!holding.has(method)) gives(id, (answerers.get(method) ?? (() => noMethod(method)))(params));
  }

  return {
    waits,
    get running() {
      return link !== undefined;
    },
    attach(given) {
      if (link !== undefined) log.note("the host starts the agent once more");
      link = given;
      const gone = (how: string): void => {
        if (link !== given) return;
        link = undefined;
        log.note(`the host lets the agent go: ${how}`);
      };
      return {
        frame: take,
        unreadable: (text) => log.add("host", "host", text),
        asked(what) {
          gone(what);
          given.die({});
        },
        closed: gone,
      };
    },
    send,
    ask(method, params, wrong) {
      lastId += 1;
      const id = `agent-${lastId}`;
      send({ jsonrpc: "2.0", id, method, params }, wrong);
      return id;
    },
    answers(method, answer) {
      holding.delete(method);
      answerers.set(method, answer);
    },
    holds: (method) => void holding.add(method),
    gives,
  };
}

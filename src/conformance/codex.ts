import { requests } from "../generated/codex/methods.js";
import type { ThreadStartParams } from "../generated/codex/types.js";
import type { Clock } from "../runtime/clock.js";
import { isObject, type ParamsOf, type RequestDescriptor } from "../runtime/index.js";
import type { FrameLog } from "../testing/frames.js";
import { type CallHandler, CodexFailure, createCore, type ScriptedCodex } from "../testing/scripted-codex/core.js";
import { installDefaults } from "../testing/scripted-codex/defaults.js";
import { createStoredThreads, type StoredThreads } from "../testing/scripted-codex/stored-threads.js";
import type { Waits } from "../testing/waits.js";
import type { MakeBehind } from "./ground.js";

export type CodexHandler = CallHandler<unknown, unknown>;

/** A Codex for agents of any make, whose usual answers a case can build upon. */
export interface CaseCodex {
  readonly core: ScriptedCodex;
  /** The usual answer to a request; null for a method that has none. */
  usual(method: string): CodexHandler | null;
  /** Threads that it has on disk. */
  readonly stored: StoredThreads;
  /** What answers this method now. */
  answering(method: string): CodexHandler;
  /** Answers this method so from now on. */
  answers(method: string, handler: CodexHandler): void;
  /** Keeps back the answer to the next request of this method. */
  hold(method: string): void;
  /** Gives the oldest answer that is kept back; throws when there is none. Without a handler, what it would have been. */
  release(method: string, handler?: CodexHandler): void;
}

/** `patch` over `base`: objects member by member, all else as a whole. */
export function merged(base: unknown, patch: unknown): unknown {
  if (!isObject(base) || !isObject(patch)) return patch;
  const names = [...new Set([...Object.keys(base), ...Object.keys(patch)])];
  return Object.fromEntries(
    names.map((name) => [name, Object.hasOwn(patch, name) ? merged(base[name], patch[name]) : base[name]]),
  );
}

const all: readonly RequestDescriptor<unknown, unknown>[] = Object.values(requests);

/** The method's descriptor; throws when Codex has no such request. */
export function codexRequest(method: string): RequestDescriptor<unknown, unknown> {
  const found = all.find((descriptor) => descriptor.method === method);
  if (found === undefined) throw new Error(`Codex has no request ${method}`);
  return found;
}

/** What agents of other makes ask for when they open a session: there is none of it. */
const nothingOf = [requests.permissionProfileList] as const;

export interface CaseCodexOptions {
  readonly log: FrameLog;
  readonly waits: Waits;
  readonly clock: Clock;
}

const sandboxes = {
  "read-only": { type: "readOnly", networkAccess: false },
  "workspace-write": { type: "workspaceWrite", networkAccess: false, writableRoots: [] },
  "danger-full-access": { type: "dangerFullAccess" },
} as const;

/** What an opening asks for is what the thread gets, as with the real Codex. */
function reflectSettings(usual: Map<string, CodexHandler>): void {
  for (const { method } of [requests.threadStart, requests.threadResume, requests.threadFork]) {
    const before = usual.get(method);
    usual.set(method, (params, context) => {
      const answer = before?.(params, context);
      const { sandbox, approvalPolicy }: ThreadStartParams = Object(params);
      return {
        ...Object(answer),
        ...(sandbox == null ? {} : { sandbox: sandboxes[sandbox] }),
        ...(approvalPolicy == null ? {} : { approvalPolicy }),
      };
    });
  }
}

/** Puts what is stored before the usual answers about threads. */
function answerFromStore(usual: Map<string, CodexHandler>, stored: StoredThreads): void {
  const over = <D extends RequestDescriptor<unknown, unknown>>(
    { method }: D,
    make: (params: ParamsOf<D>, usually: () => unknown) => unknown,
  ): void => {
    const before = usual.get(method);
    usual.set(method, (params, context) => make(params as ParamsOf<D>, () => before?.(params, context)));
  };
  over(requests.threadRead, ({ threadId }, usually) => (stored.has(threadId) ? stored.read(threadId) : usually()));
  over(requests.threadUnarchive, ({ threadId }) => stored.read(threadId));
  over(requests.threadTurnsList, (params, usually) => (stored.has(params.threadId) ? stored.turns(params) : usually()));
  over(requests.threadItemsList, (params, usually) => (stored.has(params.threadId) ? stored.items(params) : usually()));
  // A cursor that a case made up leads to the same rows again, as a page on which nothing is new.
  over(requests.threadList, ({ cursor, ...params }) =>
    stored.list({ ...params, ...(cursor?.startsWith("at ") ? { cursor } : {}) }),
  );
  over(requests.threadResume, ({ threadId }, usually) => {
    const answer = usually();
    if (!stored.has(threadId) || !isObject(answer)) return answer;
    const { thread } = stored.read(threadId);
    const last = stored.turns({ threadId, limit: 1, sortDirection: "desc", itemsView: "notLoaded" }).data[0];
    const status = last?.status === "inProgress" ? { type: "active", activeFlags: [] } : { type: "idle" };
    return { ...answer, thread: { ...thread, status, turns: [] }, cwd: thread.cwd };
  });
}

/** A request that has no usual answer is refused as an older Codex would do it: an agent may ask for what no case needs. */
export function createCaseCodex({ log, waits, clock }: CaseCodexOptions): CaseCodex {
  const core = createCore({ log, waits, now: () => clock.now() });
  const usual = new Map<string, CodexHandler>();
  const handlers = new Map<string, CodexHandler>();
  const holds = new Map<string, number>();
  const kept = new Map<string, ((handler?: CodexHandler) => void)[]>();

  const refuse =
    (method: string): CodexHandler =>
    () => {
      throw new CodexFailure(-32600, `Invalid request: unknown variant \`${method}\``);
    };
  const handlerOf = (method: string): CodexHandler => handlers.get(method) ?? usual.get(method) ?? refuse(method);

  const recorder: ScriptedCodex = Object.assign(Object.create(core), {
    on: (descriptor: RequestDescriptor<unknown, unknown>, handler: CodexHandler) =>
      void usual.set(descriptor.method, handler),
  });
  installDefaults(recorder);
  reflectSettings(usual);
  const stored = createStoredThreads();
  answerFromStore(usual, stored);
  for (const { method } of nothingOf) usual.set(method, () => ({ data: [], nextCursor: null }));

  for (const descriptor of all) {
    const { method } = descriptor;
    core.on(descriptor, (params: unknown, context) => {
      const holding = holds.get(method) ?? 0;
      if (holding === 0) return handlerOf(method)(params, context);
      holds.set(method, holding - 1);
      return new Promise((resolve, reject) => {
        const list = kept.get(method) ?? [];
        kept.set(method, list);
        list.push((handler = handlerOf(method)) => {
          try {
            resolve(handler(params, context));
          } catch (error) {
            reject(error);
          }
        });
      });
    });
  }

  const known = (method: string): string => codexRequest(method).method;
  return {
    core,
    stored,
    usual: (method) => usual.get(known(method)) ?? null,
    answering: (method) => handlerOf(known(method)),
    answers: (method, handler) => void handlers.set(known(method), handler),
    hold: (method) => void holds.set(known(method), (holds.get(method) ?? 0) + 1),
    release(method, handler) {
      const [give, ...rest] = kept.get(known(method)) ?? [];
      if (give === undefined) throw new Error(`no answer to ${method} is being kept back`);
      kept.set(method, rest);
      give(handler);
    },
  };
}

/** Our scripted Codex, for each case a new one. */
export const scriptedBehind =
  (clock: Clock): MakeBehind =>
  async (options) => {
    const codex = createCaseCodex({ ...options, clock });
    return { side: codex.core, codex, model: null, env: {}, cwd: null, dispose: async () => undefined };
  };

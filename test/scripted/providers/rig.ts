import { requests } from "../../../src/generated/codex/methods.js";
import type { Model, ThreadResumeParams } from "../../../src/generated/codex/types.js";
import { hostRequests } from "../../../src/generated/contract/methods.js";
import type { ProvidersSetParams, SessionForkResult, SessionNewResult } from "../../../src/generated/contract/types.js";
import { CodexFailure } from "../../../src/testing/scripted-codex/core.js";
import { recorded } from "../../../src/testing/scripted-codex/recorded.js";
import { nextTurn, type TurnScript } from "../../../src/testing/scripted-codex/turn.js";
import type { BridgeInProcess } from "../../support/bridge.js";
import { type BridgeOptions, startBridge } from "../../support/bridge-agent.js";
import { isUpdate, type UpdateOf } from "../../support/host.js";
import { efforts, model, workspace } from "../config/rig.js";

type Meta = { [key: string]: never };

export const cwd = "/home/user/project";

/** A thread as the scripted Codex has it. */
interface Held {
  provider: string;
  /** What its provider's entry was when it was opened; null for one of Codex's own. */
  entry: unknown;
  model: string;
  subscribed: boolean;
  /** It has a stored history. */
  stored: boolean;
}

export interface ProvidersRig extends BridgeInProcess {
  readonly threads: Map<string, Held>;
  open(meta?: object): Promise<SessionNewResult>;
  /** Opens a session with a stored history. */
  opened(meta?: object): Promise<string>;
  fork(sessionId: string, meta?: object): Promise<SessionForkResult>;
  set(codex: object, more?: Partial<ProvidersSetParams>, alwith?: object): ReturnType<typeof set>;
  catalog(codex: object, models: readonly object[], more?: Partial<ProvidersSetParams>): ReturnType<typeof set>;
  disable(id?: string): ReturnType<typeof disable>;
  list(): ReturnType<typeof list>;
  choose(sessionId: string, value: string): Promise<readonly Option[]>;
  prompt(sessionId: string, text?: string): ReturnType<typeof prompt>;
  /** Prompts, and has the `n`-th turn begin. */
  begin(sessionId: string, n?: number): Promise<TurnScript>;
  optionUpdates(sessionId: string): UpdateOf<"config_option_update">[];
  /** What Codex was asked about that thread, by method, from the `from`-th frame on. */
  asked(sessionId?: string, from?: number): string[];
  /** How many frames Codex has had. */
  mark(): number;
}

/** A config option as far as the tests read it. */
export interface Option {
  readonly configId: string;
  readonly currentValue?: unknown;
  readonly options?: readonly {
    readonly value?: string;
    readonly name: string;
    readonly groupId?: string;
    readonly options?: readonly { readonly value: string; readonly name: string; readonly description?: string }[];
  }[];
}

export const option = (options: unknown, configId: string): Option | undefined =>
  (options as readonly Option[] | null | undefined)?.find((it) => it.configId === configId);

/** Groups of the model option: `chatgpt: smart, quick`. */
export const groups = (options: unknown): string[] =>
  (option(options, "model")?.options ?? []).map((it) =>
    it.options ? `${it.groupId}: ${it.options.map(({ value }) => value).join(", ")}` : String(it.value),
  );

export const baseUrl = "https://gate.example/v1";

const list = ({ host }: BridgeInProcess) => host.request(hostRequests.providersList, {});

const set = ({ host }: BridgeInProcess, params: Partial<ProvidersSetParams>) =>
  host.request(hostRequests.providersSet, { providerId: "openai", apiType: "openai", baseUrl, ...params });

const disable = ({ host }: BridgeInProcess, id?: string) =>
  host.request(hostRequests.providersDisable, {
    providerId: "openai",
    ...(id === undefined ? {} : { _meta: { codex: { id } } }),
  });

const prompt = ({ host }: BridgeInProcess, sessionId: string, text: string) =>
  host.request(hostRequests.sessionPrompt, { sessionId, prompt: [{ type: "text", text }] });

/** What a session was told of the certainty of its place, oldest first. */
export const routingsTold = (rig: ProvidersRig, sessionId: string) =>
  rig.optionUpdates(sessionId).map(({ _meta }) => Object(_meta?.["codex"]).routing);

/** The address of new sessions; null where Codex names none. */
export const currentAddress = async (rig: ProvidersRig): Promise<string | null> =>
  (await rig.list()).providers[0]?.current?.baseUrl ?? null;

export const nativeModels: readonly Model[] = [
  model({ id: "smart", isDefault: true, supportedReasoningEfforts: efforts("low", "high") }),
  model({ id: "quick", supportedReasoningEfforts: efforts("low") }),
];

/** A request about a thread that is moved. */
export type Step = "check" | "leave" | "open" | "inject";

/**
 * What goes wrong with one: it is refused, it is done and never answered, or it is done and answered that many ms later.
 */
export type Trouble = (step: Step, threadId: string) => "refuse" | "never" | number | null;

/** Answers about threads as a Codex does that moves them, or keeps each where it was made. */
function holdThreads(
  { codex, clock }: BridgeInProcess,
  threads: Map<string, Held>,
  moves: boolean,
  trouble: Trouble,
): void {
  /** Runs `work` unless it is refused; its answer may take its time. */
  const at = <T>(step: Step, threadId: string, work: () => T, quoted: unknown = null): T | Promise<T> => {
    const kind = trouble(step, threadId);
    // Codex may quote what it does not like.
    if (kind === "refuse") throw new CodexFailure(-32600, `no ${step} of ${threadId}: ${JSON.stringify(quoted)}`);
    if (kind === null) return work();
    const result = work();
    return new Promise((resolve) => {
      if (typeof kind === "number") clock.after(kind, () => resolve(result));
    });
  };
  let last = 0;
  const opened = (id: string, it: Held) => {
    const answer = recorded(requests.threadStart);
    const thread = { ...answer.thread, id, sessionId: id, cwd, modelProvider: it.provider };
    return {
      ...answer,
      thread,
      model: it.model,
      modelProvider: it.provider,
      reasoningEffort: null,
      approvalPolicy: "on-request" as const,
      sandbox: workspace,
    };
  };
  const entryOf = (params: Pick<ThreadResumeParams, "config">, provider: string): unknown => {
    const entries = params.config?.["model_providers"];
    return (typeof entries === "object" && entries !== null ? Reflect.get(entries, provider) : undefined) ?? null;
  };
  const configured = (params: ThreadResumeParams, provider: string): void => {
    if (provider !== "openai" && entryOf(params, provider) === null) {
      throw new CodexFailure(-32600, `failed to load configuration: Model provider \`${provider}\` not found`);
    }
  };
  const begin = (params: Pick<ThreadResumeParams, "config" | "model" | "modelProvider">, stored: boolean) => {
    last += 1;
    const id = `thread-${last}`;
    const provider = params.modelProvider ?? "openai";
    configured({ ...params, threadId: id }, provider);
    const it = { provider, entry: entryOf(params, provider), model: params.model ?? "smart", subscribed: true, stored };
    threads.set(id, it);
    return opened(id, it);
  };
  const held = (threadId: string): Held => {
    const it = threads.get(threadId);
    if (!it) throw new CodexFailure(-32600, `no rollout found for thread id ${threadId}`);
    return it;
  };
  codex.on(requests.threadStart, (params) => begin(params, false));
  codex.on(requests.threadFork, ({ threadId, ...params }) => {
    held(threadId);
    const { thread, ...answer } = begin(params, true);
    return { ...answer, thread: { ...thread, forkedFromId: threadId } };
  });
  const resume = (params: ThreadResumeParams) => {
    const it = held(params.threadId);
    if (!it.stored) throw new CodexFailure(-32600, `no rollout found for thread id ${params.threadId}`);
    if (!it.subscribed) {
      const provider = params.modelProvider ?? it.provider;
      if (!moves && provider !== it.provider) {
        throw new CodexFailure(
          -32600,
          `failed to load configuration: Cannot change this thread's model provider from \`${it.provider}\` to \`${provider}\` on resume.`,
        );
      }
      configured(params, provider);
      it.provider = provider;
      it.entry = entryOf(params, provider);
      it.model = params.model ?? it.model;
      it.subscribed = true;
    }
    return { ...opened(params.threadId, it), turnsBackwardsCursor: null, itemsBackwardsCursor: null };
  };
  codex.on(requests.threadResume, (params) => at("open", params.threadId, () => resume(params), params.config));
  codex.on(requests.threadRead, ({ threadId }) => ({ thread: opened(threadId, held(threadId)).thread }));
  codex.on(requests.threadUnsubscribe, ({ threadId }) =>
    at("leave", threadId, () => {
      const it = threads.get(threadId);
      if (it) it.subscribed = false;
      return { status: it ? ("unsubscribed" as const) : ("notLoaded" as const) };
    }),
  );
  codex.on(requests.threadTurnsList, ({ threadId }) =>
    at("check", threadId, () => {
      if (!held(threadId).stored) {
        throw new CodexFailure(
          -32600,
          `thread ${threadId} is not materialized yet; thread/turns/list is unavailable before first user message`,
        );
      }
      return { data: [], nextCursor: null, backwardsCursor: null };
    }),
  );
  codex.on(requests.threadInjectItems, ({ threadId }) =>
    at("inject", threadId, () => {
      held(threadId).stored = true;
      return {};
    }),
  );
}

export interface RigOptions extends BridgeOptions {
  /** Of the scripted Codex. Default: 0.161.0, which moves threads. */
  readonly version?: string;
  /** What it does, where that is not what its version says. */
  readonly moves?: boolean;
  readonly models?: readonly Model[];
  readonly trouble?: Trouble;
}

export async function startProviders(options: RigOptions = {}): Promise<ProvidersRig> {
  const { version = "0.161.0", models = nativeModels, moves = version < "0.166.0" } = options;
  const bridge = startBridge(options);
  const { host, codex, clock } = bridge;
  const threads = new Map<string, Held>();
  codex.on(requests.initialize, () => ({
    ...recorded(requests.initialize),
    userAgent: `codex-acp-kit/${version} (Debian 12.0.0; x86_64) unknown`,
  }));
  codex.on(requests.modelList, () => ({ data: [...models], nextCursor: null }));
  codex.on(requests.configRead, () => {
    const answer = recorded(requests.configRead);
    return { ...answer, config: { ...answer.config, model: "smart", model_provider: null, model_providers: {} } };
  });
  holdThreads(bridge, threads, moves, options.trouble ?? (() => null));
  await host.request(hostRequests.initialize, {
    protocolVersion: 2,
    info: { name: "test", version: "0" },
    capabilities: {},
  });
  const open = async (meta?: object): Promise<SessionNewResult> => {
    const params = { cwd, mcpServers: [], ...(meta ? { _meta: meta as Meta } : {}) };
    const result = await host.request(hostRequests.sessionNew, params);
    await clock.settle();
    return result;
  };
  const rig: ProvidersRig = {
    ...bridge,
    threads,
    open,
    async opened(meta) {
      const { sessionId } = await open(meta);
      const it = threads.get(sessionId);
      if (it) it.stored = true;
      return sessionId;
    },
    fork: (sessionId, meta) =>
      host.request(hostRequests.sessionFork, {
        sessionId,
        cwd,
        mcpServers: [],
        ...(meta ? { _meta: meta as Meta } : {}),
      }),
    set: (meta, more, alwith) =>
      set(bridge, {
        ...more,
        _meta: { codex: meta as Meta, ...(alwith ? { alwith: alwith as Meta } : {}) },
      } as Partial<ProvidersSetParams>),
    catalog: (meta, served, more) =>
      set(bridge, {
        ...more,
        _meta: { codex: { mode: "catalog", ...meta }, alwith: { models: served } },
      } as Partial<ProvidersSetParams>),
    disable: (id) => disable(bridge, id),
    list: () => list(bridge),
    async choose(sessionId, value) {
      const params = { sessionId, configId: "model", type: "id" as const, value };
      return (await host.request(hostRequests.sessionSetConfigOption, params)).configOptions as readonly Option[];
    },
    prompt: (sessionId, text = "go") => prompt(bridge, sessionId, text),
    async begin(sessionId, n = 1) {
      await prompt(bridge, sessionId, "go");
      const turn = await nextTurn(codex, n);
      turn.begin();
      await clock.settle();
      return turn;
    },
    optionUpdates: (sessionId) => host.updates(sessionId).filter(isUpdate("config_option_update")),
    mark: () => bridge.log.frames("codex", "bridge").length,
    asked: (sessionId, from = 0) =>
      bridge.log
        .frames("codex", "bridge")
        .slice(from)
        .flatMap(({ frame }) => {
          const { method, params } = Object(frame);
          if (typeof method !== "string" || !method.startsWith("thread/")) return [];
          const of = Object(params).threadId;
          return sessionId === undefined ? [`${method} ${of}`] : of === sessionId ? [method] : [];
        }),
  };
  return rig;
}

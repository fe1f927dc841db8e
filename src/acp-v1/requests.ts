import type { hostRequests as theirs, translated } from "../generated/acp-v1/methods.js";
import type { McpServer } from "../generated/acp-v1/types.js";
import type { hostRequests as ours } from "../generated/contract/methods.js";
import type { ConfigOptionId } from "../generated/contract/tables.js";
import type { ParamsOf, ResultOf } from "../runtime/index.js";
import type { Features } from "./features.js";
import { initializeParams, initializeResult } from "./initialize.js";
import { metaOf } from "./known.js";
import { openedOptions, optionsOf, settingOf } from "./options.js";

type Key = keyof typeof translated;
type Ours<K extends Key> = (typeof ours)[(typeof translated)[K]];

/** `_meta` goes over as the host wrote it, and is parsed on the other side. */
type Loose<T> = T extends object ? Omit<T, "_meta"> & { readonly _meta?: unknown } : T;

/** What translation depends on beside the message itself. */
export interface Around {
  readonly features: Features;
  /** Options that are booleans in truth. */
  readonly booleans: ReadonlySet<string>;
  /** A receipt for a prompt whose host gave none. */
  newId(): string;
}

/** How one request goes over and its result comes back. Both are plain data; nothing is sent here. */
interface Translation<K extends Key> {
  params(params: ParamsOf<(typeof theirs)[K]>, around: Around): Loose<ParamsOf<Ours<K>>>;
  /** Missing for what is answered later, or has no members. */
  result?(result: ResultOf<Ours<K>>, around: Around): ResultOf<(typeof theirs)[K]>;
}

/** The receipt of a prompt, which is in its `_meta` from here on. */
export const receiptIn = (meta: unknown): string | null => {
  const alwith = (meta as { alwith?: { messageId?: unknown } } | null | undefined)?.alwith;
  return typeof alwith?.messageId === "string" ? alwith.messageId : null;
};

/** Every request whose members differ between the versions: one that is missing here does not compile. */
export const translations: { readonly [K in Key]: Translation<K> } = {
  initialize: { params: initializeParams, result: initializeResult },
  authenticate: { params: (params) => params, result: (result) => metaOf(result) },
  logout: { params: (params) => params, result: (result) => metaOf(result) },
  sessionNew: {
    params: withServers,
    result: ({ sessionId, configOptions, ...rest }, { features }) => ({
      sessionId,
      ...openedOptions(configOptions, features),
      ...metaOf(rest),
    }),
  },
  sessionLoad: {
    params: (params) => ({ ...withServers(params), replayFrom: { type: "start" } }),
    result: ({ configOptions, ...rest }, { features }) => ({
      ...openedOptions(configOptions, features),
      ...metaOf(rest),
    }),
  },
  sessionResume: {
    params: withServers,
    result: ({ configOptions, ...rest }, { features }) => ({
      ...openedOptions(configOptions, features),
      ...metaOf(rest),
    }),
  },
  sessionFork: {
    params: withServers,
    result: ({ sessionId, configOptions, ...rest }, { features }) => ({
      sessionId,
      ...openedOptions(configOptions, features),
      ...metaOf(rest),
    }),
  },
  sessionStatus: {
    params: (params) => params,
    result: ({ status, ...rest }) => ({ status, ...metaOf(rest) }),
  },
  sessionSetConfigOption: {
    params: ({ sessionId, configId, ...rest }, { booleans }) => ({
      sessionId,
      configId,
      ...settingOf({ configId, value: rest.value }, booleans),
      ...metaOf(rest),
    }),
    result: ({ configOptions, ...rest }, { features }) => ({
      configOptions: optionsOf(configOptions, features),
      ...metaOf(rest),
    }),
  },
  sessionSetMode: {
    params: ({ sessionId, modeId, ...rest }) => ({
      sessionId,
      configId: "mode" satisfies ConfigOptionId,
      type: "id",
      value: modeId,
      ...metaOf(rest),
    }),
    result: (result) => metaOf(result),
  },
  sessionPrompt: {
    params({ _meta, ...params }, { newId }) {
      if (receiptIn(_meta) !== null) return { ...params, _meta };
      const alwith = typeof _meta?.["alwith"] === "object" ? _meta["alwith"] : {};
      return { ...params, _meta: { ..._meta, alwith: { ...alwith, messageId: newId() } } };
    },
  },
};

/** Servers on stdio have no `type` in version 1. */
function withServers<P extends { readonly mcpServers?: McpServer[] | null }>({ mcpServers, ...params }: P) {
  return {
    ...params,
    ...(mcpServers == null
      ? {}
      : {
          mcpServers: mcpServers.map((server) =>
            "type" in server ? { ...server } : { type: "stdio" as const, ...server },
          ),
        }),
  };
}

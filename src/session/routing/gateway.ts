import type { GatewayModel, Gateway as PublicGateway } from "../../generated/contract/types.js";
import type { CatalogModel } from "./model-catalog.js";

/** A gateway as the host registered it. Holds credentials: only `publicGateway` of it may leave the bridge. */
export interface Gateway {
  /** The id of its `model_providers` entry. */
  readonly id: string;
  readonly name: string;
  readonly baseUrl: string;
  readonly headers: { readonly [name: string]: string };
  readonly bearerToken: string | null;
  /** Top-level keys for the config of threads on it (PROV-22). */
  readonly config: { readonly [key: string]: unknown };
  /** What it serves, as the host says; empty when the host did not say. */
  readonly models: readonly GatewayModel[];
  /** The model to select on it; null when the host named none (PROV-18). */
  readonly model: string | null;
  /** What to select where nothing else says: null when the configured model is served, or nobody says what is. */
  readonly fallback: string | null;
  /** What its `model_catalog_json` says of models, by slug (PROV-25). */
  readonly catalog: ReadonlyMap<string, CatalogModel>;
}

/** The id without the host's hint (PROV-05). */
export const defaultGatewayId = "custom-gateway";

/** The group of the models that Codex serves by itself (CAT-07). */
export const nativeGroup = { groupId: "chatgpt", name: "ChatGPT" } as const;

/** Ids that no gateway may have: Codex's own providers, which it lets nobody redefine, and the native group (PROV-14). */
const reservedIds: ReadonlySet<string> = new Set([
  "openai",
  "ollama",
  "lmstudio",
  "amazon-bedrock",
  nativeGroup.groupId,
]);

export const isReservedId = (id: string): boolean => reservedIds.has(id);

/**
 * Keys of a thread's config that would send a thread, or the user's own credentials, elsewhere than where its gateway
 * is, also as the start of a dotted path (PROV-24, R-09).
 */
const routingKeys = /^(?:model_providers?|openai_base_url|chatgpt_base_url|profile|profiles)(?:\.|$)/;

/** The first key of a gateway's `config` that it must not have; null when there is none. */
export const routingKeyIn = (config: { readonly [key: string]: unknown }): string | null =>
  Object.keys(config).find((key) => routingKeys.test(key)) ?? null;

/** The config of a thread on the gateway: its entry, alone, and the keys that the host gave for it (CAT-10). */
export function gatewayConfig({ id, name, baseUrl, headers, bearerToken, config }: Gateway) {
  const entry = {
    name,
    base_url: baseUrl,
    wire_api: "responses",
    // Never the user's own sign-in.
    requires_openai_auth: false,
    ...(Object.keys(headers).length === 0 ? {} : { http_headers: { ...headers } }),
    ...(bearerToken === null ? {} : { experimental_bearer_token: bearerToken }),
  };
  return { ...config, model_providers: { [id]: entry } };
}

/** What the host may see of it (CAT-05). */
export const publicGateway = ({ id, name, baseUrl, models }: Gateway): PublicGateway => ({
  id,
  name,
  baseUrl,
  models: models.map((model) => ({ ...model })),
});

/** Shorter values are no credentials, and to take them out would leave no text readable. */
const shortestSecret = 6;

/** The values that must never leave the bridge for the host. */
export const secretsOf = ({ headers, bearerToken }: Gateway): string[] =>
  [...Object.values(headers), ...(bearerToken === null ? [] : [bearerToken])].filter(
    (value) => value.length >= shortestSecret,
  );

/** `text` without `secrets`, the longest first, as one may be part of another. */
export const withoutSecrets = (text: string, secrets: Iterable<string>): string =>
  [...secrets]
    .sort((a, b) => b.length - a.length)
    .reduce((rest, secret) => rest.replaceAll(secret, "[redacted]"), text);

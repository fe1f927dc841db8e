/** Codex's own provider, where threads go that are on no gateway. */
export interface NativeProvider {
  readonly providerId: string;
  /** Null when the configuration names none. */
  readonly baseUrl: string | null;
  /** The configured model; null leaves it to Codex. */
  readonly model: string | null;
  /** Every provider that the configuration has an entry for. */
  readonly configured: ReadonlySet<string>;
}

type Fields = { readonly [key: string]: unknown };

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const text = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);

/** Reads it from layers of configuration, the last of which wins. `chosen` goes before all of them. */
export function nativeProvider(layers: readonly Fields[], chosen: string | null): NativeProvider {
  const last = (read: (layer: Fields) => string | null): string | null =>
    layers.reduce<string | null>((found, layer) => read(layer) ?? found, null);
  const providerId = chosen ?? last((layer) => text(layer["model_provider"])) ?? "openai";
  const entry = (layer: Fields): unknown =>
    isObject(layer["model_providers"]) ? layer["model_providers"][providerId] : undefined;
  const address = last((layer) => {
    const own = entry(layer);
    return isObject(own) ? text(own["base_url"]) : providerId === "openai" ? text(layer["openai_base_url"]) : null;
  });
  return {
    providerId,
    baseUrl: address === null ? null : withoutCredentials(address),
    model: last((layer) => text(layer["model"])),
    configured: new Set(
      layers.flatMap((layer) => (isObject(layer["model_providers"]) ? Object.keys(layer["model_providers"]) : [])),
    ),
  };
}

/** An address may hold a name and a password, and a key in its query; null for what is no address. */
function withoutCredentials(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  if (url.username === "" && url.password === "" && url.search === "" && url.hash === "") return address;
  url.username = "";
  url.password = "";
  url.search = "";
  url.hash = "";
  return url.href;
}

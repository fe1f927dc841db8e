import { errors } from "../../generated/contract/errors.js";
import type { ProvidersSetParams } from "../../generated/contract/types.js";
import { defaultGatewayId, type Gateway, isReservedId, routingKeyIn } from "../../session/routing/gateway.js";
import { type CatalogModel, parseModelCatalog } from "../../session/routing/model-catalog.js";
import type { NativeProvider } from "../../session/routing/native.js";
import { clashOf, type Routing } from "../../session/routing/routing.js";
import { servedModels } from "../../session/routing/sources.js";
import type { Catalog } from "../../session/settings.js";
import type { Services } from "../services.js";
import { isAbsolute } from "../thread-config.js";
import { requireSlot } from "./slot.js";

/** Largest model catalog that is read, in bytes. Codex's own, with its instructions, is a tenth of it. */
const maxCatalogBytes = 8 * 1024 * 1024;

export interface Registration {
  readonly gateway: Gateway;
  readonly mode: "route" | "catalog";
}

/**
 * What can be refused without asking anyone.
 *
 * @throws {ContractError} -32602; no text holds a header's value or the token.
 */
export function checkSetParams(params: ProvidersSetParams): void {
  requireSlot(params.providerId);
  if (params.apiType !== "openai") throw errors.providerProtocolUnsupported({ apiType: params.apiType });
  requireAddress(params.baseUrl);
  for (const [name, value] of Object.entries(params.headers ?? {})) requireHeader(name, value);
  const { codex, alwith } = params._meta ?? {};
  if (codex?.id !== undefined && isReservedId(codex.id)) throw errors.providerIdReserved({ id: codex.id });
  if (codex?.bearerToken !== undefined && !/^[\x21-\x7e]+$/.test(codex.bearerToken)) {
    throw errors.invalidParams({ path: "/_meta/codex/bearerToken", expected: "a token of visible ASCII characters" });
  }
  const key = codex?.config === undefined ? null : routingKeyIn(codex.config);
  if (key !== null) {
    throw errors.invalidParams({
      path: `/_meta/codex/config/${key}`,
      expected: "no key that names a provider or its address",
    });
  }
  const seen = new Set<string>();
  for (const [index, { id }] of (alwith?.models ?? []).entries()) {
    if (seen.has(id)) {
      throw errors.invalidParams({
        path: `/_meta/alwith/models/${index}/id`,
        expected: "an id that is not used before",
      });
    }
    seen.add(id);
  }
}

/** Codex puts paths behind it, and whoever may see the routing may see the address. */
function requireAddress(baseUrl: string): void {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  const plain = url !== null && url.username === "" && url.password === "" && url.search === "" && url.hash === "";
  if (plain && (url.protocol === "http:" || url.protocol === "https:")) return;
  throw errors.invalidParams({
    path: "/baseUrl",
    expected: "an http or https address without credentials, query and fragment",
  });
}

/** Codex leaves out a header that it cannot send, and says nothing. */
function requireHeader(name: string, value: string): void {
  if (/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value)) return;
  throw errors.invalidParams({
    path: `/headers/${name}`,
    expected: "a header name of HTTP, and a value without line breaks and other control characters",
  });
}

/**
 * The gateway that the params describe, once nothing speaks against it. Reads the catalog file that they name, and
 * nothing changes.
 *
 * @throws {ContractError} `provider_id_reserved`, `model_catalog_unreadable`, `provider_model_clash`,
 *   `provider_model_native`.
 */
export async function readRegistration(
  services: Services,
  params: ProvidersSetParams,
  native: NativeProvider,
  catalog: Catalog,
): Promise<Registration> {
  const { codex, alwith } = params._meta ?? {};
  const mode = codex?.mode ?? "route";
  const id = codex?.id ?? defaultGatewayId;
  // Codex would mix the gateway's entry with the user's own, key and all (PROV-15).
  if (id === native.providerId || native.configured.has(id)) throw errors.providerIdReserved({ id });
  const config: Gateway["config"] = codex?.config ?? {};
  const described = await readCatalog(services, config["model_catalog_json"]);
  const models = servedModels(alwith?.models ?? [], { catalog: described });
  const gateway: Gateway = {
    id,
    name: codex?.name ?? id,
    baseUrl: params.baseUrl,
    headers: params.headers ?? {},
    bearerToken: codex?.bearerToken ?? null,
    config,
    models,
    model: alwith?.model ?? null,
    fallback: models.some((model) => model.id === native.model) ? null : (models[0]?.id ?? null),
    catalog: described,
  };
  if (mode === "catalog") checkModels(services.routing.committed, gateway, catalog);
  return { gateway, mode };
}

/** Values of one option: an id may stand in one group only (PROV-17, D-13). */
function checkModels(routing: Routing, gateway: Gateway, catalog: Catalog): void {
  const clash = clashOf(routing, gateway);
  if (clash) throw errors.providerModelClash(clash);
  const native = gateway.models.find(({ id }) => catalog.some((model) => model.id === id || model.model === id));
  if (native) throw errors.providerModelNative({ model: native.id });
}

async function readCatalog(services: Services, file: unknown): Promise<ReadonlyMap<string, CatalogModel>> {
  if (file === undefined) return new Map();
  const refuse = (details: string) => errors.modelCatalogUnreadable({ file: String(file), details });
  // Codex would look for a relative one where it is not.
  if (typeof file !== "string" || !isAbsolute(file)) throw refuse("expected an absolute path");
  const read = await services.files.readText(file, maxCatalogBytes);
  if ("problem" in read) throw refuse(read.problem);
  const parsed = parseModelCatalog(read.text);
  if (!parsed.ok) throw refuse(parsed.problem);
  return parsed.models;
}

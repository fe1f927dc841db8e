import type { ProvidersHandlers } from "../generated/agent/handlers.js";
import { errors } from "../generated/contract/errors.js";
import type {
  ProvidersDisableParams,
  ProvidersDisableResult,
  ProvidersListResult,
  ProvidersSetParams,
  ProvidersSetResult,
} from "../generated/contract/types.js";
import { publicGateway, secretsOf } from "../session/routing/gateway.js";
import {
  gatewayOf,
  gatewaysOf,
  nativeRouting,
  registered,
  routedTo,
  withoutGateway,
} from "../session/routing/routing.js";
import { changeRouting } from "./providers/change.js";
import { checkSetParams, readRegistration } from "./providers/gateway-params.js";
import { readNative } from "./providers/native.js";
import { slot } from "./providers/slot.js";
import type { Services } from "./services.js";

export const providersPolicy = (services: Services): ProvidersHandlers => ({
  providersList: () => listProviders(services),
  providersSet: (params) => setProvider(services, params),
  providersDisable: (params) => disableProvider(services, params),
});

/** The committed routing of new sessions; what is being switched to does not show (PROV-02, ROUTE-01). */
async function listProviders(services: Services): Promise<ProvidersListResult> {
  const { route, gateways } = services.routing.committed;
  const { providerId, apiType } = slot;
  const baseUrl = route ? route.baseUrl : (await readNative(services)).baseUrl;
  const all = gateways.map(publicGateway);
  const [gateway] = all;
  return {
    providers: [
      {
        providerId,
        supported: [apiType],
        required: false,
        current: baseUrl === null ? null : { apiType, baseUrl },
        ...(gateway ? { _meta: { codex: { gateways: all, gateway } } } : {}),
      },
    ],
  };
}

async function setProvider(services: Services, params: ProvidersSetParams): Promise<ProvidersSetResult> {
  checkSetParams(params);
  const { codex, routing } = services;
  await codex.ready();
  if (codex.providers === "unsupported") throw errors.gatewaysUnsupported({ version: codex.version ?? "" });
  return await routing.inTurn(async () => {
    const [native, catalog] = await Promise.all([readNative(services), codex.freshModels()]);
    const { gateway, mode } = await readRegistration(services, params, native, catalog);
    for (const secret of secretsOf(gateway)) routing.secrets.add(secret);
    const to = mode === "route" ? routedTo(gateway) : registered(routing.committed, gateway);
    const changed = mode === "route" ? null : gateway.id;
    const whenEmpty = mode === "route" || routing.committed.route !== null ? "refuse" : "materialise";
    return resultOf(await changeRouting(services, { to, changed, whenEmpty }, native));
  });
}

async function disableProvider(services: Services, params: ProvidersDisableParams): Promise<ProvidersDisableResult> {
  const { codex, routing } = services;
  const id = params._meta?.codex?.id;
  if (params.providerId !== slot.providerId) return {};
  return await routing.inTurn(async () => {
    const from = routing.committed;
    // Nothing to do, and Codex hears of nothing (PROV-12, A-14).
    if (id === undefined ? gatewaysOf(from).length === 0 : gatewayOf(from, id) === null) return {};
    const [native] = await Promise.all([readNative(services), codex.freshModels()]);
    const to = id === undefined ? nativeRouting : withoutGateway(from, id);
    const whenEmpty = from.route ? "refuse" : "materialise";
    return resultOf(await changeRouting(services, { to, changed: id ?? null, whenEmpty }, native));
  });
}

const resultOf = (untouchedSessions: string[]) =>
  untouchedSessions.length === 0 ? {} : { _meta: { codex: { untouchedSessions } } };

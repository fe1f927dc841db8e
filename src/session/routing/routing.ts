import type { Gateway } from "./gateway.js";

/** Where new sessions go: to the one gateway of route mode, else to Codex's own provider unless they ask for a gateway. */
export interface Routing {
  /** Takes over every session; null in native and in catalog mode. */
  readonly route: Gateway | null;
  /** Registered without routing anything, oldest first. Empty in route mode (CAT-03). */
  readonly gateways: readonly Gateway[];
}

export const nativeRouting: Routing = { route: null, gateways: [] };

/** All gateways that sessions may be on. */
export const gatewaysOf = ({ route, gateways }: Routing): readonly Gateway[] => (route ? [route] : gateways);

export const gatewayOf = (routing: Routing, id: string): Gateway | null =>
  gatewaysOf(routing).find((gateway) => gateway.id === id) ?? null;

export const serves = (gateway: Gateway, model: string): boolean => gateway.models.some(({ id }) => id === model);

/** The gateway that serves a model; ids are unique across gateways (PROV-17). */
export const servingGateway = (routing: Routing, model: string): Gateway | null =>
  gatewaysOf(routing).find((gateway) => serves(gateway, model)) ?? null;

/** Route mode replaces every gateway (CAT-03). */
export const routedTo = (gateway: Gateway): Routing => ({ route: gateway, gateways: [] });

/** Catalog mode: a registered id keeps its place; a gateway in route mode goes. */
export const registered = ({ gateways }: Routing, gateway: Gateway): Routing => ({
  route: null,
  gateways: gateways.some(({ id }) => id === gateway.id)
    ? gateways.map((it) => (it.id === gateway.id ? gateway : it))
    : [...gateways, gateway],
});

/** Without the gateway of that id, in either mode. */
export const withoutGateway = ({ route, gateways }: Routing, id: string): Routing => ({
  route: route?.id === id ? null : route,
  gateways: gateways.filter((gateway) => gateway.id !== id),
});

/** The first model of `gateway` that another gateway has already; null when there is none (PROV-17). */
export function clashOf(
  routing: Routing,
  gateway: Gateway,
): { readonly model: string; readonly gateway: string } | null {
  for (const other of routing.gateways) {
    const model = other.id === gateway.id ? undefined : gateway.models.find(({ id }) => serves(other, id));
    if (model) return { model: model.id, gateway: other.id };
  }
  return null;
}

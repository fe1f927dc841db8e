import type { Model } from "../../generated/codex/types.js";
import type { GatewayModel } from "../../generated/contract/types.js";
import { type Gateway, nativeGroup } from "./gateway.js";
import type { ProviderKind } from "./plan.js";
import { type Routing, serves } from "./routing.js";

/** Models under the name of what serves them. */
export interface ModelGroup {
  readonly groupId: string;
  readonly name: string;
  readonly models: readonly Model[];
}

/** The models a session can have. */
export interface ModelSources {
  /** Of the source that the session is on: what its settings are read by. */
  readonly own: readonly Model[];
  /** The group of `own`; null while there is but one source, and the list is flat. */
  readonly group: string | null;
  readonly groups: readonly ModelGroup[];
}

export const flat = (own: readonly Model[]): ModelSources => ({ own, group: null, groups: [] });

/** A gateway's models as Codex would list them, had it a list of them (PROV-16, PROV-25). */
export const modelsOf = (gateway: Gateway): Model[] =>
  gateway.models.map((model) => {
    const info = gateway.catalog.get(model.id);
    const efforts = info?.efforts ?? [];
    return {
      id: model.id,
      model: model.id,
      displayName: model.label ?? info?.displayName ?? model.id,
      description: model.description ?? info?.description ?? "",
      hidden: false,
      isDefault: false,
      supportedReasoningEfforts: efforts.map(({ effort, description }) => ({ reasoningEffort: effort, description })),
      defaultReasoningEffort: info?.defaultEffort ?? efforts[0]?.effort ?? "medium",
      ...(info?.modalities ? { inputModalities: [...info.modalities] } : {}),
    };
  });

/** What the host declared, and after it what the catalog file has beside, where the host declared nothing. */
export const servedModels = (declared: readonly GatewayModel[], gateway: Pick<Gateway, "catalog">): GatewayModel[] =>
  declared.length > 0 ? [...declared] : [...gateway.catalog.keys()].map((id) => ({ id }));

/**
 * The models for a session on `gateway` (null: on Codex's own provider). One group for each source that it could be on,
 * Codex's own first (CAT-07, CAT-08); where threads cannot move, its own alone. `native` is Codex's catalog.
 */
export function sourcesOf(
  kind: ProviderKind,
  routing: Routing,
  gateway: Gateway | null,
  native: readonly Model[],
): ModelSources {
  const own = gateway === null ? native : modelsOf(gateway);
  if (routing.gateways.length === 0) {
    // A gateway that says nothing of its models is taken to serve Codex's.
    return flat(own.length > 0 ? own : native);
  }
  // Values are unique across groups: a model that Codex came to list later is the gateway's here (D-13).
  const free = native.filter(({ id }) => !routing.gateways.some((it) => serves(it, id)));
  const group = gateway?.id ?? nativeGroup.groupId;
  // A gateway that is gone is still the source of a session that could not be moved from it.
  const gone = gateway !== null && !routing.gateways.some(({ id }) => id === gateway.id) ? [gateway] : [];
  const groups = [
    { ...nativeGroup, models: free },
    ...[...routing.gateways, ...gone].map((it) => ({ groupId: it.id, name: it.name, models: modelsOf(it) })),
  ];
  return {
    own: gateway === null ? free : own,
    group,
    groups: kind === "moves" ? groups : groups.filter(({ groupId }) => groupId === group),
  };
}

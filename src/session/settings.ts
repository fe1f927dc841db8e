import type { SessionConfigOption } from "../generated/acp/types.js";
import type {
  Model,
  SandboxPolicy,
  ThreadSettings,
  ThreadStartResponse,
  TurnStartParams,
} from "../generated/codex/types.js";
import { type ConfigOptionId, configOptions, type ModeId } from "../generated/contract/tables.js";
import type { ModelSources } from "./routing/sources.js";

/** What a host can set on a session, as the bridge knows it. */
export interface SessionSettings {
  readonly mode: ModeId;
  /** Codex's name of the model; the option's value is the catalog's id (K-30). */
  readonly model: string;
  readonly effort: string | null;
  readonly collaboration: "default" | "plan";
  readonly fast: boolean;
}

export type Catalog = readonly Model[];

/** Why a value was not taken. */
export type Refusal = { readonly unknownOption: string } | { readonly allowed: readonly string[] };

type Row<Id extends ConfigOptionId> = Extract<(typeof configOptions)[number], { readonly configId: Id }>;

function row<Id extends ConfigOptionId>(id: Id): Row<Id> {
  const found = configOptions.find((option): option is Row<Id> => option.configId === id);
  if (!found) throw new Error(`no config option ${id}`);
  return found;
}

const modeRow = row("mode");
const collaborationRow = row("collaboration_mode");

export const modelOf = (settings: SessionSettings, catalog: Catalog): Model | undefined =>
  catalog.find(({ model }) => model === settings.model) ?? catalog.find(({ id }) => id === settings.model);

/** The tier that fast mode turns on; null when the model has none. */
export function fastTier(model: Model | undefined): string | null {
  const tier = model?.serviceTiers?.find(
    ({ id, name }) => id === "priority" || id === "fast" || name.toLowerCase() === "fast",
  );
  return tier?.id ?? (model?.additionalSpeedTiers?.includes("fast") ? "fast" : null);
}

/** The whole list, as every result and update carries it (CONF-01 to CONF-05, SESS-22). */
export function configOptionsOf(settings: SessionSettings, sources: ModelSources): SessionConfigOption[] {
  const model = modelOf(settings, sources.own);
  const options: SessionConfigOption[] = [
    { ...head("mode"), type: "select", currentValue: settings.mode, options: choices(modeRow.values) },
    {
      ...head("model"),
      type: "select",
      currentValue: model?.id ?? settings.model,
      options: modelOptions(settings, sources),
    },
  ];
  const efforts = effortsOf(settings, model);
  const [first] = efforts;
  if (first !== undefined) {
    const currentValue = settings.effort ?? model?.defaultReasoningEffort ?? first;
    options.push({
      ...head("effort"),
      type: "select",
      currentValue,
      options: efforts.map((value) => ({ value, name: value })),
    });
  }
  options.push({
    ...head("collaboration_mode"),
    type: "select",
    currentValue: settings.collaboration,
    options: choices(collaborationRow.values),
  });
  if (fastTier(model) !== null) options.push({ ...head("fast_mode"), type: "boolean", currentValue: settings.fast });
  return options;
}

function head(id: ConfigOptionId) {
  const { configId, name, description, category } = row(id);
  return { configId, name, description, category };
}

const choices = (values: readonly { readonly value: string; readonly name: string; readonly description: string }[]) =>
  values.map(({ value, name, description }) => ({ value, name, description }));

/** One list, or a group for each source that has models (CAT-07, CAT-08). */
function modelOptions(settings: SessionSettings, { own, group, groups }: ModelSources) {
  if (groups.length === 0) return modelChoices(settings, own);
  return groups
    .map(({ groupId, name, models }) => ({
      groupId,
      name,
      options: groupId === group ? modelChoices(settings, own) : visible(models),
    }))
    .filter(({ options }) => options.length > 0);
}

/** A source's visible models, and the current one whatever the source says (CONF-02). */
function modelChoices(settings: SessionSettings, catalog: Catalog) {
  const current = modelOf(settings, catalog);
  const listed = visible(catalog, current);
  return current ? listed : [{ value: settings.model, name: settings.model }, ...listed];
}

const visible = (models: Catalog, current?: Model) =>
  models
    .filter((model) => !model.hidden || model === current)
    .map(({ id, displayName, description }) => ({
      value: id,
      name: displayName,
      ...(description === "" ? {} : { description }),
    }));

function effortsOf(settings: SessionSettings, model: Model | undefined): string[] {
  const supported: string[] = (model?.supportedReasoningEfforts ?? []).map(({ reasoningEffort }) => reasoningEffort);
  return supported.length === 0 || settings.effort === null || supported.includes(settings.effort)
    ? supported
    : [settings.effort, ...supported];
}

/**
 * Settings with one option changed, or why not. Another model takes along only what it supports (CONF-06, CONF-07); it is
 * one of the source that the session is on.
 */
export function changeOption(
  settings: SessionSettings,
  sources: ModelSources,
  configId: string,
  value: unknown,
): { readonly settings: SessionSettings } | Refusal {
  const option = configOptionsOf(settings, sources).find((it) => it.configId === configId);
  if (!option) return { unknownOption: configId };
  const allowed = allowedValues(option);
  if (option.type === "boolean" ? typeof value !== "boolean" : typeof value !== "string" || !allowed.includes(value)) {
    return { allowed };
  }
  switch (option.configId as ConfigOptionId) {
    case "mode":
      return {
        settings: { ...settings, mode: modeRow.values.find((it) => it.value === value)?.value ?? settings.mode },
      };
    case "model":
      return { settings: withModel(settings, sources.own, String(value)) };
    case "effort":
      return { settings: { ...settings, effort: String(value) } };
    case "collaboration_mode":
      return { settings: { ...settings, collaboration: value === "plan" ? "plan" : "default" } };
    case "fast_mode":
      return { settings: { ...settings, fast: value === true } };
  }
}

/** Settings with another model, by its id in the catalog. */
export function withModel(settings: SessionSettings, catalog: Catalog, id: string): SessionSettings {
  const model = catalog.find((it) => it.id === id);
  if (!model) return { ...settings, model: id };
  const supported = model.supportedReasoningEfforts.some(({ reasoningEffort }) => reasoningEffort === settings.effort);
  return {
    ...settings,
    model: model.model,
    effort: supported
      ? settings.effort
      : model.supportedReasoningEfforts.length > 0
        ? model.defaultReasoningEffort
        : null,
    fast: settings.fast && fastTier(model) !== null,
  };
}

function allowedValues(option: SessionConfigOption): string[] {
  if (option.type === "boolean") return ["true", "false"];
  const list: unknown = "options" in option ? option.options : [];
  return Array.isArray(list) ? list.flatMap(valuesIn) : [];
}

/** The value of an option, or those of a group. */
function valuesIn(it: { readonly value?: unknown; readonly options?: unknown }): string[] {
  if (Array.isArray(it.options)) return it.options.flatMap(valuesIn);
  return typeof it.value === "string" ? [it.value] : [];
}

/** What Codex says of a thread it opened; the mode is the one whose sandbox it has. */
export function settingsOf(
  thread: Pick<ThreadStartResponse, "model" | "reasoningEffort" | "serviceTier" | "sandbox" | "approvalPolicy">,
  collaboration: SessionSettings["collaboration"] = "default",
): SessionSettings {
  return {
    mode: modeOfSandbox(thread.sandbox),
    model: thread.model,
    effort: thread.reasoningEffort ?? null,
    collaboration,
    fast: thread.serviceTier === "priority" || thread.serviceTier === "fast",
  };
}

/** What Codex says that a thread's settings are now, as after another client changed them. */
export const settingsOfUpdate = (settings: ThreadSettings): SessionSettings =>
  settingsOf(
    {
      model: settings.model,
      reasoningEffort: settings.effort ?? null,
      serviceTier: settings.serviceTier ?? null,
      sandbox: settings.sandboxPolicy,
      approvalPolicy: settings.approvalPolicy,
    },
    settings.collaborationMode.mode,
  );

/**
 * Settings after Codex reported `now` in the place of `held`: what changed there changes here, and what the host set
 * since then stays as it is wanted.
 */
export const followed = (wanted: SessionSettings, held: SessionSettings, now: SessionSettings): SessionSettings => ({
  mode: now.mode === held.mode ? wanted.mode : now.mode,
  model: now.model === held.model ? wanted.model : now.model,
  effort: now.effort === held.effort ? wanted.effort : now.effort,
  collaboration: now.collaboration === held.collaboration ? wanted.collaboration : now.collaboration,
  fast: now.fast === held.fast ? wanted.fast : now.fast,
});

export const sameSettings = (a: SessionSettings, b: SessionSettings): boolean =>
  a.mode === b.mode &&
  a.model === b.model &&
  a.effort === b.effort &&
  a.collaboration === b.collaboration &&
  a.fast === b.fast;

/** The mode whose sandbox it is. */
export function modeOfSandbox(sandbox: SandboxPolicy): ModeId {
  if (sandbox.type === "readOnly") return "read-only";
  return sandbox.type === "dangerFullAccess" ? "agent-full-access" : "agent";
}

/** The sandbox of a mode; `workspace` is the one that the thread was opened with, which knows its writable roots. */
function sandboxOf(mode: ModeId, workspace: SandboxPolicy | null): SandboxPolicy {
  if (mode === "read-only") return { type: "readOnly", networkAccess: false };
  if (mode === "agent-full-access") return { type: "dangerFullAccess" };
  if (workspace?.type === "workspaceWrite") return workspace;
  return {
    type: "workspaceWrite",
    writableRoots: [],
    networkAccess: false,
    excludeTmpdirEnvVar: false,
    excludeSlashTmp: false,
  };
}

/** What `turn/start` must say so that Codex's `held` settings become `wanted`; nothing that is so already (K-26, K-27). */
export function turnOverrides(
  held: SessionSettings,
  wanted: SessionSettings,
  catalog: Catalog,
  workspace: SandboxPolicy | null,
): Partial<TurnStartParams> {
  const codex = modeRow.values.find(({ value }) => value === wanted.mode)?.codex;
  const model = modelOf(wanted, catalog);
  const collaboration =
    wanted.collaboration !== held.collaboration ||
    (wanted.collaboration === "plan" && (wanted.model !== held.model || wanted.effort !== held.effort));
  return {
    ...(wanted.mode === held.mode || !codex
      ? {}
      : {
          approvalPolicy: codex.approvalPolicy,
          approvalsReviewer: codex.approvalsReviewer,
          sandboxPolicy: sandboxOf(wanted.mode, workspace),
        }),
    ...(wanted.model === held.model ? {} : { model: wanted.model }),
    ...(wanted.effort === held.effort || wanted.effort === null ? {} : { effort: wanted.effort }),
    // `null` would mean "unchanged": off has a name of its own.
    ...(wanted.fast === held.fast ? {} : { serviceTier: wanted.fast ? (fastTier(model) ?? "priority") : "default" }),
    ...(collaboration
      ? {
          collaborationMode: {
            mode: wanted.collaboration,
            settings: { model: wanted.model, reasoning_effort: wanted.effort, developer_instructions: null },
          },
        }
      : {}),
  };
}

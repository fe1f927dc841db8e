import type { SessionConfigOption } from "../generated/acp/types.js";
import type * as v1 from "../generated/acp-v1/types.js";
import type { Features } from "./features.js";
import { isType, metaOf } from "./known.js";

/** The names of the two values of a boolean, for hosts that know choices only. */
const choices = { on: true, off: false } as const;

type Group = Extract<Extract<SessionConfigOption, { type: "select" }>["options"], unknown[]>[number];

const isSelect = isType("select");
const isBoolean = isType("boolean");

/** The options in the words of version 1. */
export const optionsOf = (
  options: readonly SessionConfigOption[] | null | undefined,
  features: Features,
): v1.SessionConfigOption[] =>
  (options ?? []).flatMap((option): v1.SessionConfigOption[] => {
    const { configId, name, description, category } = option;
    const shared = {
      id: configId,
      name,
      ...(description == null ? {} : { description }),
      ...(category == null ? {} : { category }),
      ...metaOf(option),
    };
    if (isSelect(option)) {
      return [{ ...shared, type: "select", currentValue: option.currentValue, options: valuesOf(option.options) }];
    }
    if (!isBoolean(option)) return [];
    if (features.booleans) return [{ ...shared, type: "boolean", currentValue: option.currentValue }];
    return [
      {
        ...shared,
        type: "select",
        currentValue: option.currentValue ? "on" : "off",
        options: [
          { value: "on", name: "On" },
          { value: "off", name: "Off" },
        ],
      },
    ];
  });

function valuesOf(options: readonly Group[]): v1.SessionConfigSelectOptions {
  const groups = options.flatMap((it) => ("groupId" in it ? [it] : []));
  if (groups.length > 0) return groups.map(({ groupId, ...group }) => ({ ...group, group: groupId }));
  return options.flatMap((it) => ("groupId" in it ? [] : [it]));
}

/** The option that is the session's mode, in the words that hosts had for it before there were options. */
export function modesOf(options: readonly SessionConfigOption[] | null | undefined): v1.SessionModeState | null {
  const mode = (options ?? []).find(({ category }) => category === "mode");
  if (!mode || !isSelect(mode)) return null;
  const values = mode.options.flatMap((it) => ("groupId" in it ? it.options : [it]));
  return {
    currentModeId: mode.currentValue,
    availableModes: values.map(({ value, name, description }) => ({
      id: value,
      name,
      ...(description == null ? {} : { description }),
    })),
  };
}

/** What a session's options are to a host that opens it. */
export const openedOptions = (options: readonly SessionConfigOption[] | null | undefined, features: Features) => {
  const modes = modesOf(options);
  return {
    ...(modes === null ? {} : { modes }),
    ...(options == null ? {} : { configOptions: optionsOf(options, features) }),
  };
};

/** A value as draft v2 has it. An on or off for what is a choice there is left to the policy, which knows the values. */
export function settingOf(
  params: { readonly configId: string; readonly value: string | boolean },
  booleans: ReadonlySet<string>,
): { type: "boolean"; value: boolean } | { type: "id"; value: string } {
  if (typeof params.value === "boolean") return { type: "boolean", value: params.value };
  const { value } = params;
  if (booleans.has(params.configId) && (value === "on" || value === "off")) {
    return { type: "boolean", value: choices[value] };
  }
  return { type: "id", value };
}

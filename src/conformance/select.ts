import { isObject } from "../runtime/index.js";
import type { Feature } from "./format.js";
import type { CaseHead, Level, LoadedCase } from "./suite.js";

/** What cases of any suite are chosen by. */
export interface BasicSelection {
  /** Areas, in any case. Empty: all. */
  readonly areas: readonly string[];
  /** Names, where `*` stands for anything. Empty: all. */
  readonly names: readonly string[];
  /** Empty: all. */
  readonly levels: readonly Level[];
}

export interface Selection extends BasicSelection {
  readonly grounds: readonly LoadedCase["ground"][];
}

/** Whether `name` fits a pattern in which `*` stands for anything, `/` included. */
export const fits = (pattern: string, name: string): boolean =>
  new RegExp(`^${pattern.split("*").map(escapeText).join(".*")}$`, "u").test(name);

const escapeText = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/]/gu, "\\$&");

const within = <T>(list: readonly T[], one: T): boolean => list.length === 0 || list.includes(one);

export const select = <C extends CaseHead & { readonly ground?: LoadedCase["ground"] }>(
  cases: readonly C[],
  { areas, names, levels, grounds = [] }: BasicSelection & Partial<Selection>,
): C[] =>
  cases.filter(
    (one) =>
      within(areas, one.area) &&
      within(levels, one.level) &&
      (one.ground === undefined || within(grounds, one.ground)) &&
      (names.length === 0 || names.some((pattern) => fits(pattern, one.name))),
  );

/** What a features file says: whether the agent has a feature, whatever it advertises. */
export type Declared = Readonly<Record<string, boolean>>;

const memberAt = (value: unknown, path: string): unknown =>
  path
    .split(".")
    .reduce<unknown>((at, name) => (isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined), value);

/** Why the case cannot be asked of this agent; null when it can. */
export function whySkipped(
  { needs }: Pick<LoadedCase, "needs">,
  features: Readonly<Record<string, Feature>>,
  capabilities: unknown,
  declared: Declared,
): string | null {
  for (const name of needs) {
    const given = declared[name];
    if (given === false) return `the features file says it has no ${name}`;
    if (given === true) continue;
    const { capability } = features[name] ?? {};
    if (capability === undefined) continue;
    const claimed = memberAt(capabilities, capability);
    if (claimed === undefined || claimed === null || claimed === false) return `it does not claim ${capability}`;
  }
  return null;
}

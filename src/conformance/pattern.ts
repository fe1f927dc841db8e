import { isObject } from "../runtime/index.js";
import type { Pattern } from "./step-format.js";

/** Why a value is not what a pattern wants. */
export interface Mismatch {
  /** JSON pointer into the value. */
  readonly path: string;
  readonly expected: string;
  /** Undefined: nothing is there. */
  readonly got: unknown;
}

type Rule = (value: unknown, argument: unknown, path: string) => Mismatch[];

const shown = (value: unknown): string => JSON.stringify(value) ?? "nothing";

const pointer = (path: string, part: string | number): string =>
  `${path}/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`;

const unless = (good: boolean, path: string, expected: string, got: unknown): Mismatch[] =>
  good ? [] : [{ path, expected, got }];

/** JSON text with members in order, so that equal values have equal text. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  ) ?? "undefined";

const typeOf = (value: unknown): string => {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
};

const hasType = (value: unknown, type: unknown): boolean =>
  typeOf(value) === type || (type === "number" && typeof value === "number");

const patternsOf = (argument: unknown, rule: string): readonly unknown[] => {
  if (!Array.isArray(argument)) throw new Error(`${rule} takes a list of patterns`);
  return argument;
};

/** What may stand for a value, by name. */
export const rules: Readonly<Record<string, Rule>> = {
  /** Something, whatever it is. */
  $any: (value, _, path) => unless(value !== undefined, path, "something", value),
  /** The member is not there. */
  $absent: (value, _, path) => unless(value === undefined, path, "nothing", value),
  /** Text in which this regular expression finds something. */
  $like: (value, regex, path) =>
    unless(
      typeof value === "string" && new RegExp(String(regex), "u").test(value),
      path,
      `text like /${regex}/`,
      value,
    ),
  /** Not this. */
  $not: (value, pattern, path) => unless(mismatches(value, pattern).length > 0, path, `not ${shown(pattern)}`, value),
  /** One of these. */
  $in: (value, patterns, path) =>
    unless(
      patternsOf(patterns, "$in").some((pattern) => mismatches(value, pattern).length === 0),
      path,
      `one of ${shown(patterns)}`,
      value,
    ),
  /** All of these. */
  $all: (value, patterns, path) => patternsOf(patterns, "$all").flatMap((pattern) => mismatches(value, pattern, path)),
  /** This and no other member. */
  $exactly: (value, wanted, path) => unless(canonical(value) === canonical(wanted), path, shown(wanted), value),
  /** A list with an item for each of these. */
  $has: (value, patterns, path) =>
    patternsOf(patterns, "$has").flatMap((pattern) =>
      unless(
        Array.isArray(value) && value.some((item) => mismatches(item, pattern).length === 0),
        path,
        `an item like ${shown(pattern)}`,
        value,
      ),
    ),
  /** A list whose items are all so. */
  $each: (value, pattern, path) =>
    Array.isArray(value)
      ? value.flatMap((item, index) => mismatches(item, pattern, pointer(path, index)))
      : unless(false, path, "a list", value),
  /** The first item of a list. */
  $first: (value, pattern, path) =>
    Array.isArray(value) ? mismatches(value[0], pattern, pointer(path, 0)) : unless(false, path, "a list", value),
  /** How long a list or a text is. */
  $length: (value, pattern, path) =>
    typeof value === "string" || Array.isArray(value)
      ? mismatches(value.length, pattern, pointer(path, "length"))
      : unless(false, path, "a list or a text", value),
  $type: (value, type, path) =>
    unless(
      [type].flat().some((one) => hasType(value, one)),
      path,
      shown(type),
      value,
    ),
  $min: (value, least, path) =>
    unless(typeof value === "number" && value >= Number(least), path, `at least ${least}`, value),
  $max: (value, most, path) =>
    unless(typeof value === "number" && value <= Number(most), path, `at most ${most}`, value),
  /** The bytes that the base64 text means, as UTF-8. */
  $base64: (value, pattern, path) =>
    typeof value === "string"
      ? mismatches(Buffer.from(value, "base64").toString("utf8"), pattern, path)
      : unless(false, path, "base64 text", value),
};

const ruleOf = (given: unknown): readonly [rule: Rule, argument: unknown] | null => {
  const pattern = given === "$any" ? { $any: true } : given;
  if (!isObject(pattern)) return null;
  const [name, ...more] = Object.keys(pattern);
  if (name === undefined || more.length > 0 || !name.startsWith("$")) return null;
  const rule = rules[name];
  if (rule === undefined) throw new Error(`there is no rule ${name}; there are ${Object.keys(rules).join(", ")}`);
  return [rule, pattern[name]];
};

/** All that keeps `value` from being what `pattern` wants. Throws for a rule that does not exist. */
export function mismatches(value: unknown, pattern: Pattern, path = ""): Mismatch[] {
  const special = ruleOf(pattern);
  if (special !== null) return special[0](value, special[1], path);
  if (Array.isArray(pattern)) {
    if (!Array.isArray(value)) return unless(false, path, "a list", value);
    if (value.length !== pattern.length) {
      return unless(false, path, `${pattern.length} items: ${shown(pattern)}`, value);
    }
    return pattern.flatMap((item, index) => mismatches(value[index], item, pointer(path, index)));
  }
  if (isObject(pattern)) {
    if (!isObject(value)) return unless(false, path, `an object like ${shown(pattern)}`, value);
    return Object.entries(pattern).flatMap(([name, member]) =>
      mismatches(Object.hasOwn(value, name) ? value[name] : undefined, member, pointer(path, name)),
    );
  }
  return unless(value === pattern, path, shown(pattern), value);
}

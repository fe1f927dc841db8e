import { isObject } from "../runtime/index.js";
import type { Template } from "./step-format.js";

/** What the names in a template stand for. */
export type Bindings = Readonly<Record<string, unknown>>;

const reference = /\$\{([^}]+)\}/g;
const alone = /^\$\{([^}]+)\}$/;

/** A name that nothing has bound: the case is wrong. */
export class Unbound extends Error {
  override readonly name = "Unbound";
}

/** What a name stands for lacks the member: the agent said less than the case needs. */
export class Lacking extends Error {
  override readonly name = "Lacking";
}

/** Of a list, the item at an index, or with `member=text` the first whose member is this text. */
const itemOf = (list: readonly unknown[], name: string): unknown => {
  const [, member = "", text] = /^([^=]+)=(.*)$/.exec(name) ?? [];
  return text === undefined ? list[Number(name)] : list.find((item) => isObject(item) && item[member] === text);
};

const memberOf = (value: unknown, name: string): unknown => {
  if (Array.isArray(value)) return itemOf(value, name);
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
};

function lookUp(path: string, bindings: Bindings): unknown {
  const [name = "", ...members] = path.split(".");
  const bound = Object.hasOwn(bindings, name) ? bindings[name] : undefined;
  if (bound === undefined) throw new Unbound(`\${${path}} stands for nothing`);
  const value = members.reduce(memberOf, bound);
  if (value === undefined) throw new Lacking(`\${${path}} stands for nothing: ${JSON.stringify(bound).slice(0, 200)}`);
  return value;
}

/** `{"$text": [["ab", 2], ["c", 1]]}` is `ababc`: a long text that is not long in the file. */
export const longTextName = "$text";

function longText(template: Readonly<Record<string, unknown>>): string | null {
  const { [longTextName]: parts, ...others } = template;
  if (parts === undefined || Object.keys(others).length > 0) return null;
  if (!Array.isArray(parts) || !parts.every(isRepeat)) {
    throw new Error(`${longTextName} takes a list of [text, times], not ${JSON.stringify(parts)}`);
  }
  return parts.map(([text, times]) => text.repeat(times)).join("");
}

const isRepeat = (part: unknown): part is readonly [text: string, times: number] =>
  Array.isArray(part) && part.length === 2 && typeof part[0] === "string" && Number.isInteger(part[1]) && part[1] >= 0;

/** `template` with its references put in, and long texts written out. Throws `Unbound` or `Lacking`. */
export function fill(template: Template, bindings: Bindings): unknown {
  if (typeof template === "string") {
    const [, whole] = alone.exec(template) ?? [];
    if (whole !== undefined) return lookUp(whole, bindings);
    return template.replace(reference, (_, path: string) => {
      const value = lookUp(path, bindings);
      return typeof value === "string" ? value : JSON.stringify(value);
    });
  }
  if (Array.isArray(template)) return template.map((item) => fill(item, bindings));
  if (!isObject(template)) return template;
  const text = longText(template);
  if (text !== null) return text;
  return Object.fromEntries(
    Object.entries(template).map(([name, value]) => [String(fill(name, bindings)), fill(value, bindings)]),
  );
}

/** As `fill`, but leaves references to other names as they are. */
export function fillSome(template: Template, bindings: Bindings): unknown {
  if (typeof template === "string") {
    const known = (path: string): boolean => Object.hasOwn(bindings, path.split(".")[0] ?? "");
    const [, whole] = alone.exec(template) ?? [];
    if (whole !== undefined) return known(whole) ? lookUp(whole, bindings) : template;
    return template.replace(reference, (text, path: string) => (known(path) ? String(fill(text, bindings)) : text));
  }
  if (Array.isArray(template)) return template.map((item) => fillSome(item, bindings));
  if (!isObject(template)) return template;
  return Object.fromEntries(
    Object.entries(template).map(([name, value]) => [String(fillSome(name, bindings)), fillSome(value, bindings)]),
  );
}

/** The paths that a template refers to. */
export function referencesIn(template: Template): string[] {
  if (typeof template === "string") return [...template.matchAll(reference)].flatMap(([, path]) => path ?? []);
  if (Array.isArray(template)) return template.flatMap(referencesIn);
  return isObject(template) ? Object.entries(template).flat().flatMap(referencesIn) : [];
}

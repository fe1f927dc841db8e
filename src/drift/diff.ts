import { type Change, type ChangeKind, nameChanges } from "./change.js";
import { printShape } from "./print.js";
import {
  type Field,
  type ListShape,
  type Lookup,
  type ObjectShape,
  type RefShape,
  type ScalarShape,
  type Shape,
  union,
} from "./shape.js";
import { isTag, tagOf, variantsOf } from "./variants.js";

/** What differs in a definition itself, and the definitions that it leads to, old and new. */
export interface LocalDiff {
  readonly changes: readonly Change[];
  readonly children: readonly { readonly old: string; readonly now: string }[];
}

/** The definitions of both sides. */
export interface Sides {
  readonly old: Lookup;
  readonly now: Lookup;
  /** Whether the variants of the definition at this place are items of the protocol. */
  isItem(at: string): boolean;
}

/** Compares two definitions, up to the definitions that they refer to. */
export function diffDefinitions(old: Shape, now: Shape, name: string, sides: Sides): LocalDiff {
  const changes: Change[] = [];
  const children: { old: string; now: string }[] = [];
  const note = (subject: Change["subject"], change: ChangeKind, at: string, more: Partial<Change> = {}): void => {
    changes.push({ subject, change, at, ...more });
  };
  const type = (change: ChangeKind, at: string, one: Shape, other: Shape): void =>
    note("type", change, at, { was: printShape(one), now: printShape(other) });

  const shapes = (one: Shape, other: Shape, at: string): void => {
    if (one.is === "ref" && other.is === "ref") refs(one, other, at);
    else if (one.is === "any" || other.is === "never") {
      if (one.is !== other.is) type("narrowed", at, one, other);
    } else if (other.is === "any" || one.is === "never") type("widened", at, one, other);
    else if (one.is === "scalar" && other.is === "scalar") scalars(one, other, at);
    else if (one.is === "list" && other.is === "list") lists(one, other, at);
    else if (one.is === "object" && other.is === "object") objects(one, other, at);
    else if (one.is === "ref" || other.is === "ref") {
      if (!aliasChanges(one, other, at)) shapes(target(one, sides.old), target(other, sides.now), at);
    } else if (one.is === "union" || other.is === "union") {
      unions(one, other, at);
    } else type("retyped", at, one, other);
  };

  const refs = (one: RefShape, other: RefShape, at: string): void => {
    const [left, right] = [sides.old(one.to), sides.now(other.to)];
    // Another name for the same scalar: what the name promised may no longer hold.
    const renamed = one.to !== other.to && left.is === "scalar" && printShape(left) === printShape(right);
    if (renamed) type("retyped", at, one, other);
    else children.push({ old: one.to, now: other.to });
  };

  /** A scalar with a name of its own promises more than a bare one: that a path is absolute, say. */
  const aliasChanges = (one: Shape, other: Shape, at: string): boolean => {
    const [left, right] = [target(one, sides.old), target(other, sides.now)];
    if (left.is !== "scalar" || right.is !== "scalar") return false;
    if (printShape(left) === printShape(right)) type(one.is === "ref" ? "widened" : "narrowed", at, one, other);
    else scalars(left, right, at);
    return true;
  };

  const scalars = (one: ScalarShape, other: ScalarShape, at: string): void => {
    if (one.type !== other.type) {
      const numbers: { [pair: string]: ChangeKind } = { "integer number": "widened", "number integer": "narrowed" };
      type(numbers[`${one.type} ${other.type}`] ?? "retyped", at, one, other);
      return;
    }
    const { added, removed, renamed } = nameChanges(one.values.map(String), other.values.map(String), () => false);
    for (const it of added) note("value", "added", at, { now: it });
    for (const it of removed) if (!other.open) note("value", "removed", at, { was: it });
    for (const { from, to } of renamed) note("value", "renamed", at, { was: from, now: to });
    if (one.open === other.open) {
      if (one.open) limits(one, other, at);
      return;
    }
    const [open, closed] = [`any ${one.type}`, `one of ${(one.open ? other : one).values.length} values`];
    if (one.open) note("type", "narrowed", at, { was: open, now: closed });
    else note("type", "widened", at, { was: closed, now: open });
  };

  const limits = (one: ListShape | ScalarShape, other: ListShape | ScalarShape, at: string): void => {
    const change = limitChange(one, other);
    if (change !== null) type(change, at, one, other);
  };

  const lists = (one: ListShape, other: ListShape, at: string): void => {
    limits(one, other, at);
    shapes(one.of, other.of, `${at}[]`);
  };

  const objects = (one: ObjectShape, other: ObjectShape, at: string): void => {
    const alike = (from: string, to: string): boolean => sameField(one.fields.get(from), other.fields.get(to));
    const { added, removed, renamed } = nameChanges(one.fields.keys(), other.fields.keys(), alike);
    for (const it of added) {
      const field = other.fields.get(it);
      if (field) note("field", "added", `${at}.${it}`, { now: printShape(field.shape), needed: field.required });
    }
    for (const it of removed) {
      const field = one.fields.get(it);
      if (field) note("field", "removed", `${at}.${it}`, { was: printShape(field.shape), needed: field.required });
    }
    for (const { from, to } of renamed) {
      note("field", "renamed", `${at}.${to}`, { was: from, now: to });
      fields(one.fields.get(from), other.fields.get(to), `${at}.${to}`);
    }
    for (const [it, field] of one.fields) fields(field, other.fields.get(it), `${at}.${it}`);
    shapes(one.rest, other.rest, `${at}{}`);
  };

  const fields = (one: Field | undefined, other: Field | undefined, at: string): void => {
    if (one === undefined || other === undefined) return;
    if (one.required !== other.required) note("field", other.required ? "required" : "optional", at);
    shapes(one.shape, other.shape, at);
  };

  const unions = (was: Shape, now: Shape, at: string): void => {
    // A definition that both sides have among their members is compared by itself, under its own name.
    const [wasRefs, nowRefs] = [refsIn(was), refsIn(now)];
    const shared = wasRefs.filter((it) => nowRefs.includes(it));
    for (const name of shared) children.push({ old: name, now: name });
    const one = variantsOf(without(was, shared), sides.old);
    const other = variantsOf(without(now, shared), sides.now);
    const alike = (from: string, to: string): boolean => sameVariant(one.get(from), other.get(to), sides);
    const { added, removed, renamed } = nameChanges(one.keys(), other.keys(), alike);
    const subject = sides.isItem(at) ? "item" : "variant";
    for (const key of added) {
      if (isTag(key)) note(subject, "added", `${at}(${tagOf(key)})`);
      else note("type", "widened", at, { now: printShape(other.get(key) ?? now) });
    }
    for (const key of removed) {
      if (isTag(key)) note(subject, "removed", `${at}(${tagOf(key)})`);
      else note("type", "narrowed", at, { was: printShape(one.get(key) ?? was) });
    }
    for (const { from, to } of renamed) {
      note(subject, "renamed", `${at}(${tagOf(to)})`, { was: tagOf(from), now: tagOf(to) });
    }
    for (const [key, shape] of one) {
      const match = other.get(key);
      if (match !== undefined) shapes(shape, match, isTag(key) ? `${at}(${tagOf(key)})` : at);
    }
  };

  shapes(old, now, name);
  return { changes, children };
}

const refsIn = (shape: Shape): string[] => {
  if (shape.is === "ref") return [shape.to];
  return shape.is === "union" ? shape.of.flatMap(refsIn) : [];
};

const without = (shape: Shape, refs: readonly string[]): Shape =>
  union((shape.is === "union" ? shape.of : [shape]).filter((it) => !(it.is === "ref" && refs.includes(it.to))));

const target = (shape: Shape, lookup: Lookup): Shape => (shape.is === "ref" ? lookup(shape.to) : shape);

const sameField = (one: Field | undefined, other: Field | undefined): boolean =>
  one !== undefined &&
  other !== undefined &&
  one.required === other.required &&
  printShape(one.shape) === printShape(other.shape);

/** Objects with the same members beside their tags, and at least one of them. */
const sameVariant = (one: Shape | undefined, other: Shape | undefined, sides: Sides): boolean => {
  if (one === undefined || other === undefined) return false;
  const [left, right] = [members(target(one, sides.old)), members(target(other, sides.now))];
  return left !== "" && left === right;
};

const members = (shape: Shape): string => {
  if (shape.is !== "object") return "";
  const fields = [...shape.fields].filter(([, it]) => !(it.shape.is === "scalar" && it.shape.values.length === 1));
  return fields
    .map(([name, { shape: it, required }]) => `${name}${required ? "" : "?"}: ${printShape(it)}`)
    .sort()
    .join(", ");
};

const lower = ["minimum", "minItems", "minLength"];
const upper = ["maximum", "maxItems", "maxLength"];

/** Whether the limits let more or less through; `retyped` where that cannot be told. */
function limitChange(one: ListShape | ScalarShape, other: ListShape | ScalarShape): ChangeKind | null {
  const keywords = [...new Set([...Object.keys(one.limits), ...Object.keys(other.limits)])];
  const found = keywords.flatMap((keyword): ChangeKind[] => {
    const [was, now] = [one.limits[keyword], other.limits[keyword]];
    if (JSON.stringify(was) === JSON.stringify(now)) return [];
    if (was === undefined) return ["narrowed"];
    if (now === undefined) return ["widened"];
    if (typeof was !== "number" || typeof now !== "number") return ["retyped"];
    if (lower.includes(keyword)) return [now > was ? "narrowed" : "widened"];
    return upper.includes(keyword) ? [now < was ? "narrowed" : "widened"] : ["retyped"];
  });
  const [first] = found;
  if (first === undefined) return null;
  return found.every((it) => it === first) ? first : "retyped";
}

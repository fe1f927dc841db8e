import type { Field, Lookup, ObjectShape, Shape } from "./shape.js";
import { union } from "./shape.js";

/** The members of a union by what tells them apart: `tag:image`, `scalar:string`, `list`, `object`, `any`. */
export type Variants = ReadonlyMap<string, Shape>;

export const isTag = (key: string): boolean => key.startsWith("tag:");
export const tagOf = (key: string): string => key.slice("tag:".length);

const resolved = (shape: Shape, lookup: Lookup): Shape => {
  let found = shape;
  const seen = new Set<string>();
  while (found.is === "ref" && !seen.has(found.to)) {
    seen.add(found.to);
    found = lookup(found.to);
  }
  return found;
};

/** The one string that a field must hold. */
const fixedValue = (field: Field | undefined): string | null => {
  if (field === undefined || !field.required || field.shape.is !== "scalar" || field.shape.open) return null;
  const [value, ...others] = field.shape.values;
  return typeof value === "string" && others.length === 0 ? value : null;
};

/** The field that tells most of the objects apart by the one value it has in each. */
const tagField = (objects: readonly ObjectShape[]): string | null => {
  const counts = new Map<string, number>();
  for (const { fields } of objects) {
    for (const [name, field] of fields) {
      if (fixedValue(field) !== null) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? null;
};

/** The members of `shape`, which need not be a union, told apart. Objects that nothing tells apart become one. */
export function variantsOf(shape: Shape, lookup: Lookup): Variants {
  const members = flatMembers(shape, lookup);
  const objects = members.map((it) => resolved(it, lookup)).filter((it): it is ObjectShape => it.is === "object");
  const tag = tagField(objects);
  const found = new Map<string, Shape>();
  for (const member of members) {
    const key = keyOf(resolved(member, lookup), tag);
    const before = found.get(key);
    found.set(key, before === undefined ? member : merged(before, member, lookup));
  }
  return found;
}

/** A union that is a member of another is taken apart. */
const flatMembers = (shape: Shape, lookup: Lookup, open: ReadonlySet<string> = new Set()): readonly Shape[] => {
  if (shape.is === "union") return shape.of.flatMap((it) => flatMembers(it, lookup, open));
  if (shape.is !== "ref" || open.has(shape.to)) return [shape];
  const target = resolved(shape, lookup);
  return target.is === "union" ? flatMembers(target, lookup, new Set([...open, shape.to])) : [shape];
};

const keyOf = (shape: Shape, tag: string | null): string => {
  if (shape.is === "scalar") return `scalar:${shape.type}`;
  if (shape.is !== "object") return shape.is;
  const value = tag === null ? null : fixedValue(shape.fields.get(tag));
  if (value !== null) return `tag:${value}`;
  // The other usual form of a variant: one member, whose name is the tag.
  const [only, ...others] = shape.fields;
  const closed = shape.rest.is === "never" && only?.[1].required === true && others.length === 0;
  return closed ? `tag:${only[0]}` : "object";
};

/** Two members with one key as one: what both require is required. */
function merged(one: Shape, other: Shape, lookup: Lookup): Shape {
  const [a, b] = [resolved(one, lookup), resolved(other, lookup)];
  if (a.is === "list" && b.is === "list") return { ...a, of: union([a.of, b.of]) };
  if (a.is !== "object" || b.is !== "object") return union([a, b]);
  const names = new Set([...a.fields.keys(), ...b.fields.keys()]);
  const fields = [...names].map((name): [string, Field] => {
    const [left, right] = [a.fields.get(name), b.fields.get(name)];
    const shapes = [left, right].flatMap((it) => it?.shape ?? []);
    return [name, { shape: union(shapes), required: left?.required === true && right?.required === true }];
  });
  return { is: "object", fields: new Map(fields), rest: union([a.rest, b.rest]) };
}

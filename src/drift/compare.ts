import { type Change, type Direction, type MessageSubject, nameChanges } from "./change.js";
import { diffDefinitions, type LocalDiff, type Sides } from "./diff.js";
import { type Lookup, type Shape, shapeOf } from "./shape.js";
import { itemDefinition, type Message, type Protocol, type Surface } from "./surface.js";

/** A change and what it touches. */
export interface Drift extends Change {
  /** Which ways the changed schema travels; none for a change of a message itself. */
  readonly directions: readonly Direction[];
  /** The messages that carry it, with the ways it travels in each. */
  readonly carriers: readonly Carrier[];
}

export interface Carrier {
  readonly message: Message;
  readonly directions: readonly Direction[];
}

const subjectOf = ({ kind, from }: Message, protocol: Protocol): MessageSubject => {
  if (kind === "notification") return "notification";
  if (from === "us") return "request";
  return protocol === "codex" ? "server request" : "host request";
};

/** Everything that differs between two surfaces of one protocol, messages first. Throws when the protocols differ. */
export function compareSurfaces(old: Surface, now: Surface): Drift[] {
  if (old.protocol !== now.protocol) throw new Error(`${old.protocol} cannot be compared with ${now.protocol}`);
  const sides: Sides = {
    old: lookupIn(old),
    now: lookupIn(now),
    isItem: (at) => at === itemDefinition[now.protocol],
  };
  const pairs: { readonly old: Message; readonly now: Message }[] = [];
  const drifts: Drift[] = [];
  const note = (change: Change, message: Message): void => {
    drifts.push({ ...change, directions: [], carriers: [{ message, directions: [] }] });
  };
  for (const kind of ["request", "notification"] as const) {
    for (const from of ["us", "them"] as const) {
      const [before, after] = [old, now].map(
        ({ messages }) =>
          new Map(messages.filter((it) => it.kind === kind && it.from === from).map((it) => [it.method, it])),
      ) as [Map<string, Message>, Map<string, Message>];
      const alike = (one: string, other: string): boolean =>
        sameSignature(signature(before.get(one), sides.old), signature(after.get(other), sides.now));
      const { added, removed, renamed } = nameChanges(before.keys(), after.keys(), alike);
      for (const [method, message] of after) {
        const subject = subjectOf(message, now.protocol);
        const from = renamed.find(({ to }) => to === method)?.from;
        const match = before.get(from ?? method);
        if (added.includes(method)) note({ subject, change: "added", at: method }, message);
        if (from !== undefined) note({ subject, change: "renamed", at: method, was: from, now: method }, message);
        if (match === undefined) continue;
        pairs.push({ old: match, now: message });
        if (match.experimental === message.experimental) continue;
        note({ subject, change: message.experimental ? "experimental" : "stable", at: method }, message);
      }
      for (const method of removed) {
        const message = before.get(method);
        if (message) note({ subject: subjectOf(message, now.protocol), change: "removed", at: method }, message);
      }
    }
  }
  return [...drifts, ...schemaDrifts(pairs, sides)];
}

/** Where nothing is sent, anything may be left out: a message without params has an object without members. */
const noParams = "";

const lookupIn = ({ definitions }: Surface): Lookup => {
  const shapes = new Map<string, Shape>([[noParams, { is: "object", fields: new Map(), rest: { is: "any" } }]]);
  const lookup = (name: string): Shape => {
    const known = shapes.get(name);
    if (known !== undefined) return known;
    const shape = shapeOf(definitions[name], lookup);
    shapes.set(name, shape);
    return shape;
  };
  return lookup;
};

interface Found {
  readonly local: LocalDiff;
  readonly carriers: Map<string, { message: Message; directions: Set<Direction> }>;
}

/** Walks from the messages to all that they carry; each pair of definitions is compared once. */
function schemaDrifts(pairs: readonly { old: Message; now: Message }[], sides: Sides): Drift[] {
  const found = new Map<string, Found>();
  const walk = (old: string, now: string, message: Message, direction: Direction): void => {
    const open = [{ old, now }];
    const seen = new Set<string>();
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const key = `${next.old} ${next.now}`;
      if (seen.has(key)) continue;
      seen.add(key);
      const at = next.now === noParams ? `params of ${message.method}` : next.now;
      const entry = found.get(key) ?? {
        local: diffDefinitions(sides.old(next.old), sides.now(next.now), at, sides),
        carriers: new Map(),
      };
      found.set(key, entry);
      const carrier = entry.carriers.get(message.method) ?? { message, directions: new Set<Direction>() };
      entry.carriers.set(message.method, carrier);
      carrier.directions.add(direction);
      open.push(...entry.local.children);
    }
  };
  for (const { old, now } of pairs) {
    walk(old.params ?? noParams, now.params ?? noParams, now, now.from === "us" ? "sent" : "received");
    if (old.result === null || now.result === null) continue;
    walk(old.result, now.result, now, now.from === "us" ? "received" : "sent");
  }
  return [...found.values()].flatMap(({ local, carriers }) => {
    const all = [...carriers.values()].map((it): Carrier => ({ message: it.message, directions: [...it.directions] }));
    const directions = [...new Set(all.flatMap((it) => it.directions))];
    return local.changes.map((change) => ({ ...change, directions, carriers: all }));
  });
}

/** What a message carries at its first level; null when that is too little to know it again by. */
function signature(message: Message | undefined, lookup: Lookup): string | null {
  if (message === undefined) return null;
  const parts = [message.params, message.result].map((name) => (name === null ? [] : memberNames(lookup(name))));
  return parts.flat().length < 2 ? null : JSON.stringify(parts);
}

const memberNames = (shape: Shape): string[] => (shape.is === "object" ? [...shape.fields.keys()].sort() : []);

const sameSignature = (one: string | null, other: string | null): boolean => one !== null && one === other;

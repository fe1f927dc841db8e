import { describe, expect, test } from "vitest";
import type { ReportedChange } from "../../../src/drift/report.js";
import { changes, message, type Small } from "./small.js";

const told = ({ mark, subject, change, at, was, now }: ReportedChange): string =>
  [mark, subject, change, at, was === undefined && now === undefined ? "" : `${was ?? ""} -> ${now ?? ""}`]
    .join(" ")
    .trim();

/** What is told of one schema in place of another, on its way there and back. */
const ways = (old: unknown, now: unknown, more: { old?: Small["more"]; now?: Small["more"] } = {}) => {
  const field = (schema: unknown) => ({ type: "object", properties: { it: schema } });
  const sides = (way: "sent" | "received") =>
    changes({ [way]: field(old), more: more.old ?? {} }, { [way]: field(now), more: more.now ?? {} }).map(told);
  return { sent: sides("sent"), received: sides("received") };
};

const text = { type: "string" };
const object = (properties: object, required: string[] = []) => ({ type: "object", properties, required });
const tagged = (tag: string, properties: object = {}) =>
  object({ type: { type: "string", enum: [tag] }, ...properties }, ["type"]);

describe("messages", () => {
  const base = [message("used/one")];
  test.each([
    { what: "a new request", now: message("some/new"), want: ["undecided request added some/new"] },
    { what: "a new one with a row", now: message("unused/new"), want: ["other request added unused/new"] },
    { what: "a new one in use", now: message("used/new"), want: ["used request added used/new"] },
    {
      what: "a new server request",
      now: message("some/ask", { from: "them" }),
      want: ["undecided server request added some/ask"],
    },
    {
      what: "a new notification",
      now: message("some/word", { kind: "notification", from: "them", result: null }),
      want: ["undecided notification added some/word"],
    },
  ])("$what", ({ now, want }) => {
    expect(changes({ messages: base }, { messages: [...base, now] }).map(told)).toEqual(want);
  });

  test.each([
    { what: "one in use", old: message("used/gone"), want: ["breaks request removed used/gone"] },
    { what: "one not in use", old: message("unused/gone"), want: ["other request removed unused/gone"] },
    { what: "one nobody knows any more", old: message("gone"), want: ["other request removed gone"] },
    {
      what: "a notification in use",
      old: message("used/word", { kind: "notification", from: "them", result: null }),
      want: ["breaks notification removed used/word"],
    },
  ])("gone: $what", ({ old, want }) => {
    expect(changes({ messages: [...base, old] }, { messages: base }).map(told)).toEqual(want);
  });

  test("renamed: another name for what carries the same", () => {
    const more = { Many: object({ a: text, b: text, c: text }) };
    const named = (method: string) => ({ more, messages: [message(method, { params: "Many" })] });
    expect(changes(named("used/before"), named("used/after")).map(told)).toEqual([
      "breaks request renamed used/after used/before -> used/after",
    ]);
    expect(changes(named("used/two_words"), named("used/twoWords")).map(told)).toEqual([
      "breaks request renamed used/twoWords used/two_words -> used/twoWords",
    ]);
  });

  test("only for who opts in", () => {
    const hidden = { messages: [message("used/one", { experimental: true })] };
    expect(changes({ messages: base }, hidden).map(told)).toEqual(["used request experimental used/one"]);
    expect(changes(hidden, { messages: base }).map(told)).toEqual(["used request stable used/one"]);
  });

  test("params where there were none", () => {
    const none = { messages: [message("used/one", { params: null })] };
    expect(changes(none, { messages: base }).map(told)).toEqual(["breaks field added Sent.id  -> string"]);
    expect(changes({ messages: base }, none).map(told)).toEqual([
      "breaks field removed params of used/one.id string ->",
    ]);
  });
});

describe("fields", () => {
  test.each([
    {
      what: "an optional one is new",
      old: object({}),
      now: object({ a: text }),
      sent: ["used field added Sent.it.a  -> string"],
      received: ["used field added Received.it.a  -> string"],
    },
    {
      what: "a required one is new",
      old: object({}),
      now: object({ a: text }, ["a"]),
      sent: ["breaks field added Sent.it.a  -> string"],
      received: ["used field added Received.it.a  -> string"],
    },
    {
      what: "one is gone",
      old: object({ a: text }),
      now: object({}),
      sent: ["breaks field removed Sent.it.a string -> "],
      received: ["breaks field removed Received.it.a string -> "],
    },
    {
      what: "one is renamed",
      old: object({ first: text }),
      now: object({ second: text }),
      sent: ["breaks field renamed Sent.it.second first -> second"],
      received: ["breaks field renamed Received.it.second first -> second"],
    },
    {
      what: "one became required",
      old: object({ a: text }),
      now: object({ a: text }, ["a"]),
      sent: ["breaks field required Sent.it.a"],
      received: ["used field required Received.it.a"],
    },
    {
      what: "one became optional",
      old: object({ a: text }, ["a"]),
      now: object({ a: text }),
      sent: ["used field optional Sent.it.a"],
      received: ["breaks field optional Received.it.a"],
    },
  ])("$what", ({ old, now, sent, received }) => {
    const trimmed = (lines: string[]) => lines.map((it) => it.trim());
    expect(ways(old, now)).toEqual({ sent: trimmed(sent), received: trimmed(received) });
  });
});

describe("values and types", () => {
  const words = (...values: string[]) => ({ type: "string", enum: values });
  test.each([
    {
      what: "a new value",
      old: words("a"),
      now: words("a", "b"),
      change: "value added",
      sent: "used",
      back: "undecided",
    },
    {
      what: "a value gone",
      old: words("a", "b"),
      now: words("a"),
      change: "value removed",
      sent: "breaks",
      back: "used",
    },
    {
      what: "a value renamed",
      old: words("two_words"),
      now: words("twoWords"),
      change: "value renamed",
      sent: "breaks",
      back: "breaks",
    },
    { what: "any string", old: words("a", "b"), now: text, change: "type widened", sent: "used", back: "breaks" },
    { what: "some strings", old: text, now: words("a", "b"), change: "type narrowed", sent: "breaks", back: "used" },
    {
      what: "null too",
      old: text,
      now: { type: ["string", "null"] },
      change: "type widened",
      sent: "used",
      back: "breaks",
    },
    {
      what: "no null",
      old: { type: ["string", "null"] },
      now: text,
      change: "type narrowed",
      sent: "breaks",
      back: "used",
    },
    {
      what: "another type",
      old: text,
      now: { type: "boolean" },
      change: "type retyped",
      sent: "breaks",
      back: "breaks",
    },
    {
      what: "fractions",
      old: { type: "integer" },
      now: { type: "number" },
      change: "type widened",
      sent: "used",
      back: "breaks",
    },
    { what: "anything", old: text, now: true, change: "type widened", sent: "used", back: "breaks" },
    {
      what: "a lower limit",
      old: { type: "integer", maximum: 9 },
      now: { type: "integer", maximum: 5 },
      change: "type narrowed",
      sent: "breaks",
      back: "used",
    },
    {
      what: "other items",
      old: { type: "array", items: text },
      now: { type: "array", items: { type: "object" } },
      change: "type retyped",
      sent: "breaks",
      back: "breaks",
    },
  ])("$what", ({ old, now, change, sent, back }) => {
    const found = ways(old, now);
    expect(found.sent.map((it) => it.split(" ").slice(0, 3).join(" "))).toEqual(
      expect.arrayContaining([`${sent} ${change}`]),
    );
    expect(found.received.map((it) => it.split(" ").slice(0, 3).join(" "))).toEqual(
      expect.arrayContaining([`${back} ${change}`]),
    );
  });

  test("a scalar whose name promised something", () => {
    const more = { AbsolutePath: text, AnyPath: text };
    const [absolute, any] = [{ $ref: "#/definitions/AbsolutePath" }, { $ref: "#/definitions/AnyPath" }];
    expect(ways(absolute, any, { old: more, now: more }).received).toEqual([
      "breaks type retyped Received.it AbsolutePath -> AnyPath",
    ]);
    expect(ways(absolute, text, { old: more, now: more }).received).toEqual([
      "breaks type widened Received.it AbsolutePath -> string",
    ]);
  });

  test("another name for the same object is no change", () => {
    const refs = ["Before", "After"].map((name) => ({ $ref: `#/definitions/v2/${name}` }));
    const more = { old: { Before: object({ a: text }) }, now: { After: object({ a: text }) } };
    expect(ways(refs[0], refs[1], more)).toEqual({ sent: [], received: [] });
  });

  test("a definition that holds itself", () => {
    const tree = (more: object) => ({
      Tree: object({ of: { type: "array", items: { $ref: "#/definitions/Tree" } }, ...more }),
    });
    const ref = { $ref: "#/definitions/Tree" };
    expect(ways(ref, ref, { old: tree({}), now: tree({ a: text }) }).received).toEqual([
      "used field added Tree.a  -> string",
    ]);
  });
});

describe("variants", () => {
  const union = (...variants: unknown[]) => ({ oneOf: variants });
  test.each([
    {
      what: "a new one",
      old: union(tagged("a"), tagged("b")),
      now: union(tagged("a"), tagged("b"), tagged("c")),
      sent: ["used variant added Sent.it(c)"],
      received: ["undecided variant added Received.it(c)"],
    },
    {
      what: "one gone",
      old: union(tagged("a"), tagged("b"), tagged("c")),
      now: union(tagged("a"), tagged("b")),
      sent: ["breaks variant removed Sent.it(c)"],
      received: ["used variant removed Received.it(c)"],
    },
    {
      what: "one renamed",
      old: union(tagged("a"), tagged("before", { x: text })),
      now: union(tagged("a"), tagged("after", { x: text })),
      sent: ["breaks variant renamed Sent.it(after) before -> after"],
      received: ["breaks variant renamed Received.it(after) before -> after"],
    },
    {
      what: "one in two forms",
      old: union(tagged("a"), object({ type: { enum: ["b"], type: "string" }, url: text }, ["type", "url"])),
      now: union(
        tagged("a"),
        object({ type: { enum: ["b"], type: "string" }, url: text }, ["type", "url"]),
        object({ type: { enum: ["b"], type: "string" }, file: text }, ["type", "file"]),
      ),
      sent: ["used field added Sent.it(b).file  -> string", "used field optional Sent.it(b).url"],
      received: ["breaks field optional Received.it(b).url", "used field added Received.it(b).file  -> string"],
    },
    {
      what: "a member whose name is the tag",
      old: union({ type: "string", enum: ["x"] }, { ...object({ a: text }, ["a"]), additionalProperties: false }),
      now: union(
        { type: "string", enum: ["x"] },
        { ...object({ a: text }, ["a"]), additionalProperties: false },
        { ...object({ b: text }, ["b"]), additionalProperties: false },
      ),
      sent: ["used variant added Sent.it(b)"],
      received: ["undecided variant added Received.it(b)"],
    },
  ])("$what", ({ old, now, sent, received }) => {
    expect(ways(old, now)).toEqual({ sent, received });
  });

  test.each([
    { what: "a new one with a row", type: "known", mark: "used" },
    { what: "a new one without", type: "new", mark: "undecided" },
  ])("of items: $what", ({ type, mark }) => {
    const items = (...types: string[]) => ({ ThreadItem: union(...types.map((it) => tagged(it))) });
    const ref = { $ref: "#/definitions/ThreadItem" };
    const found = ways(ref, ref, { old: items("a", "b"), now: items("a", "b", type) });
    expect(found.received).toEqual([`${mark} item added ThreadItem(${type})`]);
  });
});

test("what only unused messages carry is not ours", () => {
  const more = (properties: object) => ({ more: { Other: object(properties) } });
  expect(changes(more({ a: text }), more({})).map(told)).toEqual(["other field removed Other.a string ->"]);
});

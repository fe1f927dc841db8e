import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../codegen/json.js";
import { codexDefinitions, flatten, normaliseSchema } from "../../../codegen/model/normalise.js";

const lastPart = (ref: string): string => ref.split("/").at(-1) ?? "";

interface Row {
  readonly name: string;
  readonly prevents: string;
  readonly given: JsonObject;
  readonly want: JsonObject;
  /** Values that must be judged alike before and after. `#/definitions/Named` is `{ type: object, required: [n] }`. */
  readonly values: readonly unknown[];
}

const Named = { type: "object", required: ["n"], properties: { n: { type: "number" } } };

const rows: readonly Row[] = [
  {
    name: "inline titles go, properties called title stay",
    prevents: "types named after a title, and a lost property",
    given: { title: "Foo", type: "object", properties: { title: { type: "string", title: "FooTitle" } } },
    want: { type: "object", properties: { title: { type: "string" } } },
    values: [{ title: "x" }, { title: 1 }, 3],
  },
  {
    name: "a $ref with a description moves into an allOf",
    prevents: "a numbered copy of the referenced type",
    given: { properties: { a: { $ref: "#/definitions/v2/Named", description: "A" } } },
    want: { properties: { a: { description: "A", allOf: [{ $ref: "#/definitions/Named" }] } } },
    values: [{ a: { n: 1 } }, { a: {} }, { a: null }],
  },
  {
    name: "a wrapper around one schema goes",
    prevents: "an alias of an alias",
    given: { items: { allOf: [{ $ref: "#/$defs/Named" }] } },
    want: { items: { $ref: "#/definitions/Named" } },
    values: [[{ n: 1 }], [{}]],
  },
  {
    name: "a union takes the node's own properties into its members",
    prevents: "Foo and Foo1, where Foo1 is the union alone",
    given: {
      description: "Either",
      type: "object",
      properties: { id: { type: "string" } },
      required: ["id"],
      oneOf: [
        { type: "object", properties: { kind: { const: "a" } }, required: ["kind"] },
        { type: "object", properties: { kind: { const: "b" }, b: { type: "number" } }, required: ["kind", "b"] },
      ],
    },
    want: {
      description: "Either",
      oneOf: [
        { type: "object", properties: { id: { type: "string" }, kind: { const: "a" } }, required: ["id", "kind"] },
        {
          type: "object",
          properties: { id: { type: "string" }, kind: { const: "b" }, b: { type: "number" } },
          required: ["id", "kind", "b"],
        },
      ],
    },
    values: [{ id: "1", kind: "a" }, { kind: "a" }, { id: "1", kind: "b" }, { id: "1", kind: "b", b: 2 }, { id: "1" }],
  },
  {
    name: "a member with a property of the same name keeps both conditions",
    prevents: "a condition lost in the merge",
    given: {
      type: "object",
      properties: { kind: { type: "string" } },
      anyOf: [{ properties: { kind: { const: "a" } }, required: ["kind"] }],
    },
    want: {
      allOf: [
        { properties: { kind: { const: "a" } }, required: ["kind"] },
        { type: "object", properties: { kind: { type: "string" } } },
      ],
    },
    values: [{ kind: "a" }, { kind: "b" }, {}, 1],
  },
  {
    name: "a member that is a $ref is joined, not merged",
    prevents: "the referenced type printed a second time",
    given: {
      type: "object",
      properties: { id: { type: "string" } },
      anyOf: [{ description: "One", allOf: [{ $ref: "#/definitions/Named" }] }, { type: "object" }],
    },
    want: {
      anyOf: [
        {
          description: "One",
          allOf: [{ $ref: "#/definitions/Named" }, { type: "object", properties: { id: { type: "string" } } }],
        },
        { type: "object", properties: { id: { type: "string" } } },
      ],
    },
    values: [{ id: "1", n: 1 }, { id: 1, n: 1 }, {}, null],
  },
  {
    name: "properties beside an allOf become a part of it",
    prevents: "Foo and Foo1 for the two halves",
    given: {
      type: "object",
      properties: { type: { const: "t" } },
      required: ["type"],
      allOf: [{ $ref: "#/definitions/Named" }],
    },
    want: {
      allOf: [
        { $ref: "#/definitions/Named" },
        { type: "object", properties: { type: { const: "t" } }, required: ["type"] },
      ],
    },
    values: [{ type: "t", n: 1 }, { type: "t" }, { n: 1 }],
  },
  {
    name: "a union beside closed properties stays a union beside them",
    prevents: "members that allow what the closed node forbids",
    given: {
      type: "object",
      properties: { id: { type: "string" } },
      additionalProperties: false,
      anyOf: [{ required: ["id"] }, { required: ["x"] }],
    },
    want: {
      allOf: [
        { anyOf: [{ required: ["id"] }, { required: ["x"] }] },
        { type: "object", properties: { id: { type: "string" } }, additionalProperties: false },
      ],
    },
    values: [{ id: "1" }, { x: 1 }, {}, { id: "1", x: 1 }],
  },
  {
    name: "properties without a type do not make a member an object",
    prevents: "values refused that were no objects before either",
    given: { properties: { a: { type: "string" } }, anyOf: [{ properties: { b: { type: "string" } } }] },
    want: { properties: { a: { type: "string" }, b: { type: "string" } } },
    values: [1, { a: 1 }, { b: 1 }, { a: "1", b: "1" }],
  },
  {
    name: "integers of odd formats stay as they are",
    prevents: "a bound that only some emitters see",
    given: { type: "integer", format: "uint32", minimum: 0 },
    want: { type: "integer", format: "uint32", minimum: 0 },
    values: [-1, 0, 1.5],
  },
  {
    name: "data is no schema",
    prevents: "defaults and enums rewritten because they look like schemas",
    given: { default: { title: "T", $ref: "x" }, enum: [{ title: "T" }] },
    want: { default: { title: "T", $ref: "x" }, enum: [{ title: "T" }] },
    values: [{ title: "T" }, {}],
  },
];

const judge = (schema: JsonObject) => {
  const ajv = new Ajv({ strict: false, validateFormats: false });
  const definitions = { Named, v2: { Named } };
  return ajv.compile({ definitions, $defs: { Named }, allOf: [schema] });
};

describe("normaliseSchema", () => {
  test.each(rows)("$name (prevents: $prevents)", ({ given, want, values }) => {
    const before = structuredClone(given);
    const got = normaliseSchema(given, lastPart);
    expect(got).toEqual(want);
    expect(given).toEqual(before);
    const verdicts = (schema: JsonObject): boolean[] => {
      const validate = judge(schema);
      return values.map((value) => validate(value));
    };
    expect(verdicts(got)).toEqual(verdicts(given));
    expect(new Set(verdicts(given)).size, "the values must tell right from wrong").toBe(2);
  });

  test("is done after one pass", () => {
    for (const { want } of rows) expect(normaliseSchema(want, lastPart)).toEqual(want);
  });

  test("refuses what it cannot take apart", () => {
    expect(() => normaliseSchema({ type: "object", unevaluatedProperties: false }, lastPart)).toThrow(
      /unevaluatedProperties is not supported/,
    );
  });
});

describe("one namespace of several", () => {
  const bundle = (root: JsonObject, v2: JsonObject): JsonObject => ({ definitions: { ...root, v2 } });
  const none = { definitions: {} };

  test("root and v2 names stand side by side, refs to either are found", () => {
    const got = codexDefinitions(
      bundle({ A: { $ref: "#/definitions/v2/B" } }, { B: { properties: { a: { $ref: "#/definitions/A" } } } }),
      { definitions: { C: { $ref: "#/definitions/A" } } },
    );
    expect(Object.fromEntries(got)).toEqual({
      A: { $ref: "#/definitions/B" },
      B: { properties: { a: { $ref: "#/definitions/A" } } },
      C: { $ref: "#/definitions/A" },
    });
  });

  test("a name in both is one definition when they agree but for titles", () => {
    const got = codexDefinitions(bundle({ Id: { title: "Id", type: "string" } }, { Id: { type: "string" } }), none);
    expect([...got.keys()]).toEqual(["Id"]);
  });

  test("a name in both is an error when they differ", () => {
    expect(() => codexDefinitions(bundle({ Id: { type: "string" } }, { Id: { type: "number" } }), none)).toThrow(
      "two namespaces define Id, and not alike",
    );
  });

  test("a $ref that leads elsewhere is an error", () => {
    expect(() => flatten([{ A: { $ref: "other.json#/definitions/B" } }])).toThrow(/\$ref of a form not known/);
  });
});

import { Ajv } from "ajv";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  arbitraryFrom,
  arbitraryOf,
  type JsonSchema,
  mutationsOf,
  satisfies,
  variantOf,
} from "../../../src/testing/schema/index.js";
import { rows, shared } from "../codegen/parser-rows.js";

const definitions = Object.fromEntries(shared);

const ajv = new Ajv({ strict: false, validateFormats: false, ownProperties: true });
ajv.addSchema({ $id: "shared", definitions });
const inMemory = (schema: JsonSchema) => ajv.compile({ ...schema, definitions });

describe.each(rows)("$given", ({ schema, valid, faults }) => {
  it("is checked as a validator would", () => {
    expect(valid.filter((value) => !satisfies(value, schema, definitions))).toEqual([]);
    expect(faults.filter(([value]) => satisfies(value, schema, definitions))).toEqual([]);
  });

  it("is drawn as ajv wants it", () => {
    const validate = inMemory(schema);
    fc.assert(
      fc.property(arbitraryOf({ schema, definitions }), (value) => {
        expect({ value, ok: validate(value) }).toEqual({ value, ok: true });
      }),
      { numRuns: 50 },
    );
  });

  it("is broken in ways that ajv sees too, one place at a time", () => {
    const validate = inMemory(schema);
    const isJudged = !JSON.stringify(schema).includes('"format"');
    for (const value of valid) {
      for (const mutation of mutationsOf({ schema, definitions }, value)) {
        if (isJudged) expect({ ...mutation, ok: validate(mutation.value) }).toEqual({ ...mutation, ok: false });
        expect(mutation.value).not.toEqual(value);
      }
    }
  });
});

describe("mutations", () => {
  const summary = (schema: JsonSchema, value: unknown): string[] =>
    mutationsOf({ schema, definitions }, value).map(({ path, fault }) => `${path}: ${fault}`);

  const object = {
    type: "object",
    properties: { id: { type: "string" }, kind: { enum: ["a", 1] }, n: { type: "integer", minimum: 1, maximum: 5 } },
    required: ["id"],
    additionalProperties: false,
  };

  it("are of every kind, each at its place", () => {
    const found = summary(object, { id: "x", kind: "a", n: 2 });
    expect(found).toEqual(
      expect.arrayContaining([
        ": array in place of a value",
        ": without id",
        "/id: number in place of a value",
        "/kind: a value that is not listed",
        "/n: below 1",
        "/n: above 5",
        "/n: number in place of a value",
        "/x-extra: a member too many",
      ]),
    );
    expect(found).not.toContain(": without kind");
  });

  it("leave out what another branch of a union allows", () => {
    const union = { anyOf: [{ type: "integer", maximum: 5 }, { type: "string" }] };
    expect(summary(union, 3)).toEqual([
      ": null in place of a value",
      ": boolean in place of a value",
      ": number in place of a value",
      ": array in place of a value",
      ": object in place of a value",
      ": above 5",
    ]);
  });

  it("reach into lists, maps and what is referred to", () => {
    const list = { type: "array", items: { $ref: "#/definitions/Text" }, minItems: 1 };
    expect(summary(list, [{ text: "" }])).toEqual(
      expect.arrayContaining([": fewer than 1 items", "/0: without text", "/0/text: null in place of a value"]),
    );
    expect(summary({ additionalProperties: { type: "null" } }, { "a/b": null })).toContain(
      "/a~1b: string in place of a value",
    );
  });

  it("change nothing in the instance", () => {
    const value = { id: "x", n: 2 };
    mutationsOf({ schema: object, definitions }, value);
    expect(value).toEqual({ id: "x", n: 2 });
  });
});

describe("arbitraries", () => {
  it("end for a schema that contains itself", () => {
    const [value] = fc.sample(arbitraryFrom(definitions, { depth: 2 })("Node"), { numRuns: 1, seed: 1 });
    expect(satisfies(value, { $ref: "#/definitions/Node" }, definitions)).toBe(true);
  });

  it("draw optional and unnamed members sometimes, required ones always", () => {
    const schema = { type: "object", properties: { a: { type: "null" }, b: { type: "null" } }, required: ["a"] };
    const names = fc.sample(arbitraryOf<object>({ schema, definitions }), { numRuns: 200, seed: 1 }).map(Object.keys);
    expect(names.every((it) => it.includes("a"))).toBe(true);
    expect(new Set(names.map((it) => it.includes("b")))).toEqual(new Set([true, false]));
    expect(names.some((it) => it.some((name) => name !== "a" && name !== "b"))).toBe(true);
  });

  it("refuse a schema that nothing satisfies", () => {
    expect(() => arbitraryOf({ schema: { allOf: [{ const: 1 }, { const: 2 }] }, definitions })).toThrow("nothing");
  });

  it("refuse a keyword they do not know", () => {
    const drawn = arbitraryOf({ schema: { type: "string", colour: "red" }, definitions });
    expect(() => fc.sample(drawn, 1)).toThrow("colour");
  });

  it("draw one branch of a union told apart by type", () => {
    const shape = (type: string) => ({ type: "object", properties: { type: { const: type } }, required: ["type"] });
    const union = { Shape: { oneOf: [shape("round"), shape("square")] } };
    const of = variantOf<{ type: "round" } | { type: "square" }>()(union, "Shape");
    expect(new Set(fc.sample(of("square"), 20).map(({ type }) => type))).toEqual(new Set(["square"]));
  });
});

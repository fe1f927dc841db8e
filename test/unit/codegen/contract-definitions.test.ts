import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../codegen/json.js";
import type { MetaFile, MethodRow } from "../../../codegen/model/contract.js";
import { contractDefinitions, resolveContractRef } from "../../../codegen/model/contract-definitions.js";
import { flatten } from "../../../codegen/model/normalise.js";
import { methodRow } from "./small-model.js";

const meta: MetaFile = {
  carriers: [
    {
      carrier: "thing/new params",
      direction: "host-to-agent",
      namespaces: {
        codex: { mode: { schema: { $ref: "#/$defs/Mode" }, implemented: true, clauses: [], doc: "Mode." } },
      },
    },
    {
      carrier: "thing/new result",
      direction: "agent-to-host",
      namespaces: {
        codex: { warm: { schema: { type: "boolean" }, implemented: true, clauses: [], doc: "Warm." } },
      },
    },
  ],
  $defs: { Mode: { enum: ["a", "b"] } },
};

const metaMark = { type: ["object", "null"], "x-deserialize-default-on-error": true, additionalProperties: true };

const acp = flatten([
  {
    NewThing: {
      type: "object",
      properties: {
        path: { $ref: "#/$defs/Path" },
        block: { $ref: "#/$defs/Block" },
        servers: { type: "array", items: { type: "string" }, "x-deserialize-default-on-null": true },
        _meta: metaMark,
      },
      required: ["path"],
      "x-method": "thing/new",
    },
    NewThingResult: { type: "object", properties: { block: { $ref: "#/$defs/Block" }, _meta: metaMark } },
    Path: { type: "string" },
    Block: {
      type: "object",
      properties: { kind: { type: "string", description: "Kind.", "x-deserialize-default-on-error": true } },
    },
    Either: {
      anyOf: [
        { type: "object", properties: { a: { type: "string" }, _meta: metaMark }, required: ["a"] },
        { allOf: [{ $ref: "#/$defs/NewThing" }, { type: "object", properties: { b: { const: 1 } }, required: ["b"] }] },
      ],
    },
    Unused: { type: "string" },
  },
]);

const codex = flatten([{ Answer: { type: "object", properties: { n: { type: "integer", format: "int64" } } } }]);

const schemaFiles = new Map<string, JsonObject>([
  [
    "thing.schema.json",
    {
      $defs: {
        ThingParams: { type: "object", properties: { block: { $ref: "../acp/schema.unstable.json#/$defs/Block" } } },
        Wrapped: {
          type: "object",
          properties: { answer: { $ref: "../codex/protocol.schema.json#/definitions/v2/Answer" } },
        },
      },
    },
  ],
  ["other.schema.json", { $defs: { Outer: { type: "array", items: { $ref: "./thing.schema.json#/$defs/Wrapped" } } } }],
]);

const build = (...methods: MethodRow[]) => contractDefinitions({ acp, codex, schemaFiles, methods: { methods }, meta });

const thingNew = methodRow({
  method: "thing/new",
  name: "thingNew",
  params: "acp:NewThing",
  result: "acp:NewThingResult",
  metaParams: "thing/new params",
  metaResult: "thing/new result",
});

const validator = (definitions: ReadonlyMap<string, JsonObject>, name: string) => {
  const ajv = new Ajv({ strict: false, validateFormats: false });
  return ajv.compile({ definitions: Object.fromEntries(definitions), $ref: `#/definitions/${name}` });
};

describe("effective params", () => {
  const validate = validator(build(thingNew), "ThingNewParams");

  test.each<[value: unknown, valid: boolean, why: string]>([
    [{ path: "/" }, true, "what the draft asks for"],
    [{}, false, "a required member is missing"],
    [{ path: "/", _meta: null }, true, "a null _meta is an absent one"],
    [{ path: "/", _meta: "nonsense" }, true, "a malformed _meta counts as absent"],
    [{ path: "/", _meta: { other: 1, codex: { other: 2, mode: "a" } } }, true, "unknown keys are the host's business"],
    [{ path: "/", _meta: { codex: { mode: "c" } } }, false, "our own key, and wrong"],
    [{ path: "/", _meta: { codex: "nonsense" } }, false, "our own namespace, and wrong"],
    [{ path: "/", block: { kind: 7 } }, true, "default-on-error, also further down"],
    [{ path: "/", block: 7 }, false, "no mark there"],
    [{ path: "/", servers: null }, true, "default-on-null"],
    [{ path: "/", servers: [7] }, false, "default-on-null says nothing of wrong values"],
  ])("%j: %s (%s)", (value, valid) => {
    expect(validate(value)).toBe(valid);
  });

  test("a fault in _meta has its own path", () => {
    validate({ path: "/", _meta: { codex: { mode: "c" } } });
    expect(validate.errors?.map((it) => it.instancePath)).toEqual(["/_meta/codex/mode"]);
  });

  test("keep what a lenient place is meant to hold", () => {
    const block = build(thingNew).get("acp.Block.lenient");
    expect(block?.["properties"]).toEqual({ kind: { description: "Kind.", "x-lenient": { type: "string" } } });
  });

  test("a union and an allOf get the _meta where they have one", () => {
    const either = methodRow({ ...thingNew, params: "acp:Either", result: "empty", metaResult: "thing/new result" });
    const check = validator(build(either), "ThingNewParams");
    expect(check({ a: "1", _meta: { codex: { mode: "a" } } })).toBe(true);
    expect(check({ a: "1", _meta: { codex: { mode: "c" } } })).toBe(false);
    expect(check({ path: "/", b: 1, _meta: { codex: { mode: "c" } } })).toBe(false);
  });
});

describe("effective results", () => {
  const validate = validator(build(thingNew), "ThingNewResult");

  test.each<[value: unknown, valid: boolean, why: string]>([
    [{}, true, "nothing is required"],
    [{ _meta: null }, true, "a null _meta is an absent one"],
    [{ _meta: { codex: { warm: true } } }, true, "our own key"],
    [{ _meta: { codex: { warn: true } } }, false, "a misspelt key of our own"],
    [{ _meta: "nonsense" }, false, "what we send is held to the letter"],
    [{ block: { kind: 7 } }, false, "also where a receiver would shrug"],
  ])("%j: %s (%s)", (value, valid) => {
    expect(validate(value)).toBe(valid);
  });
});

describe("the set of definitions", () => {
  const names = (...methods: MethodRow[]): string[] => [...build(...methods).keys()];

  test("holds what is reached, the captures' under prefixes, and nothing else", () => {
    const carriers = ["ThingNewParamsMeta", "ThingNewResultMeta"];
    expect(names(methodRow({ ...thingNew, result: "codex:Answer", metaResult: "thing/new result" }))).toEqual(
      ["Mode", "ThingNewParams", "ThingNewResult", ...carriers, "acp.Block.lenient", "acp.Path"].sort(),
    );
  });

  test("has the contract's own params under the method's name, with refs into the captures", () => {
    const row = methodRow({
      method: "_kit/thing",
      name: "kitThing",
      params: "contract:ThingParams",
      result: "contract:Outer",
    });
    const found = build(row);
    expect(found.get("KitThingParams")).toEqual({
      type: "object",
      properties: { block: { $ref: "#/definitions/acp.Block.lenient" } },
    });
    expect(found.get("KitThingResult")).toEqual({ type: "array", items: { $ref: "#/definitions/Wrapped" } });
    expect(found.get("Wrapped")).toEqual({
      type: "object",
      properties: { answer: { $ref: "#/definitions/codex.Answer" } },
    });
    expect(found.has("codex.Answer")).toBe(true);
    expect(found.has("ThingParams")).toBe(false);
  });

  test("`object` is any object, `empty` is {}", () => {
    const found = build(methodRow({ method: "m", name: "m", params: "object", result: "empty" }));
    expect(validator(found, "MParams")({ anything: 1 })).toBe(true);
    expect(validator(found, "MParams")([])).toBe(false);
    expect(validator(found, "MResult")({})).toBe(true);
    expect(validator(found, "MResult")({ x: 1 })).toBe(false);
  });

  test("an own definition that a method's params overshadow is an error where it is referred to", () => {
    const row = methodRow({ method: "m", name: "wrapped", params: "object", result: "contract:Outer" });
    const overshadowing = methodRow({
      method: "n",
      name: "n",
      params: "contract:Outer",
      result: null,
      kind: "notification",
    });
    const files = new Map([
      ...schemaFiles,
      ["x.schema.json", { $defs: { WrappedParams: {}, Uses: { items: { $ref: "#/$defs/WrappedParams" } } } }],
    ]);
    const uses = methodRow({ method: "u", name: "u", params: "contract:Uses", result: "empty" });
    expect(() =>
      contractDefinitions({ acp, codex, schemaFiles: files, methods: { methods: [row, overshadowing, uses] }, meta }),
    ).toThrow(/refers to the contract's WrappedParams, but a method's params or result have that name/);
  });

  test("a name in two files is an error", () => {
    const files = new Map([...schemaFiles, ["again.schema.json", { $defs: { Wrapped: {} } }]]);
    expect(() => contractDefinitions({ acp, codex, schemaFiles: files, methods: { methods: [] }, meta })).toThrow(
      "again.schema.json defines Wrapped, which another contract schema defines too",
    );
  });

  test("a $ref that leads nowhere names the file", () => {
    expect(() => resolveContractRef("a.schema.json", "../acp/schema.json#/$defs/X")).toThrow(/^a\.schema\.json: /);
    expect(resolveContractRef("a.schema.json", "../codex/unlisted.schema.json#/definitions/X")).toBe("codex.X");
    expect(resolveContractRef("a.schema.json", "#/$defs/X")).toBe("X");
  });
});

import type { Schema } from "../../../codegen/model/model.js";
import { own, type Row } from "./parser-row.js";
import { unionRows } from "./parser-union-rows.js";

const integer = (format: string): Schema => ({ type: "integer", format });

const schemaOf = (json: string): Schema => JSON.parse(json);

/** Definitions that the rows refer to. */
export const shared: [string, Schema][] = [
  ["Text", { type: "object", properties: { text: { type: "string" } }, required: ["text"] }],
  ["Node", { type: "object", properties: { next: { $ref: "#/definitions/Node" } } }],
  ["Id", { type: "string", description: "An id." }],
];

export const rows: readonly Row[] = [
  {
    given: "a type",
    schema: { type: "string" },
    valid: ["", "\ud800"],
    faults: [
      [5, "", "a string"],
      [undefined, "", "a string"],
    ],
  },
  {
    given: "members that count as absent when they are off schema",
    schema: {
      type: "object",
      properties: {
        title: { description: "Title.", "x-lenient": { type: ["string", "null"] } },
        sizes: { "x-lenient": { type: "array", items: { $ref: "#/definitions/Text" } } },
        name: { type: "string" },
      },
    },
    valid: [{}, { title: null }, { title: "t", sizes: [{ text: "x" }], name: "n" }],
    absent: [
      [{ title: 5, name: "n" }, { name: "n" }],
      [{ title: {}, sizes: 1 }, {}],
      [{ title: "t", sizes: [{ text: "x" }, { text: 1 }] }, { title: "t" }],
    ],
    // An error in what counts as absent must not be taken for the value's.
    faults: [[{ sizes: [{}], name: 1 }, "/name", "a string"]],
  },
  {
    given: "a member that counts as absent unless it is an object, whose own faults count",
    schema: {
      type: "object",
      properties: {
        _meta: {
          properties: { key: { type: "string" } },
          "x-lenient": { anyOf: [{ $ref: "#/definitions/Text" }, { type: "null" }] },
        },
      },
    },
    valid: [{}, { _meta: null }, { _meta: { key: "k", other: 1 } }],
    absent: [
      [{ _meta: "none" }, {}],
      [{ _meta: [] }, {}],
      [{ _meta: 0 }, {}],
    ],
    faults: [[{ _meta: { key: 1 } }, "/_meta/key", "a string"]],
  },
  {
    given: "several types",
    schema: { type: ["string", "integer", "null"] },
    valid: ["a", 1, null],
    faults: [[1.5, "", "a string or an integer or null"]],
  },
  {
    given: "an object that may be null",
    schema: { type: ["object", "null"], properties: { a: { type: "boolean" } } },
    valid: [null, {}, { a: true }],
    faults: [
      [{ a: 0 }, "/a", "a boolean"],
      ["", "", "an object"],
    ],
  },
  {
    given: "listed values",
    schema: { type: "string", enum: ["asc", "desc"] },
    valid: ["asc"],
    faults: [
      ["up", "", 'one of "asc", "desc"'],
      [1, "", "a string"],
    ],
  },
  {
    given: "one value",
    schema: { const: 1 },
    valid: [1],
    faults: [
      [2, "", "1"],
      ["1", "", "1"],
    ],
  },
  {
    given: "an object as the value",
    schema: { const: { a: [1] } },
    valid: [{ a: [1] }],
    faults: [
      [{ a: [2] }, "", '{"a":[1]}'],
      [own('{"__proto__":1}'), "", '{"a":[1]}'],
    ],
  },
  {
    given: "required members",
    schema: { type: "object", properties: { cwd: { $ref: "#/definitions/Id" } }, required: ["cwd"] },
    valid: [{ cwd: "/" }, { cwd: "/", more: 1 }],
    faults: [
      [{}, "", 'the member "cwd"'],
      [{ cwd: null }, "/cwd", "a string"],
      [[], "", "an object"],
    ],
  },
  {
    // Were inherited members looked at, `{}` would have a constructor.
    given: "members named like inherited ones",
    schema: {
      type: "object",
      properties: { constructor: { type: "string" }, toString: { type: "number" } },
      required: ["constructor"],
    },
    valid: [own('{"constructor":"a"}'), own('{"constructor":"a","toString":1}')],
    faults: [
      [{}, "", 'the member "constructor"'],
      [own('{"__proto__":{"constructor":"a"}}'), "", 'the member "constructor"'],
      [own('{"constructor":1}'), "/constructor", "a string"],
    ],
  },
  {
    given: "a closed object",
    schema: { type: "object", properties: { a: {} }, additionalProperties: false },
    valid: [{ a: 1 }, {}],
    faults: [
      [{ b: 1 }, "/b", "no such member"],
      [{ "x/y~z": 1 }, "/x~1y~0z", "no such member"],
      [own('{"__proto__":1}'), "/__proto__", "no such member"],
    ],
  },
  {
    given: "a map",
    schema: { type: "object", additionalProperties: { type: "integer" } },
    valid: [{ a: 1 }, own('{"constructor":1}')],
    faults: [
      [{ "a/b": "1" }, "/a~1b", "an integer"],
      [own('{"__proto__":"1"}'), "/__proto__", "an integer"],
    ],
  },
  {
    given: "bounds",
    schema: { type: "integer", minimum: 1, maximum: 100 },
    valid: [1, 100],
    faults: [
      [0, "", "at least 1"],
      [101, "", "at most 100"],
      [1.5, "", "an integer"],
      [own("1e400"), "", "an integer"],
    ],
  },
  {
    given: "an unsigned byte",
    schema: integer("uint8"),
    valid: [0, 255],
    faults: [
      [256, "", "at most 255"],
      [-1, "", "at least 0"],
    ],
  },
  { given: "16 bits", schema: integer("uint16"), valid: [65535], faults: [[65536, "", "at most 65535"]] },
  {
    given: "32 bits",
    schema: integer("int32"),
    valid: [-2147483648, 2147483647],
    faults: [
      [2147483648, "", "at most 2147483647"],
      [-2147483649, "", "at least -2147483648"],
    ],
  },
  {
    given: "32 bits, unsigned",
    schema: integer("uint32"),
    valid: [4294967295],
    faults: [[4294967296, "", "at most 4294967295"]],
  },
  {
    // The largest values of 64 bits are no doubles: they arrive as the next one above.
    given: "64 bits",
    schema: integer("int64"),
    valid: [own("9223372036854775807"), own("-9223372036854775808")],
    faults: [
      [1e19, "", "at most 9223372036854776000"],
      [0.5, "", "an integer"],
    ],
  },
  {
    given: "64 bits, unsigned, and above one",
    schema: { ...integer("uint64"), minimum: 1 },
    valid: [own("18446744073709551615")],
    faults: [
      [0, "", "at least 1"],
      [2e19, "", "at most 18446744073709552000"],
    ],
  },
  {
    given: "a double",
    schema: { type: "number", format: "double" },
    valid: [1.5, 1e308],
    faults: [[own("1e400"), "", "a number"]],
  },
  {
    // Lengths count characters: a surrogate pair is one.
    given: "lengths",
    schema: { type: "string", minLength: 2, maxLength: 3 },
    valid: ["🧵🧵", "🧵🧵🧵", "\ud800a"],
    faults: [
      ["🧵", "", "at least 2 characters"],
      ["abcd", "", "at most 3 characters"],
    ],
  },
  {
    given: "a pattern",
    schema: { type: "string", pattern: "^[a-z/]+$" },
    valid: ["a/b"],
    faults: [["A", "", "a string that matches ^[a-z/]+$"]],
  },
  {
    given: "a URI",
    schema: { type: "string", format: "uri" },
    valid: ["file:///a", "data:,x"],
    faults: [
      ["a b", "", "a URI"],
      ["file:a b", "", "a URI"],
    ],
  },
  {
    given: "a date",
    schema: { type: "string", format: "date-time" },
    valid: ["2026-01-01T00:00:00Z"],
    faults: [["2026", "", "a date-time"]],
  },
  {
    given: "a list",
    schema: { type: "array", items: { $ref: "#/definitions/Text" }, minItems: 1, maxItems: 2 },
    valid: [[{ text: "" }]],
    faults: [
      [[], "", "at least 1 item"],
      [[{ text: "" }, { text: "" }, { text: "" }], "", "at most 2 items"],
      [[{ text: "" }, {}], "/1", 'the member "text"'],
      [[{ text: 1 }], "/0/text", "a string"],
    ],
  },
  {
    given: "a list without duplicates",
    schema: { type: "array", uniqueItems: true },
    valid: [[1, "1", { a: 1 }]],
    faults: [
      [
        [
          { a: 1, b: 2 },
          { b: 2, a: 1 },
        ],
        "",
        "no item twice",
      ],
    ],
  },
  ...unionRows,
  {
    given: "a condition",
    schema: schemaOf('{ "type": "object", "if": { "required": ["a"] }, "then": { "required": ["b"] } }'),
    valid: [{}, { a: 1, b: 1 }, { b: 1 }],
    faults: [[{ a: 1 }, "", 'the member "b"']],
  },
  {
    given: "something excluded",
    schema: { type: "object", not: { required: ["a"] } },
    valid: [{}],
    faults: [[{ a: 1 }, "", "a value of another form"]],
  },
  {
    given: "several schemas at once",
    schema: { allOf: [{ $ref: "#/definitions/Text" }, { properties: { text: { minLength: 1 } } }] },
    valid: [{ text: "a" }],
    faults: [
      [{ text: "" }, "/text", "at least 1 character"],
      [{}, "", 'the member "text"'],
    ],
  },
  {
    given: "a schema that contains itself",
    schema: { $ref: "#/definitions/Node" },
    valid: [{ next: { next: {} } }],
    faults: [[{ next: { next: 5 } }, "/next/next", "an object"]],
  },
  {
    given: "annotations only",
    schema: { description: "Anything.", default: 5, examples: [1], "x-side": "agent" },
    valid: [null, 5, {}],
    faults: [],
  },
  {
    // `title` is a keyword in a schema and a member in a map of members.
    given: "members named like keywords",
    schema: {
      type: "object",
      properties: { title: { type: "string" }, description: { type: "string" } },
      required: ["title"],
    },
    valid: [{ title: "a" }],
    faults: [
      [{}, "", 'the member "title"'],
      [{ title: "a", description: 1 }, "/description", "a string"],
    ],
  },
];

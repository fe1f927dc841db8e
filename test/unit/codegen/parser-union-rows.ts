import type { Schema } from "../../../codegen/model/model.js";
import { own, type Row } from "./parser-row.js";

const tagged = (type: string, more: Schema = {}): Schema => ({
  type: "object",
  properties: { type: { type: "string", const: type }, ...more },
  required: ["type", ...Object.keys(more)],
});

/** Unions, with a tag and without. */
export const unionRows: readonly Row[] = [
  {
    given: "a closed union by tag",
    schema: {
      oneOf: [
        tagged("a", { x: { type: "integer" } }),
        tagged("b"),
        { allOf: [{ $ref: "#/definitions/Text" }, tagged("text")] },
      ],
    },
    valid: [
      { type: "a", x: 1 },
      { type: "b", x: "free" },
      { type: "text", text: "" },
    ],
    faults: [
      [{ type: "a", x: "1" }, "/x", "an integer"],
      [{ type: "a" }, "", 'the member "x"'],
      [{ type: "text" }, "", 'the member "text"'],
      [{ type: "c" }, "/type", 'one of "a", "b", "text"'],
      [{ type: 1 }, "/type", 'one of "a", "b", "text"'],
      [{ x: 1 }, "", 'the member "type"'],
      [own('{"__proto__":{"type":"b"}}'), "", 'the member "type"'],
      ["a", "", "an object"],
    ],
  },
  {
    given: "an open union by tag",
    schema: {
      anyOf: [
        { ...tagged("a"), allOf: [{ $ref: "#/definitions/Text" }] },
        {
          type: "object",
          properties: { type: { type: "string" } },
          required: ["type"],
          not: { anyOf: [tagged("a")] },
          additionalProperties: true,
        },
      ],
    },
    valid: [
      { type: "a", text: "" },
      { type: "_new", text: 5 },
    ],
    faults: [
      [{ type: "a", text: 5 }, "/text", "a string"],
      [{ type: "a" }, "", 'the member "text"'],
      [{ type: 5 }, "/type", "a string"],
      [{}, "", 'the member "type"'],
    ],
  },
  {
    // Two branches of one tag cannot be told apart by it: both are tried.
    given: "a union with a tag twice",
    schema: { anyOf: [tagged("a", { x: { type: "integer" } }), tagged("a", { y: { type: "integer" } })] },
    valid: [
      { type: "a", x: 1 },
      { type: "a", y: 1 },
    ],
    faults: [[{ type: "a", y: "1" }, "/y", "an integer"]],
  },
  {
    given: "a union within a branch, all of one tag",
    schema: {
      oneOf: [
        { anyOf: [tagged("a", { x: { type: "integer" } }), tagged("a", { y: { type: "integer" } })] },
        tagged("b", { z: { type: "integer" } }),
      ],
    },
    valid: [
      { type: "a", y: 1 },
      { type: "b", z: 1 },
    ],
    faults: [
      [{ type: "c" }, "/type", 'one of "a", "b"'],
      [{ type: "a", x: "" }, "/x", "an integer"],
      [{ type: "b" }, "", 'the member "z"'],
    ],
  },
  {
    // An open branch that leaves out no tag takes what the others refuse.
    given: "a union whose open branch excludes nothing",
    schema: {
      anyOf: [
        tagged("a", { x: { type: "integer" } }),
        { type: "object", properties: { type: { type: "string" } }, required: ["type"] },
      ],
    },
    valid: [{ type: "a", x: "any" }],
    faults: [[{ type: 1 }, "/type", "a string"]],
  },
  {
    given: "a union without a tag",
    schema: {
      anyOf: [{ type: "string" }, { type: "object", properties: { n: { type: "integer" } }, required: ["n"] }],
    },
    valid: ["a", { n: 1 }],
    faults: [
      [5, "", "a string or an object"],
      [{}, "", 'the member "n"'],
      [{ n: "" }, "/n", "an integer"],
    ],
  },
  {
    given: "more than one branch of oneOf",
    schema: { oneOf: [{ type: "integer" }, { type: "number" }] },
    valid: [0.5],
    faults: [
      [1, "", "a value of another form"],
      ["", "", "an integer or a number"],
    ],
  },
  {
    given: "null beside a union",
    schema: { anyOf: [tagged("a"), tagged("b"), { type: "null" }] },
    valid: [null, { type: "a" }],
    faults: [
      [{ type: "c" }, "/type", 'one of "a", "b"'],
      [1, "", "an object"],
    ],
  },
  {
    given: "fixed strings in a union",
    schema: {
      oneOf: [
        { type: "string", enum: ["a", "b"] },
        { type: "string", const: "c" },
      ],
    },
    valid: ["a", "c"],
    faults: [["d", "", 'one of "a", "b", "c"']],
  },
  {
    given: "fixed strings, or any",
    schema: { anyOf: [{ type: "string", const: "a" }, { type: "string" }] },
    valid: ["a", "anything"],
    faults: [[1, "", "a string"]],
  },
];

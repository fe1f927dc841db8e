import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { ownDefinitions, schemaTable, typeText } from "../../../codegen/emit/doc/schema-table.js";
import { emitProtocolDoc } from "../../../codegen/emit/protocol-doc.js";
import type { Schema } from "../../../codegen/model/model.js";
import { errorRow, methodRow, smallModel } from "./small-model.js";

const text = { type: "string" };
const ref = (name: string): Schema => ({ $ref: `#/definitions/${name}` });

describe("a type in short notation", () => {
  test.each<{ given: Schema; want: string }>([
    { given: { type: "string" }, want: "string" },
    { given: { type: ["integer", "null"] }, want: "integer or null" },
    { given: { enum: ["asc", "desc"] }, want: '`"asc"` or `"desc"`' },
    { given: { const: 1 }, want: "`1`" },
    { given: { type: "array", items: text }, want: "array of string" },
    { given: { type: "object", additionalProperties: text }, want: "map to string" },
    { given: { type: "object", properties: {}, additionalProperties: text }, want: "object" },
    { given: { anyOf: [text, { type: "null" }] }, want: "string or null" },
    { given: {}, want: "any JSON value" },
    { given: ref("ToolSet"), want: "[`ToolSet`](#type-tool-set)" },
    { given: ref("acp.ContentBlock.lenient"), want: "`ContentBlock`" },
    { given: ref("codex.Thread"), want: "`codex:Thread`" },
  ])("$given is $want", ({ given, want }) => {
    expect(typeText(smallModel({}), given)).toBe(want);
  });
});

describe("a table of members", () => {
  const model = smallModel({
    definitions: {
      Page: { type: "object", required: ["id"], properties: { id: { ...text, minLength: 1, description: "The id." } } },
    },
    acpDefinitions: { Base: { type: "object", required: ["cwd"], properties: { cwd: text, _meta: {} } } },
  });

  test("has name, type with bounds, need, default and the first paragraph of the description", () => {
    const schema = {
      type: "object",
      required: ["limit"],
      properties: {
        limit: { type: "integer", minimum: 1, default: 50, description: "How many\nat most.\n\nMore words." },
        choice: { enum: ["a|b"] },
      },
    };
    expect(schemaTable(model, schema)).toBe(
      [
        "| Member | Type | Required | Default | Meaning |",
        "| --- | --- | --- | --- | --- |",
        "| `limit` | integer (at least `1`) | yes | `50` | How many at most. |",
        '| `choice` | `"a\\|b"` | no |  |  |',
        "\n",
      ].join("\n"),
    );
  });

  test("takes in what the schema is made of, and leaves `_meta` to its carriers", () => {
    const table = schemaTable(model, { allOf: [ref("Page"), ref("acp.Base.lenient")] });
    expect(table).toContain("| `id` | string (length at least `1`) | yes |  | The id. |");
    expect(table).toContain("| `cwd` | string | yes |  |  |");
    expect(table).not.toContain("_meta");
  });

  test("finds the contract's own definitions that others lead to, once, also when they lead in a circle", () => {
    const circle = smallModel({
      definitions: { Root: { items: ref("Tree") }, Tree: { properties: { left: ref("Tree"), acp: ref("acp.Base") } } },
    });
    expect(ownDefinitions(circle, ["Root"])).toEqual(["Tree"]);
  });
});

describe("docs/protocol.md", () => {
  const emit = (): string => {
    const files = emitProtocolDoc(
      smallModel({
        methods: [
          methodRow({
            method: "_kit/go",
            name: "go",
            params: "contract:GoParams",
            result: "empty",
            implemented: false,
            standard: "extension",
            missingParams: "empty",
            emits: ["told", "state_update"],
            errors: ["gone"],
            clauses: ["INIT-01"],
            doc: "Goes.",
          }),
          methodRow({
            method: "_kit/told",
            name: "told",
            direction: "agent-to-host",
            kind: "notification",
            params: "object",
            result: null,
          }),
          methodRow({
            method: "session/update",
            name: "sessionUpdate",
            direction: "agent-to-host",
            kind: "notification",
            area: "updates",
            params: "object",
            result: null,
          }),
        ],
        errors: [
          errorRow({ name: "gone", message: "{x} | y", data: { x: "{x}" }, retryable: null, doc: "When gone." }),
          errorRow({ name: "not_implemented" }),
        ],
        definitions: {
          GoParams: { type: "object", properties: { to: ref("Place") } },
          GoResult: { type: "object", additionalProperties: false },
          ToldParams: { type: "object" },
          SessionUpdateParams: { type: "object" },
          Place: { type: "object", properties: { name: text }, description: "Where." },
        },
        clauses: {
          rulings: [{ id: "R-01", question: "Which?", ruling: "This." }],
          readings: [{ id: "A-01", where: "INIT", question: "What?", reading: "That." }],
        },
      }),
    );
    return files.map((file) => file.text).join("");
  };

  test.each([
    ["| [`_kit/go`](#method-kit-go) | request | extension | not yet |  |"],
    ["- Not implemented yet: answered with [`not_implemented`](#error-not-implemented)."],
    ["- May send: [`session/update`](#method-session-update) `state_update`; [`_kit/told`](#method-kit-told)."],
    ["- Errors: [`gone`](#error-gone)."],
    ["**Params.** Missing or null params mean `{}`."],
    ["| `to` | [`Place`](#type-place) | no |  |  |"],
    ["### `Place`\n\nWhere.\n\n| Member"],
    ['| <a id="error-gone"></a>`gone` | -32600 | `{x} \\| y` | `{"x":"{x}"}` | unknown | When gone. |  |'],
    ['| <a id="ruling-r-01"></a>R-01 | Which? | This. |'],
    ['| <a id="ruling-a-01"></a>A-01 | INIT | What? | That. |'],
  ])("says %s", (want) => {
    expect(emit()).toContain(want);
  });

  const printed = readFileSync(new URL("../../../docs/protocol.md", import.meta.url), "utf8");

  test("has every anchor that a link goes to, and each once", () => {
    const anchors = [...printed.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id);
    expect(new Set(anchors).size).toBe(anchors.length);
    const links = new Set([...printed.matchAll(/\]\(#([^)]+)\)/g)].map(([, id]) => id));
    expect(links.size).toBeGreaterThan(100);
    expect([...links].filter((id) => !anchors.includes(id))).toEqual([]);
  });

  test("explains every ruling and reading that it cites", () => {
    const cited = new Set([...printed.matchAll(/\b[ARD]-\d\d\b/g)].map(([id]) => id));
    expect(cited.size).toBeGreaterThan(20);
    const unexplained = [...cited].filter((id) => !printed.includes(`<a id="ruling-${id.toLowerCase()}">`));
    expect(unexplained).toEqual([]);
  });
});

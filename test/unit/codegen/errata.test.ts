import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../codegen/json.js";
import type { ErrataFile } from "../../../codegen/model/contract.js";
import { applyErrata } from "../../../codegen/model/errata.js";

type Erratum = ErrataFile["errata"][number];

const captured: JsonObject = { $defs: { "a/b": { type: "object", required: ["x", "y"] } } };

const erratum = (given: Partial<Erratum>): ErrataFile => ({
  errata: [{ id: "E1", source: "acp", at: "#/$defs/a~1b", patch: [], reason: "wrong", ...given }],
});

const corrected = (patch: Erratum["patch"]): unknown => applyErrata(captured, erratum({ patch }), "acp")["$defs"];

describe("applyErrata", () => {
  test.each<{ name: string; patch: Erratum["patch"]; want: JsonObject }>([
    {
      name: "replace",
      patch: [{ op: "replace", path: "/type", value: "null" }],
      want: { type: "null", required: ["x", "y"] },
    },
    {
      name: "add",
      patch: [{ op: "add", path: "/minProperties", value: 1 }],
      want: { type: "object", required: ["x", "y"], minProperties: 1 },
    },
    { name: "remove", patch: [{ op: "remove", path: "/required" }], want: { type: "object" } },
    {
      name: "remove from a list",
      patch: [{ op: "remove", path: "/required/0" }],
      want: { type: "object", required: ["y"] },
    },
    {
      name: "append",
      patch: [{ op: "add", path: "/required/-", value: "z" }],
      want: { type: "object", required: ["x", "y", "z"] },
    },
    {
      name: "insert",
      patch: [{ op: "add", path: "/required/1", value: "z" }],
      want: { type: "object", required: ["x", "z", "y"] },
    },
    {
      name: "replace in a list",
      patch: [{ op: "replace", path: "/required/1", value: "z" }],
      want: { type: "object", required: ["x", "z"] },
    },
  ])("$name", ({ patch, want }) => {
    const before = structuredClone(captured);
    expect(corrected(patch)).toEqual({ "a/b": want });
    expect(captured).toEqual(before);
  });

  test("leaves the other capture alone", () => {
    expect(applyErrata(captured, erratum({ source: "codex", at: "/nowhere" }), "acp")).toEqual(captured);
  });

  test.each<{ name: string; given: Partial<Erratum>; want: string }>([
    { name: "points nowhere", given: { at: "/$defs/gone" }, want: "erratum E1: nothing stands at /$defs/gone" },
    {
      name: "is no longer needed",
      given: { patch: [{ op: "replace", path: "/type", value: "object" }] },
      want: "erratum E1 changes nothing: upstream is mended",
    },
    { name: "does nothing", given: {}, want: "erratum E1 changes nothing: upstream is mended" },
    {
      name: "removes what is not there",
      given: { patch: [{ op: "remove", path: "/maximum" }] },
      want: "erratum E1: nothing stands at /maximum",
    },
    {
      name: "replaces past the end",
      given: { patch: [{ op: "replace", path: "/required/2", value: "z" }] },
      want: "erratum E1: /required/2: no such place in a list",
    },
    {
      name: "replaces the whole",
      given: { patch: [{ op: "replace", path: "", value: {} }] },
      want: 'erratum E1: a patch cannot replace the whole of ""',
    },
  ])("an erratum that $name is an error", ({ given, want }) => {
    expect(() => applyErrata(captured, erratum(given), "acp")).toThrow(want);
  });
});

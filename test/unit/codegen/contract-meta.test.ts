import { describe, expect, test } from "vitest";
import { emitContractMeta } from "../../../codegen/emit/contract-meta.js";
import { compileTypes } from "../../../codegen/emit/types.js";
import type { MetaFile } from "../../../codegen/model/contract.js";
import { metaDefinitions, metaTypeName } from "../../../codegen/model/meta.js";
import type { GeneratedFile } from "../../../codegen/model/model.js";
import { smallModel } from "./small-model.js";
import { typeErrors } from "./type-check.js";

const key = (schema: { [keyword: string]: unknown }) => ({
  schema,
  implemented: true,
  clauses: ["UPD-01"],
  doc: "Told.",
});

const meta: MetaFile = {
  carriers: [
    {
      carrier: "state_update",
      direction: "agent-to-host",
      namespaces: {
        alwith: { messageId: key({ type: "string" }) },
        codex: { report: key({ $ref: "#/$defs/Report" }) },
      },
    },
    {
      carrier: "session/new params",
      direction: "host-to-agent",
      namespaces: { codex: { seed: { ...key({ type: "array", items: { type: "string" } }), implemented: false } } },
    },
  ],
  $defs: { Report: { type: "object", properties: { ok: { type: "boolean" } }, additionalProperties: false } },
};

describe("the schema of a carrier", () => {
  test.each([
    { carrier: "state_update", want: "StateUpdateMeta" },
    { carrier: "session/new params", want: "SessionNewParamsMeta" },
    { carrier: "resource_link content", want: "ResourceLinkContentMeta" },
  ])("is called $want for $carrier", ({ carrier, want }) => {
    expect(metaTypeName(carrier)).toBe(want);
  });

  test("is closed for what the agent sends and open for what a host sends", () => {
    const definitions = metaDefinitions(meta);
    const open = { additionalProperties: true, properties: { codex: { additionalProperties: true } } };
    const closed = { additionalProperties: false, properties: { codex: { additionalProperties: false } } };
    expect(definitions.get("SessionNewParamsMeta")).toMatchObject(open);
    expect(definitions.get("StateUpdateMeta")).toMatchObject(closed);
  });

  test("says what is not implemented, and the clauses", () => {
    expect(metaDefinitions(meta).get("SessionNewParamsMeta")).toMatchObject({
      properties: { codex: { properties: { seed: { description: "Told. Not implemented yet. (UPD-01)" } } } },
    });
  });

  test.each([
    { name: "a reference to nothing", given: { ...meta, $defs: {} }, want: /no \$defs\/Report/ },
    {
      name: "two carriers of one name",
      given: { ...meta, carriers: [...meta.carriers, ...meta.carriers] },
      want: /defines StateUpdateMeta twice/,
    },
  ])("$name is an error", ({ given, want }) => {
    expect(() => metaDefinitions(given)).toThrow(want);
  });
});

describe("the type of a carrier", () => {
  const files = async (use: string): Promise<GeneratedFile[]> => [
    {
      path: "src/generated/contract/types.ts",
      text: await compileTypes("ContractDefinitions", "Contract.", metaDefinitions(meta)),
    },
    ...emitContractMeta(smallModel({ meta })),
    { path: "src/use.ts", text: `import type * as meta from "./generated/contract/meta.js";\n${use}\n` },
  ];

  test.each([
    { given: `export const a: meta.StateUpdateMeta = { alwith: { messageId: "m" } };`, want: [] },
    { given: `export const a: meta.StateUpdateMeta = { alwith: { messageID: "m" } };`, want: [/'messageID'/] },
    { given: `export const a: meta.StateUpdateMeta = { kit: {} };`, want: [/'kit' does not exist/] },
    { given: "export const a: meta.StateUpdateMeta = { codex: { report: { ok: 1 } } };", want: [/to type 'boolean/] },
    { given: "export const a: meta.SessionNewParamsMeta = { others: { any: 1 } };", want: [] },
    {
      // ACP's `_meta`: an interface would not fit it.
      given: "export const a = (it: meta.StateUpdateMeta): { [key: string]: unknown } => it;",
      want: [],
    },
    { given: `export const a: meta.MetaByCarrier["state_update"] = { alwith: {} };`, want: [] },
    { given: `export type A = meta.MetaByCarrier["state"];`, want: [/'state' does not exist/] },
  ])("$given", async ({ given, want }) => {
    const found = await typeErrors(await files(given));
    expect(found).toEqual(want.map((pattern) => expect.stringMatching(pattern)));
  });
});

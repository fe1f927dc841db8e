import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { objectAt } from "../../../codegen/json.js";
import { mapSchema } from "../../../codegen/model/walk.js";
import {
  acpDefinitions,
  codexDefinitions,
  contractDefinitions,
  meta,
  methods,
  refsIn,
  schemaFiles,
} from "./contract-files.js";

describe("contract schemas", () => {
  test("refs resolve", () => {
    for (const [file, schema] of schemaFiles) {
      const broken = refsIn(schema).filter((ref) => {
        const [where, path = ""] = ref.split("#/");
        const name = path.split("/").at(-1) ?? "";
        if (where === "") return path !== `$defs/${name}` || !(name in objectAt(schema, "$defs", file));
        if (where === "../acp/schema.unstable.json") return path !== `$defs/${name}` || !acpDefinitions.has(name);
        if (where === "../codex/protocol.schema.json")
          return !path.startsWith("definitions/") || !codexDefinitions.has(name);
        return true;
      });
      expect([file, broken]).toEqual([file, []]);
    }
  });

  test("names clash with no other type", () => {
    const pascal = (name: string): string => name.slice(0, 1).toUpperCase() + name.slice(1);
    const generated = methods.flatMap((row) => [`${pascal(row.name)}Params`, `${pascal(row.name)}Result`]);
    const others = new Set([...acpDefinitions, ...codexDefinitions, ...generated]);
    const own = [...contractDefinitions.keys(), ...Object.keys(meta.$defs)];
    expect(own.filter((name) => others.has(name))).toEqual([]);
    expect(new Set(own).size).toBe(own.length);
  });

  test("every definition is used", () => {
    const used = new Set([
      ...methods.flatMap((row) => [row.params, row.result]).map((ref) => `contract:${ref?.split(":")[1]}`),
      ...[...schemaFiles.values()].flatMap(refsIn).map((ref) => `contract:${ref.split("/").at(-1)}`),
    ]);
    expect([...contractDefinitions.keys()].filter((name) => !used.has(`contract:${name}`))).toEqual([]);
  });
});

/** Compiles a definition; what it takes from other files counts as anything. */
const validator = (name: string): ((value: unknown) => boolean) => {
  const all = { ...Object.fromEntries(contractDefinitions), ...meta.$defs };
  const local = mapSchema({ $ref: `#/$defs/${name}`, $defs: all }, (node) => {
    if (typeof node["$ref"] === "string" && node["$ref"].startsWith("../")) return {};
    const { contentEncoding, ...rest } = node;
    return rest;
  });
  const check = new Ajv({ strictTypes: false, strictRequired: false, allowUnionTypes: true }).compile(local);
  return (value) => check(value);
};

const rows: { name: string; good: unknown[]; bad: unknown[] }[] = [
  {
    name: "SessionIdParams",
    good: [{ sessionId: "a" }, { sessionId: "a", more: 1 }],
    bad: [{}, { sessionId: "" }, { sessionId: 1 }, [], null, "a"],
  },
  {
    name: "SessionRenameParams",
    good: [{ sessionId: "a", name: " b " }],
    bad: [{ sessionId: "a" }, { sessionId: "a", name: " \t" }, { sessionId: "a", name: null }],
  },
  {
    name: "PluginSetEnabledParams",
    good: [
      { pluginId: " a ", enabled: false },
      { pluginId: "a", enabled: true, remotePluginId: "r", more: 1 },
    ],
    bad: [
      { pluginId: " ", enabled: true },
      { pluginId: "a", enabled: "true" },
      { pluginId: "a", enabled: true, remotePluginId: null },
      { pluginId: "a", enabled: true, remotePluginId: "\u00a0" },
    ],
  },
  {
    name: "FileSearchParams",
    good: [
      { query: "", roots: [] },
      { query: "a", roots: ["/"], cancellationToken: null },
    ],
    bad: [
      { query: "a" },
      { query: "a", roots: "/" },
      { query: "a", roots: [1] },
      { query: "a", roots: [], cancellationToken: 1 },
    ],
  },
  {
    name: "SessionHistoryParams",
    good: [
      { sessionId: "a" },
      { sessionId: "a", cursor: null, limit: 1, sortDirection: "desc", mode: "export", maxBytes: 1024 },
      { sessionId: "a", limit: 100, maxBytes: 16777216, includeNative: true, itemsView: "full" },
      { sessionId: "a", includeNative: false, itemsView: "summary" },
    ],
    bad: [
      { sessionId: "" },
      { sessionId: "a", foo: 1 },
      { sessionId: "a", turnId: "t" },
      { sessionId: "a", cursor: 1 },
      { sessionId: "a", limit: 0 },
      { sessionId: "a", limit: 101 },
      { sessionId: "a", limit: 1.5 },
      { sessionId: "a", limit: null },
      { sessionId: "a", sortDirection: "up" },
      { sessionId: "a", mode: "all" },
      { sessionId: "a", maxBytes: 1023 },
      { sessionId: "a", maxBytes: 16777217 },
      { sessionId: "a", includeNative: true },
      { sessionId: "a", includeNative: true, itemsView: "summary" },
    ],
  },
  {
    name: "SessionHistoryItemsParams",
    good: [
      { sessionId: "a", includeNative: true },
      { sessionId: "a", turnId: "t", anchorItemId: "i" },
      { sessionId: "a", turnId: "t", anchorItemId: "i", cursor: null },
      { sessionId: "a", turnId: "t", cursor: "c" },
    ],
    bad: [
      { sessionId: "a", anchorItemId: "i" },
      { sessionId: "a", turnId: "t", anchorItemId: "i", cursor: "c" },
      { sessionId: "a", itemsView: "full" },
      { sessionId: "a", turnId: "" },
    ],
  },
  {
    name: "ToolSet",
    good: [
      { version: 1, revision: "r", definitions: [] },
      { version: 1, revision: 2, definitions: [{ name: "a", description: "", inputSchema: { type: "object" } }] },
      { version: 1, revision: "r", definitions: Array(128).fill({ name: "a", description: "", inputSchema: {} }) },
    ],
    bad: [
      { version: 2, revision: "r", definitions: [] },
      { version: 1, definitions: [] },
      { version: 1, revision: "r", definitions: [{ name: "a b", description: "", inputSchema: {} }] },
      { version: 1, revision: "r", definitions: [{ name: "a", inputSchema: {} }] },
      { version: 1, revision: "r", definitions: [{ name: "a", description: "", inputSchema: { type: "string" } }] },
      { version: 1, revision: "r", definitions: [{ name: "a", description: "", inputSchema: [] }] },
      { version: 1, revision: "r", definitions: Array(129).fill({ name: "a", description: "", inputSchema: {} }) },
    ],
  },
  {
    name: "ClientToolCallResult",
    good: [
      { success: true, contentItems: [] },
      {
        success: false,
        contentItems: [
          { type: "text", text: "" },
          { type: "image", mimeType: "image/png", data: "aGk=" },
        ],
      },
    ],
    bad: [
      { success: true },
      { success: 1, contentItems: [] },
      { success: true, contentItems: [{ type: "resource", uri: "http://127.0.0.1/" }] },
      { success: true, contentItems: [{ type: "audio", mimeType: "audio/wav", data: "not base64!" }] },
      { success: true, contentItems: [{ type: "image", data: "aGk=" }] },
    ],
  },
  {
    name: "CloseReport",
    good: [{ attempted: true, localDetached: true, remoteUnsubscribe: "timed_out" }],
    bad: [
      { attempted: true, localDetached: true, remoteUnsubscribe: "unknown" },
      { attempted: false, localDetached: true, remoteUnsubscribe: "failed" },
    ],
  },
  {
    name: "SeedEntry",
    good: [{ role: "user", text: "a" }],
    bad: [{ role: "system", text: "a" }, { role: "user", text: "" }, { role: "user" }],
  },
];

describe.each(rows)("$name", ({ name, good, bad }) => {
  const valid = validator(name);
  test.each(good.map((value) => [value]))("takes %j", (value) => expect(valid(value)).toBe(true));
  test.each(bad.map((value) => [value]))("refuses %j", (value) => expect(valid(value)).toBe(false));
});

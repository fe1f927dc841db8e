import { describe, expect, test } from "vitest";
import { metaDefinitions } from "../../../codegen/model/meta.js";
import {
  acpConstants,
  clauseIds,
  decisionIds,
  decisionsIn,
  meta,
  methods,
  refsIn,
  repeated,
} from "./contract-files.js";

const keys = meta.carriers.flatMap((carrier) =>
  Object.entries(carrier.namespaces).flatMap(([namespace, members]) =>
    Object.entries(members).map(([name, key]) => ({ at: `${carrier.carrier}: ${namespace}.${name}`, ...key })),
  ),
);

describe("meta.json", () => {
  test("each carrier stands once and is known", () => {
    const updates = acpConstants("SessionUpdate", "sessionUpdate");
    const parts = [
      "capabilities",
      "diff of version 1",
      "image content",
      "permission option",
      "provider entry",
      "resource_link content",
      "session list entry",
      "text content",
    ];
    const wire = new Set(methods.flatMap((row) => [`${row.method} params`, `${row.method} result`]));
    const carriers = meta.carriers.map((row) => row.carrier);
    expect(repeated(carriers)).toEqual([]);
    expect(carriers.filter((name) => !wire.has(name) && !updates.has(name) && !parts.includes(name))).toEqual([]);
  });

  test("namespaces are the three that the contract has", () => {
    const namespaces = new Set(meta.carriers.flatMap((row) => Object.keys(row.namespaces)));
    expect([...namespaces].sort()).toEqual(["alwith", "api-key", "codex"]);
  });

  test.each(keys)("$at", (key) => {
    expect(key.clauses.length, "a clause asks for it").toBeGreaterThan(0);
    expect(key.clauses.filter((id) => !clauseIds.has(id))).toEqual([]);
    expect(decisionsIn(key.doc).filter((id) => !decisionIds.has(id))).toEqual([]);
    expect(key.doc).toMatch(/\.$/);
  });

  test("refs resolve, and nothing shared is unused", () => {
    const shared = Object.keys(meta.$defs).map((name) => `#/$defs/${name}`);
    const used = new Set(refsIn(meta));
    expect([...used].filter((ref) => !shared.includes(ref))).toEqual([]);
    expect(shared.filter((ref) => !used.has(ref))).toEqual([]);
    expect(metaDefinitions(meta).size).toBe(meta.carriers.length + shared.length);
  });

  test("a key that stands on several carriers has one schema", () => {
    const differing = new Set(["mode", "moderation", "tools"]);
    const schemas = new Map<string, string>();
    for (const carrier of meta.carriers.filter((row) => row.direction === "agent-to-host")) {
      for (const [name, key] of Object.entries(carrier.namespaces["codex"] ?? {})) {
        if (carrier.carrier === "capabilities" || differing.has(name)) continue;
        const text = JSON.stringify(key.schema);
        expect([name, schemas.get(name) ?? text]).toEqual([name, text]);
        schemas.set(name, text);
      }
    }
    expect(schemas.size).toBeGreaterThan(20);
  });
});

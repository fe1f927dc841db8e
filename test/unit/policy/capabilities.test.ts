import { describe, expect, test } from "vitest";
import { usedRequests } from "../../../src/generated/codex/dispatch.js";
import { capabilities } from "../../../src/generated/contract/capabilities.js";
import { capabilityNeeds, methodNeeds } from "../../../src/generated/contract/needs.js";
import { capabilitiesWithout } from "../../../src/policy/capabilities.js";
import { methods } from "../contract/contract-files.js";

const at = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((it, key) => (it as Record<string, unknown> | undefined)?.[key], value);

describe("what is advertised when Codex lacks requests", () => {
  test("all of it when nothing is lacking", () => {
    expect(capabilitiesWithout(capabilities, new Set())).toEqual(capabilities);
    expect(capabilitiesWithout(capabilities, new Set(["thread/guardianReview"]))).toEqual(capabilities);
  });

  test("a part goes alone, and the object that is advertised stays as it is", () => {
    const left = capabilitiesWithout(capabilities, new Set(["thread/items/list"]));
    expect(left._meta?.["codex"]).toMatchObject({ sessionHistory: { version: 2, modes: ["browse", "export"] } });
    expect(at(left, ["_meta", "codex", "sessionHistory", "items"])).toBeUndefined();
    expect(capabilities._meta.codex.sessionHistory.items).toBe(true);
  });

  test("what stands on what is lacking goes, with its parts", () => {
    const left = capabilitiesWithout(capabilities, new Set(["thread/turns/list", "thread/fork"]));
    expect(at(left, ["_meta", "codex", "sessionHistory"])).toBeUndefined();
    expect(at(left, ["session", "fork"])).toBeUndefined();
    expect(at(left, ["_meta", "codex", "forkAtTurn"])).toBeUndefined();
    expect(at(left, ["session", "delete"])).toEqual({});
  });

  test.each(usedRequests)("without %s no capability is there whose method would be refused", (request) => {
    const left = capabilitiesWithout(capabilities, new Set([request]));
    for (const { method, capability } of methods) {
      if (capability === undefined || !methodNeeds.get(method)?.includes(request)) continue;
      expect(at(left, capability.split(".")), `${method} needs ${request}`).toBeUndefined();
    }
    for (const { path, requests } of capabilityNeeds) {
      if (!requests.includes(request)) expect(at(capabilities, path), path.join(".")).toBeDefined();
    }
  });

  test("every capability that can go stands on requests that are used", () => {
    expect(capabilityNeeds.length).toBeGreaterThan(15);
    for (const { requests } of capabilityNeeds) expect(usedRequests).toEqual(expect.arrayContaining([...requests]));
  });
});

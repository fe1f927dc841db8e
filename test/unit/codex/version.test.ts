import { describe, expect, it } from "vitest";
import { compareVersions, knownToLack, versionOfUserAgent, versionWarning } from "../../../src/codex/version.js";

describe("versionOfUserAgent", () => {
  it.each([
    ["codex-acp-kit/0.171.0 (Debian 12.0.0; x86_64) xterm (codex-acp-kit; 0.1.0)", "0.171.0"],
    ["x/0.172.0-alpha.3 (Mac OS 15)", "0.172.0-alpha.3"],
    ["codex", null],
  ])("%s", (userAgent, want) => expect(versionOfUserAgent(userAgent)).toBe(want));
});

describe("versionWarning", () => {
  it.each(["0.153.4", "0.161.0", "0.171.0", "0.171.99"])("is silent about %s", (version) =>
    expect(versionWarning(version)).toBeNull(),
  );
  it.each(["0.153.3", "0.172.0", "0.172.0-alpha.1", "1.0.0"])("warns about %s", (version) =>
    expect(versionWarning(version)).toContain(version),
  );
  it("warns when there is no version", () => expect(versionWarning(null)).toContain("does not tell its version"));
});

describe("compareVersions", () => {
  it("compares by number, not by text", () => {
    expect(compareVersions("0.9.0", "0.153.4")).toBeLessThan(0);
    expect(compareVersions("0.171.0", "0.171.0-alpha")).toBe(0);
  });
});

describe("knownToLack", () => {
  const known = [
    { from: "0.171.0", requests: [] },
    { from: "0.166.0", requests: ["b"] },
    { from: "0.153.4", requests: ["a", "b"] },
  ];
  it.each([
    ["0.171.5", []],
    ["0.171.0", []],
    ["0.170.0", ["b"]],
    ["0.166.0", ["b"]],
    ["0.160.0", ["a", "b"]],
    ["0.100.0", []],
    [null, []],
  ])("%s lacks %j", (version, lacks) => expect([...knownToLack(version, known)]).toEqual(lacks));
});

import { describe, expect, test } from "vitest";
import { checkEnvironment } from "../../../src/cli/doctor/environment.js";
import { printFinding } from "../../../src/cli/doctor/findings.js";
import { hostNames, isHostName, snippetFor } from "../../../src/cli/doctor/snippets.js";

describe("checkEnvironment()", () => {
  test.each([
    { env: {}, want: [] },
    { env: { CODEX_CONFIG: "", INITIAL_AGENT_MODE: "" }, want: [] },
    { env: { CODEX_CONFIG: '{"a":1,"b":2}' }, want: ["ok: sets a, b"] },
    { env: { CODEX_CONFIG: "{}" }, want: ["ok: sets nothing"] },
    { env: { CODEX_CONFIG: "[1]" }, want: ["fail: is JSON, but no object"] },
    { env: { CODEX_CONFIG: "null" }, want: ["fail: is JSON, but no object"] },
    { env: { INITIAL_AGENT_MODE: "read-only" }, want: ["ok: read-only"] },
    { env: { INITIAL_AGENT_MODE: "god" }, want: ['fail: INITIAL_AGENT_MODE is "god"'] },
  ])("$env gives $want", ({ env, want }) => {
    expect(checkEnvironment(env).map(({ level, message }) => `${level}: ${message}`)).toEqual(want);
  });

  test("what is not JSON fails with the parser's reason and what to set", () => {
    const [finding] = checkEnvironment({ CODEX_CONFIG: "{" });
    expect(finding).toMatchObject({ level: "fail", message: expect.stringMatching(/^is not JSON: ./) });
    expect(finding?.advice).toContain("JSON object");
  });
});

describe("printFinding()", () => {
  test("one line for the finding, one for what to do", () => {
    const plain = (_format: unknown, text: string) => text;
    expect(printFinding({ check: "sign-in", level: "warn", message: "no account", advice: "sign in" }, plain)).toBe(
      `warn  sign-in         no account\n${" ".repeat(22)}-> sign in`,
    );
    expect(printFinding({ check: "Node", level: "ok", message: "v20" }, plain)).toBe("ok    Node            v20");
  });
});

describe("snippetFor()", () => {
  const agent = { command: "/opt/node 20/bin/node", args: ['/home/a "b"/dist/cli.js'] };

  test.each([
    { host: "zed", at: ["agent_servers", "Codex (codex-acp-kit)"], more: { type: "custom" } },
    { host: "jetbrains", at: ["agent_servers", "Codex (codex-acp-kit)"], more: {} },
    { host: "json", at: [], more: { name: "Codex (codex-acp-kit)" } },
  ] as const)("$host: JSON that runs this agent", ({ host, at, more }) => {
    const settings = JSON.parse(snippetFor(host, agent).text);
    const entry = at.reduce((value: Record<string, unknown>, key) => value[key] as Record<string, unknown>, settings);
    expect(entry).toEqual({ ...more, ...agent, env: {} });
  });

  test("neovim: quotes in paths stay quoted", () => {
    expect(snippetFor("neovim", agent).text).toContain('args = { "/home/a \\"b\\"/dist/cli.js" }');
  });

  test("knows its hosts", () => {
    expect(hostNames).toEqual(["zed", "jetbrains", "neovim", "json"]);
    expect(hostNames.every(isHostName)).toBe(true);
    expect(isHostName("emacs")).toBe(false);
  });
});

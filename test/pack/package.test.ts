import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { version } from "../../src/version.js";
import { clause } from "../support/clause.js";
import { type Installed, node, packAndInstall, root } from "./installed.js";

const minute = 60_000;
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
let installed: Installed;

beforeAll(async () => {
  installed = await packAndInstall();
}, minute);
afterAll(() => installed.remove());

describe("the tarball", () => {
  clause(["INIT-24"], "the tarball holds the bundle, the protocol reference and the papers, and nothing else", () => {
    const outsideDist = installed.packed.filter((path) => !path.startsWith("dist/"));
    expect(outsideDist.sort()).toEqual(
      ["CHANGELOG.md", "LICENSE", "NOTICE", "README.md", "docs/protocol.md", "package.json"].sort(),
    );
    expect(installed.packed).toEqual(
      expect.arrayContaining(["dist/cli.js", "dist/index.js", "dist/LICENSES.txt", "dist/types/index.d.ts"]),
    );
    expect(installed.packed.filter((path) => /\.map$|\.tsx?$/.test(path) && !path.endsWith(".d.ts"))).toEqual([]);
  });

  test("depends on Codex alone, pinned to the captured minor", () => {
    const { version: captured } = JSON.parse(readFileSync(join(root, "schemas/codex/MANIFEST.json"), "utf8"));
    expect(manifest.dependencies).toEqual({ "@openai/codex": `~${captured}` });
  });
});

describe("the installed bin", () => {
  test("prints the package's version", async () => {
    expect(version).toBe(manifest.version);
    expect(await node([installed.bin, "--version"], installed.folder)).toEqual({
      code: 0,
      stdout: `${manifest.version}\n`,
      stderr: "",
    });
  });

  test("prints help that names the commands and the environment", async () => {
    const { code, stdout } = await node([installed.bin, "--help"], installed.folder);
    expect(code).toBe(0);
    for (const word of ["doctor", "demo", "CODEX_PATH", "APP_SERVER_LOGS"]) expect(stdout).toContain(word);
  });

  test.each([
    { args: ["--nonsense"], says: "unknown option '--nonsense'" },
    { args: ["nonsense"], says: "unknown command 'nonsense'" },
    { args: ["demo", "nonsense"], says: "too many arguments for 'demo'" },
    { args: ["doctor", "--host", "emacs"], says: "Allowed choices are zed, jetbrains, neovim, json" },
  ])("refuses $args with exit code 2 and the usage", async ({ args, says }) => {
    const { code, stdout, stderr } = await node([installed.bin, ...args], installed.folder);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(says);
    expect(stderr).toContain("Usage: codex-acp-kit");
  });

  test.each(["conformance", "host-check"])("has the cases of %s", async (command) => {
    const { code, stdout } = await node([installed.bin, command, "--list"], installed.folder);
    expect(code).toBe(0);
    expect(stdout.split("\n").length).toBeGreaterThan(40);
  });

  clause(["INIT-24"], "initialize tells the package's version, over the package's own scripted Codex", async () => {
    const { code, stdout, stderr } = await node(["initialize.mjs", installed.bin], installed.folder);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const { id, result } = JSON.parse(stdout);
    expect({ id, info: result.info, protocolVersion: result.protocolVersion }).toMatchObject({
      id: 1,
      info: { name: "codex-acp-kit", version: manifest.version },
      protocolVersion: 2,
    });
  });
});

describe("the installed library", () => {
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const types = join(root, "node_modules/@types");
  const flags = ["--noEmit", "--strict", "--module", "NodeNext", "--target", "ES2023", "--typeRoots", types];

  test(
    "type-checks with each export, its own declarations included",
    async () => {
      const outcome = await node([tsc, ...flags, "--types", "node", "consumer.ts"], installed.folder);
      expect(outcome).toEqual({ code: 0, stdout: "", stderr: "" });
    },
    minute,
  );

  test("loads each export", async () => {
    const entries = Object.keys(manifest.exports).filter((entry) => !/json$/.test(entry));
    const names = entries.map((entry) => entry.replace(/^\./, "codex-acp-kit"));
    expect(names).toHaveLength(4);
    const script = `for (const name of ${JSON.stringify(names)}) {
      const keys = Object.keys(await import(name));
      if (keys.length === 0) throw new Error(name + " exports nothing");
    }`;
    const outcome = await node(["--input-type=module", "--eval", script], installed.folder);
    expect(outcome).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  test("hands out the contract as JSON", async () => {
    const script = `import { createRequire } from "node:module";
      const { clauses } = createRequire(import.meta.url)("codex-acp-kit/contract/clauses.json");
      process.stdout.write(String(clauses.length));`;
    const { stdout } = await node(["--input-type=module", "--eval", script], installed.folder);
    const { clauses } = JSON.parse(readFileSync(join(root, "schemas/contract/clauses.json"), "utf8"));
    expect(Number(stdout)).toBe(clauses.length);
  });
});

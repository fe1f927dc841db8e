import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { Finding } from "../../src/cli/doctor/findings.js";
import { capturedCodex } from "../../src/generated/codex/version.js";
import { type CodexHome, makeCodexHome } from "../../src/testing/real-codex.js";
import { repository, scratch } from "../support/places.js";

const homes: CodexHome[] = [];

afterEach(async () => {
  for (const home of homes.splice(0)) await home.remove();
});

interface Diagnosis {
  readonly code: number | null;
  readonly ok: boolean;
  readonly findings: readonly Finding[];
}

/** Runs the bundled doctor on a Codex home of its own. No model answers at its address: doctor asks none. */
async function diagnose(
  options: {
    readonly config?: string[];
    readonly provider?: string[];
    readonly env?: Record<string, string>;
    /** Text of a script that stands in for Codex. */
    readonly program?: string;
  } = {},
): Promise<Diagnosis> {
  const { config = [], provider = [], program } = options;
  const home = await makeCodexHome({ under: scratch, modelUrl: "http://127.0.0.1:9/v1", config, provider });
  homes.push(home);
  const path = join(home.workspace, "codex.mjs");
  if (program !== undefined) await writeFile(path, program);
  const env = program === undefined ? options.env : { ...options.env, CODEX_PATH: path };
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [join(repository, "dist/cli.js"), "doctor", "--json"],
      { env: { ...home.env, ...env }, cwd: home.workspace },
      (_error, stdout) => resolve({ ...JSON.parse(stdout), code: child.exitCode }),
    );
  });
}

const found = ({ findings }: Diagnosis, check: string): string[] =>
  findings.filter((finding) => finding.check === check).map(({ level, message }) => `${level}: ${message}`);

describe("doctor, on the real Codex", () => {
  test("finds the binary, its version, its methods, and a provider that needs no account", async () => {
    const diagnosis = await diagnose();
    expect(diagnosis).toMatchObject({ code: 0, ok: true });
    expect(found(diagnosis, "Codex version")).toEqual([`ok: ${capturedCodex} (the captured one)`]);
    expect(found(diagnosis, "Codex methods")).toEqual([expect.stringMatching(/^ok: has all \d+ that/)]);
    expect(found(diagnosis, "sign-in")).toEqual(["ok: no account, and the configured model provider needs none"]);
    expect(found(diagnosis, "config")).toContain("ok: model gpt-5.5, provider scripted");
  });

  test("warns when nobody is signed in, and still exits with 0: the host can do that", async () => {
    const diagnosis = await diagnose({ provider: ["requires_openai_auth = true"] });
    expect(diagnosis).toMatchObject({ code: 0, ok: true });
    expect(found(diagnosis, "sign-in")).toEqual(["warn: no account"]);
  });

  test("shows what Codex says about the config", async () => {
    const diagnosis = await diagnose({ config: ["no_such_key = 1"] });
    expect(found(diagnosis, "config")).toEqual(
      expect.arrayContaining([expect.stringMatching(/^warn: .*unrecognized/)]),
    );
  });

  test("fails on a CODEX_PATH that is nothing, with what to do", async () => {
    const diagnosis = await diagnose({ env: { CODEX_PATH: "/no/such/codex" } });
    expect(diagnosis).toMatchObject({ code: 1, ok: false });
    const [finding] = diagnosis.findings.filter(({ level }) => level === "fail");
    expect(finding?.message).toContain("/no/such/codex");
    expect(finding?.advice).toContain("npm install -g @openai/codex@");
  });

  test("fails on a program that is no Codex", async () => {
    const diagnosis = await diagnose({ program: "process.exit(3);\n" });
    expect(diagnosis).toMatchObject({ code: 1, ok: false });
    expect(found(diagnosis, "Codex start")).toEqual(["fail: Codex exited with code 3"]);
  });
});

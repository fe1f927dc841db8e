import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { captureCodex, checkedVersion } from "../../../codegen/capture/codex.js";
import { manifestFaults, readManifest, withManifest } from "../../../codegen/capture/manifest.js";
import { captureMethods, resultOf } from "../../../codegen/capture/methods.js";
import { installedCodex } from "../../../codegen/capture/native-binary.js";
import { repository, scratch } from "../../support/places.js";

let folder: string;
beforeEach(() => {
  mkdirSync(scratch, { recursive: true });
  folder = mkdtempSync(join(scratch, "captured-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("the stored captures", () => {
  test.each(["codex", "acp"])("schemas/%s is byte for byte what was captured", (name) => {
    const stored = join(repository, "schemas", name);
    expect(Object.keys(readManifest(stored).files).length).toBeGreaterThan(1);
    expect(manifestFaults(stored)).toEqual([]);
  });

  test("a changed file is named", () => {
    const files = withManifest(
      { source: "x", version: "1.0.0", licence: "none", commands: [] },
      new Map([["a.json", Buffer.from("{}\n")]]),
    );
    for (const [name, content] of files) writeFileSync(join(folder, name), content);
    expect(manifestFaults(folder)).toEqual([]);
    writeFileSync(join(folder, "a.json"), "[]\n");
    expect(manifestFaults(folder)).toEqual([expect.stringMatching(/^a\.json: 3 bytes, sha256 \w+; captured: 3, /)]);
  });

  test("no manifest says to capture", () => {
    expect(() => readManifest(folder)).toThrow(/run `npm run capture`/);
  });
});

describe("capturing from a binary that will not do", () => {
  test("one that is missing is named", () => {
    const missing = join(folder, "no-codex");
    expect(() => captureCodex(missing, folder)).toThrow(`${missing} --version failed: ENOENT`);
  });

  test("an old one is refused, with what to install", () => {
    expect(() => checkedVersion("codex-cli 0.99.3\n")).toThrow(
      "Codex 0.99.3 is too old: capturing needs 0.153.4 or newer (npm install @openai/codex)",
    );
  });

  test("something else is refused", () => {
    expect(() => checkedVersion("v20.1\n")).toThrow('this is not Codex: --version printed "v20.1"');
  });

  test.each(["codex-cli 0.171.0\n", "codex-cli 0.172.0-alpha.1\n", "codex-cli 1.0.0\n"])("%j will do", (printed) => {
    expect(checkedVersion(printed)).toBe(printed.split(" ")[1]?.trim());
  });

  test("a platform without a binary is named", () => {
    expect(() => installedCodex("plan9", "x64")).toThrow("there is no Codex binary for plan9 on x64");
  });

  test("a platform whose package is not installed says what to run", () => {
    const other = process.platform === "win32" ? "darwin" : "win32";
    expect(() => installedCodex(other, "arm64")).toThrow(/is not installed: run `npm ci`/);
  });
});

describe("the method tables", () => {
  const message = (method: string, params: unknown, required: string[]) => ({
    properties: { method: { enum: [method] }, ...(params === undefined ? {} : { params }) },
    required,
  });
  const ref = (name: string) => ({ $ref: `#/definitions/v2/${name}` });
  const bundle = (...requests: object[]) => ({
    definitions: {
      ClientRequest: { oneOf: requests },
      ServerRequest: { oneOf: [] },
      ServerNotification: { oneOf: [message("told", ref("Told"), ["params"])] },
      v2: { AParams: {}, AResponse: {}, BResetResponse: {}, LogoutAccountResponse: {}, Told: {} },
    },
  });

  test("tie params, result, optionality and standing to each method", () => {
    const all = bundle(
      message("a/start", ref("AParams"), ["params"]),
      message("b/reset", { type: "null" }, []),
      message("account/logout", { anyOf: [ref("AParams"), { type: "null" }] }, ["params"]),
    );
    const stable = bundle(message("a/start", ref("AParams"), ["params"]));
    const { requests, notifications } = captureMethods(all, stable, ["getIt"]);
    const found = requests.map((it) => [
      it.method,
      it.params,
      it.paramsOptional,
      it.result,
      it.experimental,
      it.unlisted,
    ]);
    expect(found).toEqual([
      ["a/start", "AParams", false, "AResponse", false, false],
      ["b/reset", null, false, "BResetResponse", true, false],
      ["account/logout", "AParams", true, "LogoutAccountResponse", true, false],
      ["getIt", "GetItParams", false, "GetItResponse", false, true],
    ]);
    expect(notifications.map((it) => [it.method, it.params, it.result])).toEqual([["told", "Told", null]]);
  });

  test("a response that no rule finds is an error that says where to name it", () => {
    expect(() => resultOf("new/thing", "NewThingParams", new Set())).toThrow(
      "no response type is known for new/thing: add a row to resultNames",
    );
  });
});

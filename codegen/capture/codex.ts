import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isObject, type JsonObject, printJson } from "../json.js";
import { type CapturedFiles, withManifest } from "./manifest.js";
import { captureMethods, definitionNames } from "./methods.js";
import { captureUnlisted, unlistedRequests } from "./unlisted.js";

const bundleFile = "codex_app_server_protocol.schemas.json";

/** The oldest Codex whose export has the form that the generator reads. */
export const oldestCodex = "0.153.4";

/**
 * What `schemas/codex` holds, asked of the Codex binary at `codex`. `workFolder` takes the exports and Codex's home
 * meanwhile; it must not lie under the system's temporary folder, where Codex refuses some features.
 */
export const captureCodex = (codex: string, workFolder: string): CapturedFiles => {
  mkdirSync(workFolder, { recursive: true });
  const folder = mkdtempSync(join(workFolder, "capture-"));
  try {
    return capture(codex, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const capture = (codex: string, folder: string): CapturedFiles => {
  const home = join(folder, "home");
  mkdirSync(home);
  const version = checkedVersion(run(codex, ["--version"], home));
  const bundle = exportTo("generate-json-schema", ["--experimental"], "experimental");
  const stable = exportTo("generate-json-schema", [], "stable");
  const types = exportTo("generate-ts", ["--experimental"], "types");
  const bundleBytes = readFileSync(join(bundle, bundleFile));
  const bundleJson = parseBundle(bundleBytes);
  const methods = captureMethods(bundleJson, parseBundle(readFileSync(join(stable, bundleFile))), unlistedRequests);
  return withManifest(
    {
      source: "@openai/codex",
      version,
      licence: "Apache-2.0",
      commands: [
        "codex app-server generate-json-schema --experimental --out DIR",
        "codex app-server generate-json-schema --out DIR",
        "codex app-server generate-ts --experimental --out DIR",
      ],
    },
    new Map([
      ["protocol.schema.json", bundleBytes],
      ["unlisted.schema.json", Buffer.from(printJson(captureUnlisted(types, definitionNames(bundleJson))))],
      ["methods.json", Buffer.from(printJson(methods))],
    ]),
  );

  function exportTo(command: string, flags: string[], name: string): string {
    const out = join(folder, name);
    run(codex, ["app-server", command, ...flags, "--out", out], home);
    return out;
  }
};

/** The version of the Codex binary at `codex`. Throws when it cannot be captured. */
export const codexVersion = (codex: string, workFolder: string): string => {
  mkdirSync(workFolder, { recursive: true });
  const home = mkdtempSync(join(workFolder, "version-"));
  try {
    return checkedVersion(run(codex, ["--version"], home));
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
};

/** The version in what `codex --version` prints. Throws when it is older than the generator can read. */
export const checkedVersion = (printed: string): string => {
  const version = /\d+\.\d+\.\d+\S*/.exec(printed)?.[0];
  if (version === undefined) throw new Error(`this is not Codex: --version printed ${JSON.stringify(printed.trim())}`);
  if (isOlder(version, oldestCodex)) {
    throw new Error(`Codex ${version} is too old: capturing needs ${oldestCodex} or newer (npm install @openai/codex)`);
  }
  return version;
};

const isOlder = (version: string, than: string): boolean => {
  const parts = (text: string): number[] => text.split(".").map((part) => Number.parseInt(part, 10));
  const wanted = parts(than);
  const difference = parts(version)
    .map((part, index) => part - (wanted[index] ?? 0))
    .find((it) => it !== 0);
  return difference !== undefined && difference < 0;
};

const run = (codex: string, args: string[], home: string): string => {
  try {
    return execFileSync(codex, args, {
      encoding: "utf8",
      env: { ...process.env, CODEX_HOME: home },
      stdio: ["ignore", "pipe", "pipe"],
      timeout: 60_000,
    });
  } catch (cause) {
    const said = isObject(cause) && typeof cause["stderr"] === "string" ? cause["stderr"].trim() : "";
    const code = isObject(cause) && typeof cause["code"] === "string" ? cause["code"] : "";
    throw new Error(`${codex} ${args.slice(0, 2).join(" ")} failed: ${said || code || String(cause)}`, { cause });
  }
};

const parseBundle = (bytes: Uint8Array): JsonObject => {
  const value: unknown = JSON.parse(Buffer.from(bytes).toString("utf8"));
  if (!isObject(value)) throw new Error("Codex's schema export is no object");
  return value;
};

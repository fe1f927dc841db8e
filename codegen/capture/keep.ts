import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { behaviourFile, surfaceFile } from "../../src/cli/drift/load.js";
import type { StoredBehaviour } from "../../src/drift/behaviour.js";
import { type Surface, surfaceOfAcp, surfaceOfCodex } from "../../src/drift/surface.js";
import { isObject, printTidyJson } from "../json.js";
import type { CapturedFiles } from "./manifest.js";

const parsed = (files: CapturedFiles, name: string): unknown => {
  const content = files.get(name);
  if (content === undefined) throw new Error(`the capture has no ${name}`);
  return JSON.parse(Buffer.from(content).toString("utf8"));
};

const versionOf = (files: CapturedFiles): string => {
  const manifest = parsed(files, "MANIFEST.json");
  if (!isObject(manifest) || typeof manifest["version"] !== "string") throw new Error("the capture has no version");
  return manifest["version"];
};

/** The surface of a fresh capture of Codex. */
export const codexSurface = (files: CapturedFiles): Surface =>
  surfaceOfCodex({
    version: versionOf(files),
    protocol: parsed(files, "protocol.schema.json"),
    methods: parsed(files, "methods.json"),
    unlisted: parsed(files, "unlisted.schema.json"),
  });

/** The surface of a fresh capture of the SDK's ACP schema. */
export const acpSurface = (files: CapturedFiles): Surface =>
  surfaceOfAcp(versionOf(files), parsed(files, "schema.unstable.json"));

/** Stores a surface under `schemas/versions`, for later comparisons. Returns the path of the file, relative to `root`. */
export const keepSurface = (root: string, surface: Surface): string => {
  const path = join("schemas/versions", surfaceFile(surface.protocol, surface.version));
  mkdirSync(join(root, "schemas/versions"), { recursive: true });
  writeFileSync(join(root, path), gzipSync(JSON.stringify(surface), { level: 9 }));
  return path;
};

/** Stores the answers to the probes, as `keepSurface` stores what was captured. */
export const keepBehaviour = (root: string, behaviour: StoredBehaviour): string => {
  const path = join("schemas/versions", behaviourFile(behaviour.version));
  mkdirSync(join(root, "schemas/versions"), { recursive: true });
  writeFileSync(join(root, path), printTidyJson(behaviour));
  return path;
};

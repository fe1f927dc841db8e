import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { isObject } from "../json.js";
import { type CapturedFiles, withManifest } from "./manifest.js";

const sdk = "@agentclientprotocol/sdk";

/** Stored name → where the SDK has it. */
const schemaFiles = {
  "schema.json": "schema/v2/schema.json",
  "schema.unstable.json": "schema/v2/schema.unstable.json",
  "v1.schema.json": "schema/v1/schema.json",
  "v1.schema.unstable.json": "schema/v1/schema.unstable.json",
} as const;

/**
 * What `schemas/acp` holds: the schemas of draft v2 and of v1 as the SDK in the folder `root` carries them, by default
 * the installed one.
 */
export const captureAcp = (root: string = sdkFolder()): CapturedFiles => {
  const about: unknown = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  if (!isObject(about) || typeof about["version"] !== "string") throw new Error(`${sdk} has no version`);
  return withManifest(
    {
      source: sdk,
      version: about["version"],
      licence: "Apache-2.0",
      commands: Object.entries(schemaFiles).map(([name, from]) => `copy of ${from} of ${sdk} as ${name}`),
    },
    new Map(Object.entries(schemaFiles).map(([name, from]) => [name, readFileSync(join(root, from))])),
  );
};

const sdkFolder = (): string => {
  let folder = dirname(createRequire(import.meta.url).resolve(sdk));
  while (!isSdk(folder)) {
    const above = dirname(folder);
    if (above === folder) throw new Error(`${sdk} is not installed: run \`npm ci\``);
    folder = above;
  }
  return folder;
};

const isSdk = (folder: string): boolean => {
  try {
    const about: unknown = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    return isObject(about) && about["name"] === sdk;
  } catch (error) {
    if (isObject(error) && error["code"] === "ENOENT") return false;
    throw error;
  }
};

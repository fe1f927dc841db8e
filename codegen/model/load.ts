import { readFileSync } from "node:fs";
import { join } from "node:path";
import { loadSide, storedVersions } from "../../src/cli/drift/load.js";
import { readManifest } from "../capture/manifest.js";
import type { CapturedMethod, CapturedMethods } from "../capture/methods.js";
import { isObject, type JsonObject } from "../json.js";
import { loadAcpV1 } from "./acp-v1.js";
import { checkContract } from "./check.js";
import { contractDefinitions } from "./contract-definitions.js";
import { applyErrata } from "./errata.js";
import { loadContract } from "./load-contract.js";
import type { CodexMethod, Model } from "./model.js";
import { camelCase } from "./names.js";
import { acpDefinitions, codexDefinitions } from "./normalise.js";

/**
 * Reads everything under `schemas` of the repository at `root`. The contract's data files are held to `contractSchema`,
 * by default the one that is stored beside them. Throws with all faults at once.
 */
export const loadModel = (root: string, contractSchema?: JsonObject): Model => {
  const schemas = join(root, "schemas");
  const read = (file: string): JsonObject => readJson(join(schemas, file));
  const { files, errata, schemaFiles } = loadContract(
    join(schemas, "contract"),
    contractSchema ?? read("contract/contract.schema.json"),
  );
  const bundle = applyErrata(read("codex/protocol.schema.json"), errata, "codex");
  const draft = applyErrata(read("acp/schema.unstable.json"), errata, "acp");
  const methods = readMethods(join(schemas, "codex/methods.json"));
  const definitions = {
    acp: acpDefinitions(draft),
    codex: codexDefinitions(bundle, read("codex/unlisted.schema.json")),
  };
  const { version } = readManifest(join(schemas, "codex"));
  const codex = {
    version,
    oldest: storedVersions("codex", schemas)[0] ?? version,
    lacking: lackingIn(schemas, methods),
    definitions: definitions.codex,
    requests: withKeys(methods.requests),
    serverRequests: withKeys(methods.serverRequests),
    notifications: withKeys(methods.notifications),
  };
  const acp = { version: readManifest(join(schemas, "acp")).version, definitions: definitions.acp };
  const acpV1 = loadAcpV1(read("acp/v1.schema.unstable.json"), read("acp/v1.schema.json"));
  const faults = checkContract({ codex, acp, acpV1, files, ownDefinitions: definedNames(schemaFiles) });
  if (faults.length > 0) throw new Error(`the contract does not hold together:\n  ${faults.join("\n  ")}`);
  const contract = contractDefinitions({ ...definitions, methods: files.methods, meta: files.meta, schemaFiles });
  return { codex, acp, acpV1, contract: { ...files, definitions: contract } };
};

/** What is captured and the other kept versions do not have. */
const lackingIn = (schemas: string, { requests }: CapturedMethods): Map<string, string[]> =>
  new Map(
    storedVersions("codex", schemas).map((version) => {
      const { messages } = loadSide(version, "codex", schemas).surface;
      const there = new Set(messages.map(({ method }) => method));
      return [version, requests.map(({ method }) => method).filter((method) => !there.has(method))];
    }),
  );

const definedNames = (files: ReadonlyMap<string, JsonObject>): Set<string> =>
  new Set([...files.values()].flatMap((it) => (isObject(it["$defs"]) ? Object.keys(it["$defs"]) : [])));

/** Each method with the name that code calls it by. */
const withKeys = (methods: readonly CapturedMethod[]): CodexMethod[] => {
  const seen = new Map<string, string>();
  return methods.map((it) => {
    const key = camelCase(it.method);
    const other = seen.get(key);
    if (other !== undefined) throw new Error(`${it.method} and ${other} would both be called ${key}`);
    seen.set(key, it.method);
    return { ...it, key };
  });
};

export const readJson = (file: string): JsonObject => {
  const value: unknown = JSON.parse(readFileSync(file, "utf8"));
  if (!isObject(value)) throw new Error(`${file} is no JSON object`);
  return value;
};

const readMethods = (file: string): CapturedMethods => {
  const { requests, serverRequests, notifications } = readJson(file);
  return { requests: rows(requests), serverRequests: rows(serverRequests), notifications: rows(notifications) };

  function rows(value: unknown): CapturedMethod[] {
    if (!Array.isArray(value) || !value.every(isCapturedMethod)) {
      throw new Error(`${file} is not as captured: run \`npm run capture\``);
    }
    return value;
  }
};

const isCapturedMethod = (row: unknown): row is CapturedMethod =>
  isObject(row) &&
  typeof row["method"] === "string" &&
  (row["params"] === null || typeof row["params"] === "string") &&
  (row["result"] === null || typeof row["result"] === "string") &&
  [row["paramsOptional"], row["experimental"], row["unlisted"]].every((it) => typeof it === "boolean");

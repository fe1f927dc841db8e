import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { readBehaviour, type StoredBehaviour } from "../../drift/behaviour.js";
import { decisionsOf } from "../../drift/decisions.js";
import type { Side } from "../../drift/report.js";
import {
  isObject,
  type Protocol,
  readSurface,
  type Surface,
  surfaceOfAcp,
  surfaceOfCodex,
} from "../../drift/surface.js";
import type { Decisions } from "../../drift/verdict.js";

/** What cannot be compared, and why; its message is for the user. */
export class NoSuchVersion extends Error {
  override readonly name = "NoSuchVersion";
}

/**
 * The version that `wanted` names: one that is stored under `versions` of the folder `data`, or a folder that a capture
 * wrote. Throws `NoSuchVersion`.
 */
export function loadSide(wanted: string, protocol: Protocol, data: string): Side {
  const surface = isFolder(wanted) ? capturedSurface(wanted) : storedSurface(wanted, protocol, data);
  return { surface, behaviour: protocol === "codex" ? storedBehaviour(surface.version, data) : null };
}

/** The dispositions of the contract in the folder `data`. */
export function loadDecisions(protocol: Protocol, data: string): Decisions {
  const file = (name: string): unknown => readJson(join(data, "contract", name));
  return decisionsOf({ codex: file("codex.json"), methods: file("methods.json") }, protocol);
}

/** File name of a version's surface. */
export const surfaceFile = (protocol: Protocol, version: string): string => `${protocol}-${version}.json.gz`;

/** File name of a version's answers to the probes. */
export const behaviourFile = (version: string): string => `codex-${version}.behaviour.json`;

/** The versions that are stored, oldest first. */
export function storedVersions(protocol: Protocol, data: string): string[] {
  const names = readdirSync(join(data, "versions"));
  const found = names.flatMap((name) => new RegExp(`^${protocol}-(.+)\\.json\\.gz$`).exec(name)?.[1] ?? []);
  return found.sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

const isMissing = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "ENOENT";

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new NoSuchVersion(`cannot read ${file}: ${why}`, { cause });
  }
}

function capturedSurface(folder: string): Surface {
  const file = (name: string): unknown => readJson(join(folder, name));
  const manifest = file("MANIFEST.json");
  const { source, version } = isObject(manifest) ? manifest : {};
  if (typeof version !== "string")
    throw new NoSuchVersion(`${folder} holds no capture: its MANIFEST.json has no version`);
  if (source === "@agentclientprotocol/sdk") return surfaceOfAcp(version, file("schema.unstable.json"));
  return surfaceOfCodex({
    version,
    protocol: file("protocol.schema.json"),
    methods: file("methods.json"),
    unlisted: file("unlisted.schema.json"),
  });
}

function storedSurface(version: string, protocol: Protocol, data: string): Surface {
  try {
    const bytes = readFileSync(join(data, "versions", surfaceFile(protocol, version)));
    return readSurface(JSON.parse(gunzipSync(bytes).toString("utf8")));
  } catch (cause) {
    if (!isMissing(cause)) throw cause;
    const known = storedVersions(protocol, data).join(", ");
    throw new NoSuchVersion(
      `"${version}" is neither a folder with a capture nor a version that is stored here: ${known}`,
      { cause },
    );
  }
}

function storedBehaviour(version: string, data: string): StoredBehaviour | null {
  try {
    return readBehaviour(JSON.parse(readFileSync(join(data, "versions", behaviourFile(version)), "utf8")));
  } catch (cause) {
    if (isMissing(cause)) return null;
    throw cause;
  }
}

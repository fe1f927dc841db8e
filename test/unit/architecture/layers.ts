import type { Import } from "./sources.js";

/** What a folder of `src` may import. Its own files are always allowed. */
export interface Layer {
  /** Folders of `src`, or files of it, by longest match. */
  readonly may: readonly string[];
  /** Those of which it may import types alone. */
  readonly typesOf?: readonly string[];
  /** Modules of Node; none when left out. `any` for the layers that do I/O. */
  readonly node?: "any" | readonly string[];
  /** npm packages; none when left out. */
  readonly packages?: "any" | readonly string[];
}

const assembly = [
  "generated",
  "runtime",
  "projection",
  "session",
  "policy",
  "acp-v1",
  "host",
  "codex",
  "files",
  "log",
  "agent",
  "version",
];

/** Outermost last. A folder that is missing here fails the test, so that every new one gets its place. */
export const layers: { readonly [folder: string]: Layer } = {
  runtime: { may: [] },
  generated: { may: ["runtime/index"] },
  "generated/testing": { may: ["generated", "testing/schema"] },
  version: { may: [], node: "any" },
  log: { may: ["runtime"], typesOf: ["codex/transport"], node: "any", packages: "any" },
  codex: { may: ["runtime", "generated/codex", "log", "version"], node: "any", packages: "any" },
  // Reads that policy asks for; each file says what it will touch and what it will not.
  files: { may: ["runtime"], typesOf: ["generated/acp"], node: "any" },
  projection: { may: ["runtime", "generated"] },
  session: { may: ["runtime", "generated", "projection"] },
  policy: {
    may: ["runtime", "generated", "projection", "session", "version"],
    typesOf: ["codex/client", "codex/errors", "codex/error-text"],
  },
  // Two versions of a protocol compared: JSON in, a report out.
  drift: { may: [] },
  "acp-v1": { may: ["runtime", "generated", "projection"] },
  host: {
    may: ["runtime", "generated", "acp-v1", "codex/line-splitter", "codex/errors", "log"],
    node: "any",
    packages: ["@agentclientprotocol/sdk"],
  },
  agent: { may: assembly, node: "any" },
  testing: { may: [...assembly, "testing"], node: "any", packages: "any" },
  conformance: {
    may: ["testing", "generated", "runtime", "version", "codex/line-splitter", "codex/resolve"],
    node: "any",
    packages: ["entities"],
  },
  "generated/host-check": { may: ["runtime/index"], typesOf: ["host-check/driver-format"] },
  "host-check": { may: ["conformance", "testing", "generated", "runtime", "version"], node: "any" },
  cli: { may: [...assembly, "conformance", "host-check", "cli/demo", "drift"], node: "any", packages: "any" },
  "cli/demo": { may: [...assembly, "cli", "testing"], node: "any", packages: "any" },
  // Entry points of the package.
  index: { may: assembly },
  contract: { may: ["generated", "runtime"] },
  "codex.ts": { may: ["codex", "generated/codex", "runtime"] },
  "testing.ts": { may: ["testing", "generated/testing", "runtime"], typesOf: ["host-check/driver-format"] },
};

/** `src/policy/auth.ts` as `policy/auth`; null outside `src`. */
const place = (path: string): string | null => /^src\/(.*?)(?:\.m?[jt]s)?$/.exec(path)?.[1] ?? null;

const inside = (where: string, folder: string): boolean => where === folder || where.startsWith(`${folder}/`);

/** The layer a file of `src` belongs to: its name among the layers. */
export const layerOf = (path: string): string | null => {
  const where = place(path);
  if (where === null) return null;
  if (!where.includes("/") && layers[`${where}.ts`] !== undefined) return `${where}.ts`;
  const found = Object.keys(layers).filter((name) => inside(where, name));
  return found.sort((a, b) => b.length - a.length)[0] ?? null;
};

/** Why an import of a file of `src` is not allowed; null when it is. */
export const fault = (given: Import): string | null => {
  const name = layerOf(given.from);
  const layer = name === null ? undefined : layers[name];
  if (name === null || layer === undefined) return `${given.from} belongs to no layer`;
  const refuse = (what: string): string => `${given.from} imports ${given.to}: ${name} may not import ${what}`;
  if (given.to.startsWith("node:")) {
    return layer.node === "any" || layer.node?.includes(given.to) ? null : refuse("modules of Node");
  }
  const where = place(given.to);
  if (where === null) {
    if (given.to.startsWith("package.json")) return null;
    const packages = layer.packages;
    const known = packages === "any" || packages?.some((it) => inside(given.to, it));
    return known ? null : refuse("packages");
  }
  if (layerOf(given.to) === name || layer.may.some((folder) => inside(where, folder))) return null;
  if (layer.typesOf?.some((folder) => inside(where, folder)))
    return given.typeOnly ? null : refuse("values from there");
  return refuse(`${layerOf(given.to) ?? "it"}`);
};

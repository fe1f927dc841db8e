// Bundles the package into dist/: one small file per public entry, the rest in shared or lazily loaded chunks.
// Everything but @openai/codex is bundled, so an installed package has one dependency. Run by `npm run build`.
import { chmod, cp, rm, writeFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { buildTypes } from "./build-types.mjs";
import { leanSdk } from "./lean-sdk.mjs";
import { licencesOf } from "./licences.mjs";

/** Files of the contract that are published as `codex-acp-kit/contract/<name>.json`. */
const contractData = ["acp-v1", "capabilities", "clauses", "codex", "errors", "meta", "methods", "tables"];
const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * Gives bundled CommonJS packages their Node modules as imports. esbuild would leave `require("fs")` in an ES module,
 * where it cannot work. Two steps, so that `require` returns the very object Node exports: a CommonJS module that takes
 * the default export of an ES module, which imports the Node module.
 */
const builtinsForCommonJs = {
  name: "builtins-for-commonjs",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /.*/, namespace: "file" }, ({ path, kind }) =>
      kind === "require-call" && isBuiltin(path)
        ? { path: `node:${path.replace(/^node:/, "")}`, namespace: "required-builtin" }
        : undefined,
    );
    onLoad({ filter: /.*/, namespace: "required-builtin" }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(path)}).default;`,
    }));
    onResolve({ filter: /.*/, namespace: "required-builtin" }, ({ path }) => ({ path, namespace: "imported-builtin" }));
    onLoad({ filter: /.*/, namespace: "imported-builtin" }, ({ path }) => ({
      contents: `export { default } from ${JSON.stringify(path)};`,
    }));
    onResolve({ filter: /.*/, namespace: "imported-builtin" }, ({ path }) => ({ path, external: true }));
  },
};

/** The suites share their schemas with the library: the bin loads them from there. */
const suitesFromLibrary = {
  name: "suites-from-library",
  setup({ onResolve }) {
    onResolve({ filter: /\/(?:conformance|host-check)\/index\.js$/ }, ({ importer, path }) =>
      importer.includes("/src/cli/") ? { path: `../${path.split("/").at(-2)}.js`, external: true } : undefined,
    );
  },
};

/**
 * Version 1 of ACP is a file by itself, with its own copy of what it shares with the agent: cut out of the agent, the
 * shared parts would be chunks of their own, which every start would have to load. `path`: from the file that loads it.
 */
const acpV1At = (path) => ({
  name: "acp-v1-apart",
  setup({ onResolve }) {
    onResolve({ filter: /\/acp-v1\/index\.js$/ }, ({ kind }) =>
      kind === "dynamic-import" ? { path, external: true } : undefined,
    );
  },
});

/**
 * What is bundled together. The bin stands alone, although it has most of its code in common with the library: in one
 * run the agent would be cut into a dozen chunks, whose loading takes time and 4 MB of memory.
 */
const entryGroups = [
  { entryPoints: { cli: "src/cli/main.ts" }, acpV1: "../acp-v1.js" },
  { entryPoints: { "acp-v1": "src/acp-v1/index.ts" } },
  {
    entryPoints: {
      index: "src/index.ts",
      contract: "src/contract.ts",
      codex: "src/codex.ts",
      testing: "src/testing.ts",
      conformance: "src/conformance/index.ts",
      "host-check": "src/host-check/index.ts",
    },
    acpV1: "./acp-v1.js",
  },
];

const bundle = ({ entryPoints, acpV1 }) =>
  build({
    absWorkingDir: root,
    entryPoints,
    outdir: "dist",
    chunkNames: "chunks/[name]-[hash]",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    external: ["@openai/codex"],
    minifySyntax: true,
    legalComments: "none",
    metafile: true,
    logLevel: "warning",
    plugins: [leanSdk, acpV1At(acpV1), suitesFromLibrary, builtinsForCommonJs],
  });

async function main() {
  const source = (path) => new URL(`../${path}`, import.meta.url);
  const dist = (path) => new URL(`../dist/${path}`, import.meta.url);
  await rm(dist(""), { recursive: true, force: true });
  const bundles = await Promise.all(entryGroups.map(bundle));
  const inputs = bundles.flatMap(({ metafile }) => Object.keys(metafile.inputs));
  await chmod(dist("cli.js"), 0o755);
  await writeFile(dist("LICENSES.txt"), await licencesOf(inputs, root));
  await cp(source("src/testing/scripted-codex/stand-in.mjs"), dist("stand-in.mjs"));
  for (const name of contractData) await cp(source(`schemas/contract/${name}.json`), dist(`contract/${name}.json`));
  await cp(source("schemas/versions"), dist("versions"), { recursive: true });
  await cp(source("src/conformance/cases"), dist("conformance"), { recursive: true });
  await cp(source("src/host-check/cases"), dist("host-check"), { recursive: true });
  await buildTypes();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main().catch((error) => {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  });
}

// Leaves the validators out of the bundled agent's copy of the ACP SDK: Zod and the draft's schemas in it cost a third of
// the memory at rest and half of the start-up, and the agent parses every message of the host with its own strict
// parsers (src/generated/contract), as well as in the sources. What must not change: only validators go. The SDK's
// connection, its initialize gate and its cancellation stay as they are. Whoever plays a host (`demo`, conformance) has no
// parsers of its own and keeps the whole SDK.
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";

const sdk = "@agentclientprotocol/sdk";
const suffix = "?lean";
const lean = { suffix, pluginData: suffix, sideEffects: false };

/** A module with the exports of `source`, each of which takes every value for valid. */
const everythingIsValid = (source) =>
  [
    "const valid = { parse: (value) => value, safeParse: (data) => ({ success: true, data }), shape: {} };",
    ...[...source.matchAll(/^export const (\w+)/gm)].map(([, name]) => `export const ${name} = valid;`),
  ].join("\n");

export const leanSdk = {
  name: "lean-sdk",
  setup({ resolve, onResolve, onLoad }) {
    onResolve({ filter: new RegExp(`^${sdk}/`) }, async ({ path, importer, resolveDir, kind, pluginData }) => {
      if (pluginData === "whole" || !importer.includes("/src/host/")) return undefined;
      const { path: file, errors } = await resolve(path, { resolveDir, importer, kind, pluginData: "whole" });
      return errors.length > 0 ? { errors } : { path: file, ...lean };
    });
    onResolve({ filter: /^\./ }, ({ path, importer, pluginData }) =>
      pluginData === suffix ? { path: join(dirname(importer), path), ...lean } : undefined,
    );
    onLoad({ filter: new RegExp(`/${sdk}/`) }, async (args) => {
      if (args.suffix !== suffix) return undefined;
      const source = await readFile(args.path, "utf8");
      const validators = /\/schema\/(?:zod|guards)\.gen\.js$/.test(args.path);
      return { contents: validators ? everythingIsValid(source) : source, pluginData: suffix };
    });
  },
};

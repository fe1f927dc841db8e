import { createRequire } from "node:module";
import { dirname } from "node:path";
import { resolveCodex, systemHost } from "../../src/codex/resolve.js";
import { capturedCodex } from "../../src/generated/codex/version.js";

/** The native Codex of the package that is installed under `name`. */
function installed(name: string): string {
  const host = systemHost({});
  const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
  return resolveCodex({
    ...host,
    packageFolder: (wanted, from) => (wanted === "@openai/codex" ? folder : host.packageFolder(wanted, from)),
  }).command;
}

export interface CodexUnderTest {
  readonly version: string;
  /** The native binary. */
  readonly path: string;
}

/**
 * `npm run compat` puts one Codex in the place of all: `CODEX_UNDER_TEST` is its binary, `CODEX_UNDER_TEST_VERSION` its
 * version. Undefined otherwise.
 */
export const onlyCodex: CodexUnderTest | undefined = ((path, version) =>
  path && version ? { path, version } : undefined)(
  process.env["CODEX_UNDER_TEST"],
  process.env["CODEX_UNDER_TEST_VERSION"],
);

/** The versions that `npm test` runs: the newest, and the last that moves threads between providers. */
export const codexes: readonly CodexUnderTest[] = onlyCodex
  ? [onlyCodex]
  : [
      { version: capturedCodex, path: installed("@openai/codex") },
      { version: "0.161.0", path: installed("codex-0161") },
    ];

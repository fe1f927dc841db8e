import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const targets: { readonly [platform: string]: string } = {
  "linux-x64": "x86_64-unknown-linux-musl",
  "linux-arm64": "aarch64-unknown-linux-musl",
  "darwin-x64": "x86_64-apple-darwin",
  "darwin-arm64": "aarch64-apple-darwin",
  "win32-x64": "x86_64-pc-windows-msvc",
  "win32-arm64": "aarch64-pc-windows-msvc",
};

/**
 * Codex's own executable in the installed `@openai/codex`, past its launcher script, so that no shell and no second
 * Node process stands between. `launcher`: the package.json of another `@openai/codex` than ours. Throws with what to
 * install when the platform's package is missing.
 */
export const installedCodex = (
  platform: string = process.platform,
  arch: string = process.arch,
  launcher?: string,
): string => {
  const target = targets[`${platform}-${arch}`];
  if (target === undefined) throw new Error(`there is no Codex binary for ${platform} on ${arch}`);
  const packageName = `@openai/codex-${platform}-${arch}`;
  // The platform's package is a dependency of the launcher's package: nested or hoisted, it resolves from there.
  const fromHere = createRequire(import.meta.url);
  let manifest: string;
  try {
    manifest = createRequire(launcher ?? fromHere.resolve("@openai/codex/package.json")).resolve(
      `${packageName}/package.json`,
    );
  } catch (cause) {
    throw new Error(`${packageName} is not installed: run \`npm ci\` with optional dependencies`, { cause });
  }
  const file = join(dirname(manifest), "vendor", target, "bin", platform === "win32" ? "codex.exe" : "codex");
  if (!existsSync(file)) throw new Error(`${packageName} holds no binary at ${file}: run \`npm ci\` again`);
  return file;
};

import spawn from "cross-spawn";

/** Runs npm in `root` and returns what it printed. Throws with npm's own words. */
function npm(root: string, args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawn.sync("npm", [...args], { cwd: root, encoding: "utf8" });
  if (error) throw new Error(`npm cannot be run: ${error.message}`, { cause: error });
  if (status !== 0) throw new Error(`npm ${args.join(" ")} failed: ${stderr.trim() || stdout.trim()}`);
  return stdout.trim();
}

/**
 * Installs a Codex as the one this package depends on, within its minor: `wanted` is a version or a dist-tag. Returns
 * the version.
 */
export function installCodex(root: string, wanted: string): string {
  const version = npm(root, ["view", `@openai/codex@${wanted}`, "version"]);
  if (!/^\d+\.\d+\.\d+\S*$/.test(version)) throw new Error(`there is no @openai/codex@${wanted}`);
  const flags = ["--save-prefix=~", "--no-audit", "--no-fund", "--ignore-scripts"];
  npm(root, ["install", `@openai/codex@${version}`, ...flags]);
  return version;
}

/** The compiler's errors over the tree at `root`, one a line. */
export function typeErrors(root: string): string[] {
  const { status, stdout, error } = spawn.sync("npx", ["tsc", "-p", "tsconfig.json"], { cwd: root, encoding: "utf8" });
  if (error) throw new Error(`the compiler cannot be run: ${error.message}`, { cause: error });
  if (status === 0) return [];
  const lines = stdout.split("\n").filter((line) => line.includes("error TS"));
  return lines.length > 0 ? lines : [`the compiler failed: ${stdout.trim()}`];
}

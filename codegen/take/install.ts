import spawn from "cross-spawn";

/** Runs npm in `root` and returns what it printed. Throws with npm's own words. */
function npm(root: string, args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawn.sync("npm", [...args], { cwd: root, encoding: "utf8" });
  if (error) throw new Error(`npm cannot be run: ${error.message}`, { cause: error });
  if (status !== 0) throw new Error(`npm ${args.join(" ")} failed: ${stderr.trim() || stdout.trim()}`);
  return stdout.trim();
}

/** The version that `wanted`, a version or a dist-tag, is at the registry. */
function published(root: string, name: string, wanted: string): string {
  const version = npm(root, ["view", `${name}@${wanted}`, "version"]);
  if (!/^\d+\.\d+\.\d+\S*$/.test(version)) throw new Error(`there is no ${name}@${wanted}`);
  return version;
}

const quiet = ["--no-audit", "--no-fund", "--ignore-scripts"];

/** Installs a Codex as the one this package depends on, within its minor. Returns the version. */
export function installCodex(root: string, wanted: string): string {
  const version = published(root, "@openai/codex", wanted);
  npm(root, ["install", `@openai/codex@${version}`, "--save-prefix=~", ...quiet]);
  return version;
}

/** Installs an ACP SDK as the one this package is built with. Returns the version. */
export function installSdk(root: string, wanted: string): string {
  const version = published(root, "@agentclientprotocol/sdk", wanted);
  npm(root, ["install", "--save-dev", "--save-exact", `@agentclientprotocol/sdk@${version}`, ...quiet]);
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

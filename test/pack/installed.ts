import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

export const root = fileURLToPath(new URL("../..", import.meta.url));

const exec = promisify(execFile);
const consumerFiles = fileURLToPath(new URL("./consumer", import.meta.url));

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs Node; resolves whatever the exit code is. */
export const node = (args: readonly string[], cwd: string): Promise<Outcome> =>
  exec(process.execPath, args, { cwd, env: { ...process.env, NO_COLOR: "1" } }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (failure: { code: number; stdout: string; stderr: string }) => ({
      code: failure.code,
      stdout: failure.stdout,
      stderr: failure.stderr,
    }),
  );

export interface Installed {
  /** Paths in the tarball. */
  readonly packed: readonly string[];
  /** The folder it is installed in, with the consumer's files. */
  readonly folder: string;
  /** The installed bin's JavaScript. */
  readonly bin: string;
  remove(): Promise<void>;
}

/**
 * Packs what `npm run build` has left in dist, and installs the tarball in an empty folder. Offline: the one dependency
 * is taken from our own node_modules.
 */
export async function packAndInstall(): Promise<Installed> {
  const folder = await mkdtemp(join(tmpdir(), "codex-acp-kit-pack-"));
  const pack = await exec("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder], { cwd: root });
  const [tarball] = JSON.parse(pack.stdout) as { filename: string; files: { path: string }[] }[];
  if (tarball === undefined) throw new Error("npm pack made nothing");
  const manifest = {
    name: "consumer",
    private: true,
    type: "module",
    dependencies: { "codex-acp-kit": `file:./${tarball.filename}` },
    overrides: { "@openai/codex": `file:${join(root, "node_modules/@openai/codex")}` },
  };
  await writeFile(join(folder, "package.json"), JSON.stringify(manifest));
  const offline = ["--offline", "--ignore-scripts", "--omit=optional", "--no-audit", "--no-fund", "--no-package-lock"];
  await exec("npm", ["install", ...offline], { cwd: folder });
  await cp(consumerFiles, folder, { recursive: true });
  const { bin } = JSON.parse(await readFile(join(folder, "node_modules/codex-acp-kit/package.json"), "utf8"));
  return {
    packed: tarball.files.map(({ path }) => path),
    folder,
    bin: join(folder, "node_modules/codex-acp-kit", bin["codex-acp-kit"]),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { build } from "esbuild";
import type { GeneratedFile } from "../../../codegen/model/model.js";

const root = resolve(import.meta.dirname, "../../..");

/** Lays files out beside a copy of `src/runtime`, in a folder that is gone when `use` settles. */
export const inFolder = async <T>(files: readonly GeneratedFile[], use: (folder: string) => Promise<T>): Promise<T> => {
  // Under the repository, so that the fixture's `node` types resolve.
  const folder = await mkdtemp(join(root, "node_modules/.type-check-"));
  try {
    await cp(join(root, "src/runtime"), join(folder, "src/runtime"), { recursive: true });
    for (const file of files) {
      await mkdir(dirname(join(folder, file.path)), { recursive: true });
      await writeFile(join(folder, file.path), file.text);
    }
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/** What the compiler, under the repository's own settings, says of the files: one line each, empty when all is well. */
export const typeErrors = (files: readonly GeneratedFile[]): Promise<string[]> =>
  inFolder(files, async (folder) => {
    const config = JSON.parse(await readFile(join(root, "tsconfig.json"), "utf8")) as { include: string[] };
    await writeFile(
      join(folder, "tsconfig.json"),
      JSON.stringify({ ...config, include: ["src/generated", "src/*.ts"] }),
    );
    await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module" }));
    return new Promise((settle, fail) => {
      const tsc = join(root, "node_modules/typescript/bin/tsc");
      execFile(process.execPath, [tsc, "-p", folder, "--pretty", "false"], { cwd: folder }, (error, stdout) => {
        // An error's indented lines explain it.
        const lines = stdout
          .replaceAll(/\n +/g, " ")
          .split("\n")
          .filter((line) => /error TS\d+/.test(line));
        if (error !== null && lines.length === 0) fail(new Error(`tsc did not run: ${error.message}\n${stdout}`));
        else settle(lines);
      });
    });
  });

/** Runs the files: the exports of the one at `entry`. */
export const runFiles = (files: readonly GeneratedFile[], entry: string): Promise<Record<string, unknown>> =>
  inFolder(files, async (folder) => {
    const outfile = join(folder, "out.mjs");
    await build({ entryPoints: [join(folder, entry)], outfile, bundle: true, format: "esm", logLevel: "silent" });
    return (await import(outfile)) as Record<string, unknown>;
  });

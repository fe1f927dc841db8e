/** Runs once around all tests: no process and no folder may be left when they are over. */
import { readdir, rm } from "node:fs/promises";
import { leftProcesses } from "./leaks.js";
import { runVariable, scratchOf } from "./places.js";

const isWorker = (line: string): boolean => /vitest|esbuild --service/.test(line);

export default function setup(): () => Promise<void> {
  const run = process.env[runVariable] ?? "";
  const scratch = scratchOf(run);
  return async () => {
    const folders = await readdir(scratch).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return [];
      throw error;
    });
    const left = [
      ...leftProcesses(`${runVariable}=${run}`, scratch, isWorker),
      ...folders.map((name) => `folder ${scratch}/${name}`),
    ];
    await rm(scratch, { recursive: true, force: true });
    if (left.length > 0) throw new Error(`the tests left behind:\n${left.join("\n")}`);
  };
}

import { defineConfig } from "vitest/config";
import { runVariable } from "./test/support/places.js";

// Inherited by the workers and by what the tests start, so that leftovers can be told from other processes.
process.env[runVariable] ??= `${Date.now()}-${process.pid}`;

interface Options {
  /** For one test, in milliseconds. */
  readonly timeout: number;
  /** Needs the bundled agent. */
  readonly dist?: boolean;
  /** Its files share their modules in one worker: none of them changes what a module holds, and loading them takes longer than the tests. */
  readonly shared?: boolean;
}

const project = (name: string, { timeout, dist = false, shared = false }: Options) => ({
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
    setupFiles: ["test/support/setup.ts"],
    globalSetup: dist ? ["test/support/build-setup.ts"] : [],
    isolate: !shared,
    testTimeout: timeout,
    hookTimeout: timeout,
    sequence: { hooks: "stack" as const },
  },
});

export default defineConfig({
  test: {
    pool: "forks",
    // Two cores: more workers make the tests against real processes slower, not faster.
    maxWorkers: 2,
    globalSetup: ["test/support/global-setup.ts"],
    projects: [
      project("unit", { timeout: 15_000 }),
      project("types", { timeout: 60_000 }),
      project("property", { timeout: 60_000, shared: true }),
      project("corpus", { timeout: 60_000 }),
      project("scripted", { timeout: 20_000, dist: true, shared: true }),
      project("real", { timeout: 60_000, dist: true }),
      project("pack", { timeout: 120_000, dist: true }),
    ],
  },
});

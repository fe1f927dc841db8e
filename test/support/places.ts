import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const repository = fileURLToPath(new URL("../..", import.meta.url));

/** Names this run of the tests; every process that a test starts inherits it, unless the test cleans the environment. */
export const runVariable = "CODEX_ACP_KIT_TEST_RUN";

/** Where the tests of a run make their folders. Not the system's temporary folder: Codex refuses some features there. */
export const scratchOf = (run: string): string => join(repository, ".tmp", "test", run);

export const scratch = scratchOf(process.env[runVariable] ?? "single");

import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

// Needs Chromium (CHROMIUM_PATH, else Debian's), which not every machine has: `npm run test:browser`, not part of `npm test`.
export default defineConfig({
  root: fileURLToPath(new URL("../..", import.meta.url)),
  test: { include: ["test/browser/**/*.test.ts"], pool: "forks", testTimeout: 30_000, hookTimeout: 60_000 },
});

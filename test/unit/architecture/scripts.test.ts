import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repository } from "../../support/places.js";

const text = (path: string): string => readFileSync(join(repository, path), "utf8");

/** The scripts that a text runs through npm. */
const scriptsIn = (path: string): string[] =>
  [...text(path).matchAll(/\bnpm run ([a-z][a-z:-]*)/g)].map(([, name]) => name ?? "");

test.each([
  "README.md",
  "CONTRIBUTING.md",
  "docs/regenerate.md",
  "docs/architecture.md",
  "docs/performance.md",
  "schemas/contract/README.md",
  ".github/workflows/codex.yml",
])("%s runs scripts that there are", (path) => {
  const { scripts } = JSON.parse(text("package.json")) as { scripts: Record<string, string> };
  const wanted = scriptsIn(path);
  expect(wanted.length).toBeGreaterThan(0);
  expect(wanted.filter((name) => !(name in scripts))).toEqual([]);
});

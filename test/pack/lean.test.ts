import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "./installed.js";

const chunks = join(root, "dist/chunks");

/** The chunk that the bin loads for the agent, and all that is loaded with it. */
function loadedWithAgent(): string[] {
  const [, agent] =
    /import\("\.\/chunks\/(agent-\w+\.js)"\)/.exec(readFileSync(join(root, "dist/cli.js"), "utf8")) ?? [];
  const seen = new Set<string>();
  const load = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    const text = readFileSync(join(chunks, file), "utf8");
    for (const [, name = ""] of text.matchAll(/^(?:import|export)\s[^"';]*"\.\/([^"]+)"/gm)) load(name);
  };
  load(agent ?? "no chunk");
  return [...seen];
}

test("the agent has the SDK's connection but none of its validators", () => {
  const texts = loadedWithAgent().map((file) => readFileSync(join(chunks, file), "utf8"));
  expect(texts.some((text) => text.includes("InitializationState"))).toBe(true);
  expect(texts.filter((text) => /\bZod|from "zod/.test(text.replaceAll('"ZodError"', "")))).toEqual([]);
});

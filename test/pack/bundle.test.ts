import { readdirSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { root } from "./installed.js";

const dist = join(root, "dist");
const files = readdirSync(dist, { recursive: true, encoding: "utf8" });
const text = (file: string): string => readFileSync(join(dist, file), "utf8");
const scripts = files.filter((file) => file.endsWith(".js"));

/** What a module imports when it is loaded, not what it may load later. */
const staticImports = (file: string): string[] =>
  [...text(file).matchAll(/^(?:import|export)\s*(?:[^"';]*?\bfrom\s*)?"([^"]+)"/gm)].flatMap(([, name]) => name ?? []);

const loadedWith = (file: string, seen = new Set<string>()): Set<string> => {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const name of staticImports(file)) {
    if (name.startsWith(".")) loadedWith(join(file, "..", name), seen);
  }
  return seen;
};

describe("the bundle", () => {
  test("imports Node's own modules and nothing else", () => {
    expect(scripts.length).toBeGreaterThan(5);
    const foreign = scripts.flatMap((file) =>
      staticImports(file)
        .filter((name) => !name.startsWith(".") && !isBuiltin(name))
        .map((name) => `${file}: ${name}`),
    );
    expect(foreign).toEqual([]);
  });

  test("loads only files that are there, at once and later", () => {
    const named = scripts.flatMap((file) =>
      [...text(file).matchAll(/\bimport\("(\.[^"]+)"\)/g)].map(([, name]) => ({ file, name: name ?? "" })),
    );
    expect(named.filter(({ name }) => name.endsWith("/acp-v1.js")).length).toBeGreaterThan(1);
    const all = [...named, ...scripts.flatMap((file) => staticImports(file).map((name) => ({ file, name })))];
    const missing = all.filter(({ file, name }) => name.startsWith(".") && !files.includes(join(file, "..", name)));
    expect(missing).toEqual([]);
  });

  test("has no require, which an ES module lacks", () => {
    const found = scripts.flatMap((file) =>
      // The settings for Neovim that doctor prints are Lua.
      [...text(file).matchAll(/.*(?<![.\w])(?:__require|require)\(.*/g)]
        .map(([line]) => `${file}: ${line.trim()}`)
        .filter((line) => !line.includes('require("codecompanion') && !line.includes('require("avante')),
    );
    expect(found).toEqual([]);
  });

  test("starts with little: no command-line parser, no logging library, no second protocol engine", () => {
    const loaded = [...loadedWith("cli.js")];
    const size = loaded.reduce((sum, file) => sum + text(file).length, 0);
    expect(size).toBeLessThan(60_000);
    const heavy = loaded.filter((file) =>
      /class (Command|CommanderError)\b|function getLogger|ZodType/.test(text(file)),
    );
    expect(heavy).toEqual([]);
  });
});

describe("the declarations", () => {
  test("need no package that the consumer does not have", () => {
    const declarations = files.filter((file) => file.endsWith(".d.ts"));
    expect(declarations.length).toBeGreaterThan(10);
    const foreign = declarations.flatMap((file) =>
      [
        ...text(file).matchAll(
          /^(?:(?:import|export)\b.*|\} )from "([^".][^"]*)"|^(?!\s*\*).*\bimport\("([^".][^"]*)"/gm,
        ),
      ]
        .flatMap(([, from, inline]) => from ?? inline ?? [])
        .filter((name) => !isBuiltin(name))
        .map((name) => `${file}: ${name}`),
    );
    expect(foreign).toEqual([]);
  });
});

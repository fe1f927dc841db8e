import { describe, expect, test } from "vitest";
import { fault, layerOf, layers } from "./layers.js";
import { importsOf, sourcesUnder } from "./sources.js";

const sources = sourcesUnder("src");

describe("who may import whom", () => {
  test("every file of src belongs to a layer", () => {
    expect(sources.length).toBeGreaterThan(50);
    expect(sources.filter(({ path }) => layerOf(path) === null).map(({ path }) => path)).toEqual([]);
  });

  test.each(Object.keys(layers).map((layer) => ({ layer })))("$layer keeps to its imports", ({ layer }) => {
    const own = sources.filter(({ path }) => layerOf(path) === layer);
    const faults = own.flatMap(importsOf).flatMap((it) => fault(it) ?? []);
    expect(faults).toEqual([]);
  });

  test("every layer has files, once it is begun", () => {
    const found = new Set(sources.map(({ path }) => layerOf(path)));
    expect(Object.keys(layers).filter((layer) => !found.has(layer))).toEqual([]);
  });

  test("the scan sees imports at all", () => {
    const imports = sources.flatMap(importsOf);
    expect(imports.length).toBeGreaterThan(100);
    for (const layer of ["runtime", "generated", "codex", "projection", "session", "host"]) {
      expect(
        imports.filter(({ from }) => layerOf(from) === layer),
        layer,
      ).not.toEqual([]);
    }
  });
});

describe("the rules themselves", () => {
  test.each([
    { path: "src/projection/a.ts", text: 'import { readFile } from "node:fs";', want: /modules of Node/ },
    { path: "src/projection/a.ts", text: 'import { B } from "../session/b.js";', want: /may not import session/ },
    { path: "src/session/a/b.ts", text: 'import { C } from "../../codex/client.js";', want: /may not import codex/ },
    { path: "src/runtime/a.ts", text: 'export { Ajv } from "ajv";', want: /packages/ },
    {
      path: "src/generated/a/b.ts",
      text: 'import { c } from "../../runtime/clock.js";',
      want: /may not import runtime/,
    },
    { path: "src/policy/a.ts", text: 'import { Client } from "../codex/client.js";', want: /values from there/ },
    { path: "src/policy/a.ts", text: 'import type { T } from "../codex/transport.js";', want: /may not import codex/ },
    { path: "src/agent/a.ts", text: 'const t = await import("../testing/waits.js");', want: /may not import testing/ },
    { path: "src/cli/doctor/a.ts", text: 'import "../../testing/waits.js";', want: /may not import testing/ },
    { path: "src/agent/a.ts", text: 'import {\n  b,\n} from "../cli/b.js";', want: /may not import cli/ },
    { path: "src/index.ts", text: 'export { b } from "./cli/b.js";', want: /may not import cli/ },
    { path: "src/elsewhere/a.ts", text: 'import { b } from "./b.js";', want: /belongs to no layer/ },
  ])("$path: $text", ({ path, text, want }) => {
    expect(importsOf({ path, text }).map(fault)).toEqual([expect.stringMatching(want)]);
  });

  test.each([
    { path: "src/policy/a.ts", text: 'import type { Client } from "../codex/client.js";' },
    { path: "src/policy/a.ts", text: 'import { type Client, type Other } from "../codex/client.js";' },
    {
      path: "src/projection/a.ts",
      text: 'import { b } from "./b.js";\nimport { T } from "../generated/codex/types.js";',
    },
    { path: "src/cli/demo/a.ts", text: 'import { b } from "../../testing/waits.js";' },
    { path: "src/codex.ts", text: 'export { b } from "./codex/client.js";' },
    { path: "src/host/a.ts", text: 'import { c } from "@agentclientprotocol/sdk/experimental/v2/unstable";' },
    {
      path: "src/runtime/a.ts",
      text: '// import { a } from "ajv";\n/* import "node:fs"; */\nimport { b } from "./b.js";',
    },
  ])("allowed, $path: $text", ({ path, text }) => {
    const imports = importsOf({ path, text });
    expect(imports).not.toEqual([]);
    expect(imports.map(fault).filter((it) => it !== null)).toEqual([]);
  });
});

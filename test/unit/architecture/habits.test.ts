import { describe, expect, test } from "vitest";
import { readData, type Source, sourcesUnder, withoutComments } from "./sources.js";

const generated = (path: string): boolean => path.startsWith("src/generated/");

const handWritten = ["src", "codegen", "test", "scripts"].flatMap(sourcesUnder).filter(({ path }) => !generated(path));

const methods = (): string[] => {
  const contract = readData("schemas/contract/methods.json") as { methods: { method: string }[] };
  const codex = readData("schemas/codex/methods.json") as { [list: string]: { method: string }[] };
  return [...contract.methods, ...Object.values(codex).filter(Array.isArray).flat()].map(({ method }) => method);
};

/** Words such as `error` or `initialize` mean other things too; a method with a slash means itself. */
const telling = new Set(methods().filter((method) => method.includes("/")));

/** Every method that stands in a string of the source. */
const methodStrings = ({ text }: Source): string[] =>
  [...withoutComments(text).matchAll(/"([^"\\\n]*)"|'([^'\\\n]*)'|`([^`\\$]*)`/g)]
    .map(([, double, single, template]) => double ?? single ?? template ?? "")
    .filter((string) => telling.has(string));

/** `any` where a type stands. */
const anyTypes = ({ text }: Source): string[] =>
  [...text.matchAll(/^(?!\s*(?:\*|\/\/)).*?(?::\s*|\bas\s+|<|\|\s*|=>\s*)any(?:\[\])?(?=\s*[;,)>=|&{]|$)/gm)].map(
    ([match]) => match.trim(),
  );

describe("no method is written by hand", () => {
  // The two that play a peer: the scripted Codex, whose names the generated types check, and the demo's host, whose
  // names the SDK's types check.
  const peers = /^src\/(testing|cli\/demo)\//;
  const scanned = handWritten.filter(({ path }) => path.startsWith("src/") && !peers.test(path));

  test("in src", () => {
    expect(telling.size).toBeGreaterThan(250);
    expect(scanned.length).toBeGreaterThan(30);
    const found = scanned.flatMap((source) => methodStrings(source).map((method) => `${source.path}: ${method}`));
    expect(found).toEqual([]);
  });

  test.each([
    { text: 'send("session/new", {})', want: ["session/new"] },
    { text: "case 'turn/started':", want: ["turn/started"] },
    { text: "go(`_codex/skills_list`)", want: ["_codex/skills_list"] },
    { text: '"thread/start of old"', want: [] },
    { text: '"error"', want: [] },
    { text: "/** Like `turn/start`. */", want: [] },
  ])("seen in $text: $want", ({ text, want }) => {
    expect(methodStrings({ path: "src/a.ts", text })).toEqual(want);
  });
});

describe("hand-written code", () => {
  test("has files under 350 lines", () => {
    expect(handWritten.length).toBeGreaterThan(100);
    const long = handWritten.map(({ path, text }) => ({ path, lines: text.split("\n").length - 1 }));
    expect(long.filter(({ lines }) => lines >= 350)).toEqual([]);
  });

  test("has no any", () => {
    const found = handWritten.flatMap((source) => anyTypes(source).map((line) => `${source.path}: ${line}`));
    // This file's own rows.
    expect(found.filter((line) => !line.startsWith("test/unit/architecture/"))).toEqual([]);
  });

  test.each([
    { text: "const a: any = 1;", found: 1 },
    { text: "f(b as any)", found: 1 },
    { text: "let m: Map<any>;", found: 1 },
    { text: "type T = string | any;", found: 1 },
    { text: "g = (): any[] => [];", found: 1 },
    { text: " * for any value: any one", found: 0 },
    { text: "const company: many = any1;", found: 0 },
  ])("any is seen in $text: $found", ({ text, found }) => {
    expect(anyTypes({ path: "src/a.ts", text })).toHaveLength(found);
  });
});

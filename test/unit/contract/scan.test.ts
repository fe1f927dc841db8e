import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { clausesNamed, scanTests } from "../../../codegen/status/scan.js";

describe("the clauses that a test's text names", () => {
  test("are those of every call, over several lines and with a trailing comma", () => {
    const text = `
      clause(["INIT-01"], "one", () => {});
      clause(
        ["INIT-02", "AUTH-07",],
        "two",
        async () => {},
        1000,
      );
    `;
    expect(clausesNamed(text)).toEqual(["INIT-01", "INIT-02", "AUTH-07"]);
  });

  test("leave out comments, strings and other functions", () => {
    const text = [
      '// clause(["INIT-01"], "off", run);',
      '/* clause(["INIT-02"], "off", run); */',
      'const quoted = \'clause(["INIT-03"])\', other = "clause([])";',
      'const template = `clause(["INIT-04"])`;',
      'subclause(["INIT-05"]); it.clause(["INIT-06"]);',
      'import { clause } from "../support/clause.js";',
      'clause(["INIT-07"], "see http://127.0.0.1", run);',
    ].join("\n");
    expect(clausesNamed(text)).toEqual(["INIT-07"]);
  });

  test.each([
    ["a variable", "clause(ids, 'x', run)"],
    ["a spread", 'clause(["INIT-01", ...more], "x", run)'],
    ["an empty list", 'clause([], "x", run)'],
    ["an id of another form", 'clause(["INIT-1"], "x", run)'],
  ])("cannot be read from %s", (_, call) => {
    expect(() => clausesNamed(`\n${call}`)).toThrow("line 2: the first argument of clause()");
  });
});

describe("a scan of a tree", () => {
  let root = "";
  const write = (path: string, text: string): void => {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "contract-scan-"));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  test("tells which test files name a clause, each once", () => {
    write("test/unit/a.test.ts", 'clause(["INIT-01", "INIT-02"], "x", run); clause(["INIT-01"], "y", run);');
    write("test/real/b.test.ts", 'clause(["INIT-01"], "x", run);');
    write("test/support/clause.ts", 'clause(["INIT-03"], "not a test file", run);');
    const { files, namedIn } = scanTests(root);
    expect(files).toBe(2);
    expect([...namedIn]).toEqual([
      ["INIT-01", ["test/real/b.test.ts", "test/unit/a.test.ts"]],
      ["INIT-02", ["test/unit/a.test.ts"]],
    ]);
  });

  test("names the file that it cannot read", () => {
    write("test/unit/a.test.ts", "clause(ids, 'x', run);");
    expect(() => scanTests(root)).toThrow("test/unit/a.test.ts: line 1");
  });
});

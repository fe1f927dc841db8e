import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { gitPatch } from "../../../src/projection/git-patch.js";
import { changesBetween, hunk, type Tree, thereAndBack } from "./git-tree.js";

interface Row {
  readonly name: string;
  readonly before?: Tree;
  readonly after?: Tree;
  readonly moves?: Tree;
}

const rows: readonly Row[] = [
  { name: "an added file", after: { a: "one\ntwo\n" } },
  { name: "an added file without a newline at its end", after: { a: "one\ntwo" } },
  { name: "an added empty file", after: { a: "" } },
  { name: "an added file of one empty line", after: { a: "\n" } },
  { name: "a file in new folders", after: { "a/b/c": "x\n" } },
  { name: "a deleted file", before: { a: "one\ntwo\n" } },
  { name: "a deleted file without a newline at its end", before: { a: "one\ntwo" } },
  { name: "a deleted empty file", before: { a: "" } },
  { name: "an edit between others' lines", before: { a: "1\n2\n3\n4\n5\n" }, after: { a: "1\n2\nthree\n4\n5\n" } },
  { name: "an edit that empties", before: { a: "1\n" }, after: { a: "" } },
  { name: "an edit of an empty file", before: { a: "" }, after: { a: "1\n" } },
  { name: "an edit that takes the last newline", before: { a: "1\n2\n" }, after: { a: "1\n2" } },
  { name: "an edit that gives the last newline", before: { a: "1\n2" }, after: { a: "1\n2\n" } },
  { name: "an edit where neither ends in a newline", before: { a: "1\n2\n3" }, after: { a: "one\n2\nthree" } },
  { name: "an edit that changes nothing", before: { a: "1\n" }, after: { a: "1\n" } },
  { name: "Windows line ends", before: { a: "1\r\n2\r\n3\r\n" }, after: { a: "1\r\ntwo\r\n3\r\n", b: "x\r\ny\r\n" } },
  { name: "a line end that changes", before: { a: "1\r\n2\n" }, after: { a: "1\n2\r\n" } },
  { name: "an added file with lone carriage returns", after: { a: "x\ry\r\nz\r" } },
  { name: "content that looks binary", before: { a: "\0\x01\n\0\n" }, after: { a: "\0\x02\n\0\n", b: "GIF89a\0\0" } },
  { name: "a byte order mark", before: { a: "\ufeff1\n2\n" }, after: { a: "\ufeff1\ntwo\n" } },
  {
    name: "other separators of lines",
    before: { a: "1\u2028\v\f\u00852\nx\n" },
    after: { a: "1\u2028\v\f\u00852\ny\n" },
  },
  {
    name: "content that looks like a patch",
    after: { a: "--- a\n+++ b\n@@ -1 +1 @@\n\\ No newline at end of file\n" },
  },
  { name: "a move", before: { a: "1\n" }, after: { b: "1\n" }, moves: { a: "b" } },
  { name: "a move of an empty file", before: { a: "" }, after: { "d/b": "" }, moves: { a: "d/b" } },
  { name: "a move with an edit", before: { a: "1\n2\n" }, after: { "d/b": "1\ntwo\n" }, moves: { a: "d/b" } },
  {
    name: "a move with an edit, without a newline at the end",
    before: { a: "1" },
    after: { b: "2" },
    moves: { a: "b" },
  },
  {
    name: "several files at once",
    before: { a: "1\n", b: "1\n", c: "1\n", d: "" },
    after: { b: "2\n", "e f": "1\n", g: "3" },
    moves: { c: "e f" },
  },
];

/** Each with every operation, empty files among them: those have nothing but their head to be named in. */
const names = [
  "plain",
  "with space",
  " at both ends ",
  "two  spaces",
  "tab\there",
  "new\nline",
  "return\rhere",
  'quo"te',
  "back\\slash",
  "apostrophe'",
  "übergröße",
  "日本",
  "😀",
  "\x01\x7f",
  "a/with space/ü",
  "-dash",
  "a -> b",
  "b/c",
];

describe("gitPatch()", () => {
  for (const { name, before = {}, after = {}, moves } of rows) {
    test(`git applies and takes back ${name}`, () => {
      const changes = changesBetween(before, after, moves);
      expect(gitPatch(changes).left).toEqual([]);
      expect(thereAndBack(before, changes)).toEqual({ there: after, back: before });
    });
  }

  for (const name of names) {
    test(`git finds a file called ${JSON.stringify(name)}`, () => {
      const before = {
        [`edit/${name}`]: "1\n",
        [`delete/${name}`]: "1\n",
        [`empty/${name}`]: "",
        [`move/${name}`]: "1\n",
      };
      const after = { [`edit/${name}`]: "2\n", [`add/${name}`]: "1\n", [`new/${name}`]: "", [`moved/${name}`]: "1\n" };
      const changes = changesBetween(before, after, { [`move/${name}`]: `moved/${name}` });
      expect(thereAndBack(before, changes)).toEqual({ there: after, back: before });
    });
  }

  test("git brings back the bytes of whatever was changed", () => {
    const unit = fc.oneof(
      {
        weight: 4,
        arbitrary: fc.constantFrom("a", "b", " ", "\n", "\n", "\r\n", "-", "+", "@", "\\", "é", "😀", "\0"),
      },
      { weight: 1, arbitrary: fc.string({ unit: "binary", minLength: 1, maxLength: 1 }) },
    );
    // A lone carriage return ends a line to Codex, which its hunks cannot say: see below.
    const content = fc.string({ unit, maxLength: 40 }).map((text) => text.replaceAll(/\r(?!\n)/g, ""));
    const name = fc
      .string({ unit: fc.oneof(unit, fc.constantFrom('"', "'", "\t", "\r")), minLength: 1, maxLength: 12 })
      .map((text) => text.replaceAll(/[/\0]/g, "_"))
      .filter((text) => text !== "." && text !== ".." && text.toLowerCase() !== ".git");
    const file = fc.record({ before: fc.option(content), after: fc.option(content), movedTo: fc.option(name) });
    fc.assert(
      fc.property(fc.dictionary(name, file, { maxKeys: 4, noNullPrototype: true }), (files) => {
        const before: Record<string, string> = {};
        const after: Record<string, string> = {};
        const moves: Record<string, string> = {};
        for (const [path, it] of Object.entries(files)) {
          if (it.before !== null) before[`f/${path}`] = it.before;
          if (it.after === null) continue;
          const to = it.before !== null && it.movedTo !== null ? `m/${path}/${it.movedTo}` : null;
          if (to !== null) moves[`f/${path}`] = to;
          after[to ?? `f/${path}`] = it.after;
        }
        const changes = changesBetween(before, after, moves);
        expect(gitPatch(changes).left).toEqual([]);
        expect(thereAndBack(before, changes)).toEqual({ there: after, back: before });
      }),
      { numRuns: 60 },
    );
  });

  test("a name with white space ends in a tab where git ends it so, and only there", () => {
    const text = gitPatch([{ path: "/w/a b", kind: { type: "add" }, diff: "1\n" }]).text;
    expect(text).toBe(
      "diff --git /w/a b /w/a b\nnew file mode 100644\n--- /dev/null\n+++ /w/a b\t\n@@ -0,0 +1 @@\n+1\n",
    );
  });

  test("a move is told by git's own lines, without Codex's note, wherever the note says it went", () => {
    const kind = { type: "update", move_path: "/w/b" } as const;
    const text = gitPatch([{ path: "/w/a", kind, diff: `${hunk("1\n", "2\n")}\n\nMoved to: b` }]).text;
    expect(text).toBe(
      "diff --git /w/a /w/b\nrename from /w/a\nrename to /w/b\n--- /w/a\n+++ /w/b\n@@ -1 +1 @@\n-1\n+2\n",
    );
    const still = { type: "update", move_path: "/w/a" } as const;
    expect(gitPatch([{ path: "/w/a", kind: still, diff: "\n\nMoved to: /w/a" }])).toEqual({ text: "", left: [] });
  });

  // The first as Codex gives it for "r", "x", "s" of a file whose lines end in lone carriage returns around it.
  const unfit: readonly [string, unknown][] = [
    ["whose lines are cut at carriage returns", "@@ -3,3 +3,3 @@\n r\n-x\n+X\r s\r"],
    ["with a carriage return within a line", "@@ -1 +1 @@\n-a\rb\n+a\n"],
    ["with fewer lines than they say", "@@ -1,2 +1,2 @@\n-a\n+b\n"],
    ["with more lines than they say", "@@ -1 +1 @@\n-a\n+b\n+c\n"],
    ["that begin before any hunk", "-a\n+b\n"],
    ["that are cut off", "@@ -1 +1 @@\n-a\n+b"],
    ["that are missing", undefined],
    ["that are null", null],
  ];
  for (const [what, diff] of unfit) {
    test(`hunks ${what} are left out by name, and the others stay`, () => {
      const kind = { type: "update", move_path: null } as const;
      // What an older or a newer Codex may say.
      const bad = { path: "/w/bad", kind, diff: diff as string };
      const good = { path: "/w/good", kind, diff: hunk("1\n", "2\n") };
      expect(gitPatch([bad, good])).toEqual({ text: gitPatch([good]).text, left: ["/w/bad"] });
    });
  }
});
